import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import type { FailureClass } from "../../../api/failure-classes.ts";
import { Badge } from "../../components/badge.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { SeverityBadge } from "../../components/severity-badge.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { formatClass } from "../../format/failure-class.ts";
import { useShellProjectId } from "../../shell/shell-project.ts";
import { groupListQuery } from "../groups/group-queries.ts";
import { playbookListQuery } from "./playbook-queries.ts";

const families: readonly { family: FailureClass["family"]; name: string; note: string }[] = [
  { family: "security", name: "Security", note: "Somebody, or something read, works against the agent." },
  {
    family: "behaviour",
    name: "Behaviour and cost",
    note: "The agent does what it should not, or too much of it.",
  },
  { family: "reliability", name: "Reliability", note: "Runs that end badly, or not at all." },
];

/** Every failure class there is, by family. */
export function PlaybookListPage() {
  const { project } = useSearch({ from: "/signed-in/app/playbooks" });
  const { data, error, isPending, refetch } = useQuery(playbookListQuery);
  const open = useOpenGroups();
  const [q, setQ] = useState("");
  const found = useMemo(() => (data?.items ?? []).filter((each) => matches(each, q)), [data, q]);
  return (
    <>
      <PageHeader
        title="Playbooks"
        description="What each failure class means, and what to do when it fires."
        actions={
          <SearchInput
            label="Search playbooks"
            placeholder="Class, summary, taxonomy id"
            value={q}
            onSearch={setQ}
            className="w-80 max-w-full max-sm:w-full"
          />
        }
      />
      {isPending ? (
        <SkeletonRows rows={12} />
      ) : data === undefined ? (
        <ErrorState error={error} title="The playbooks could not be loaded" onRetry={refetch} />
      ) : found.length === 0 ? (
        <EmptyState title="No playbook matches" />
      ) : (
        families.map(({ family, name, note }) => {
          const classes = found.filter((each) => each.family === family);
          if (classes.length === 0) return null;
          return (
            <section key={family} aria-label={name} className="mb-7">
              <div className="mb-2 flex flex-wrap items-baseline gap-x-2">
                <h2 className="text-sm font-semibold">{name}</h2>
                <p className="text-xs text-muted">{note}</p>
              </div>
              <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
                {classes.map((each) => (
                  <PlaybookTile
                    key={each.failure_class}
                    each={each}
                    project={project}
                    open={open[each.failure_class] ?? 0}
                  />
                ))}
              </ul>
            </section>
          );
        })
      )}
    </>
  );
}

interface PlaybookTileProps {
  each: FailureClass;
  project: string | undefined;
  /** Open groups of the class in the project. */
  open: number;
}

function PlaybookTile({ each, project, open }: PlaybookTileProps) {
  return (
    <li className="relative flex min-w-0 flex-col rounded-lg border bg-surface px-4 py-3 shadow-card hover:bg-sunken">
      <div className="flex min-w-0 items-center gap-2">
        <h3 className="min-w-0 flex-1 text-sm font-semibold">
          <Link
            to="/app/playbooks/$failureClass"
            params={{ failureClass: each.failure_class }}
            search={project === undefined ? {} : { project }}
            className="after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            {formatClass(each.failure_class)}
          </Link>
        </h3>
        <SeverityBadge severity={each.severity} />
        <ChevronRight className="size-4 shrink-0 text-faint" aria-hidden />
      </div>
      <p className="mt-1 text-sm text-muted">{each.summary}</p>
      {open === 0 ? null : (
        <p className="mt-2 flex">
          <Badge dot>{open === 1 ? "1 open group" : `${open} open groups`}</Badge>
        </p>
      )}
    </li>
  );
}

/** Open groups by class in the project that the side bar is about; nothing while it is not known. */
function useOpenGroups(): Readonly<Record<string, number>> {
  const projectId = useShellProjectId();
  const list = useInfiniteQuery({ ...groupListQuery(projectId ?? "", {}), enabled: projectId !== null });
  return list.data?.pages[0]?.facets?.class ?? {};
}

function matches(each: FailureClass, q: string): boolean {
  const { owasp_llm_2025, owasp_agentic_2026, mitre_atlas, mast } = each.taxonomy;
  const text = [
    each.failure_class,
    formatClass(each.failure_class),
    each.summary,
    ...owasp_llm_2025,
    ...owasp_agentic_2026,
    ...mitre_atlas,
    ...mast,
  ]
    .join(" ")
    .toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
