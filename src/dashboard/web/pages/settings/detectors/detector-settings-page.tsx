import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { SearchInput } from "../../../components/search-input.tsx";
import { Select } from "../../../components/select.tsx";
import { SkeletonRows } from "../../../components/skeleton.tsx";
import { useProjectId } from "../../../projects.ts";
import { type DetectorSetting, detectorsQuery } from "../settings-queries.ts";
import { DetectorRow } from "./detector-row.tsx";
import { DETECTOR_FILTERS, type DetectorFilter, type DetectorSearch } from "./detector-search.ts";

const FAMILIES = [
  { family: "security", title: "Security", note: "what reads texts, tools and addresses" },
  { family: "behaviour", title: "Behaviour and cost", note: "what judges how an agent goes about it" },
  { family: "reliability", title: "Reliability", note: "what judges how a run ends" },
] as const;

const filterNames: Record<DetectorFilter, string> = {
  all: "All",
  changed: "Changed here",
  off: "Switched off",
  fired: "Fired in 24 h",
};

const passes: Record<DetectorFilter, (detector: DetectorSetting) => boolean> = {
  all: () => true,
  changed: (detector) => detector.customised,
  off: (detector) => !detector.enabled,
  fired: (detector) => detector.firings_24h > 0,
};

/** Every word somewhere in the class, its summary or the names of its thresholds. */
function matches(detector: DetectorSetting, words: string): boolean {
  const text = [detector.class, detector.class.replaceAll("_", " "), detector.summary]
    .concat(detector.thresholds.map((threshold) => threshold.name))
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function DetectorSettingsPage() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { q = "", show = "all", class: opened }: DetectorSearch = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(detectorsQuery(projectId));

  const search = (next: DetectorSearch) =>
    navigate({
      to: ".",
      search: (current: Record<string, unknown>) => ({ ...current, ...next }),
      replace: true,
      resetScroll: false,
    });
  const shown = data?.filter((detector) => passes[show](detector) && matches(detector, q));
  const off = data?.filter((detector) => !detector.enabled).length ?? 0;
  const changed = data?.filter((detector) => detector.customised).length ?? 0;

  return (
    <>
      <PageHeader
        title="Detectors"
        description={
          data === undefined
            ? "What looks at every stored event of this project."
            : `${data.length} classes look at every stored event: ${changed} changed for this project, ${off} switched off.`
        }
        actions={
          <>
            <SearchInput
              label="Search detectors"
              placeholder="Search detectors"
              className="w-56 max-sm:w-full"
              value={q}
              onSearch={(words) => search({ q: words === "" ? undefined : words })}
            />
            <Select
              label="Which detectors to show"
              prefix="Show:"
              className="w-44"
              value={show}
              options={DETECTOR_FILTERS.map((filter) => ({ value: filter, label: filterNames[filter] }))}
              onChange={(filter) => search({ show: filter === "all" ? undefined : filter })}
            />
          </>
        }
      />
      {shown === undefined ? (
        <Card>
          {error === null ? (
            <SkeletonRows rows={12} />
          ) : (
            <ErrorState error={error} title="The detectors could not be loaded" onRetry={refetch} />
          )}
        </Card>
      ) : shown.length === 0 ? (
        <Card>
          <EmptyState
            title="No detector matches"
            icon={<SlidersHorizontal />}
            action={
              <Button onClick={() => search({ q: undefined, show: undefined })}>Show all detectors</Button>
            }
          />
        </Card>
      ) : (
        <div className="flex flex-col gap-4">
          {FAMILIES.map(({ family, title, note }) => {
            const members = shown.filter((detector) => detector.family === family);
            return members.length === 0 ? null : (
              <Card key={family} flush title={title} note={note}>
                <ul className="border-t">
                  {members.map((detector) => (
                    <DetectorRow
                      key={detector.class}
                      detector={detector}
                      open={opened === detector.class}
                      onToggle={(open) => search({ class: open ? detector.class : undefined })}
                    />
                  ))}
                </ul>
              </Card>
            );
          })}
        </div>
      )}
    </>
  );
}
