import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { GroupFacets } from "../../../../store/dashboard/groups.ts";
import { Button } from "../../components/button.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { Select } from "../../components/select.tsx";
import { SEVERITIES, SeverityBadge } from "../../components/severity-badge.tsx";
import { formatClass } from "../../format/failure-class.ts";
import { formatShortDateTime } from "../../format/time.ts";
import { RANGE_LABELS } from "../../time-range.ts";
import { FacetMenu } from "./facet-menu.tsx";
import { type GroupListSearch, type ListSort, namesIn, toggledName } from "./group-list-search.ts";

const sorts: readonly { value: ListSort; label: string }[] = [
  { value: "last_seen", label: "Last seen" },
  { value: "first_seen", label: "First seen" },
  { value: "count", label: "Firings" },
  { value: "severity", label: "Severity" },
];

export interface GroupFilterBarProps {
  search: GroupListSearch;
  facets: GroupFacets | null | undefined;
  onChange: (change: Partial<GroupListSearch>) => void;
}

export function GroupFilterBar({ search, facets, onChange }: GroupFilterBarProps) {
  const classNames = namesIn(search.class);
  const severities = namesIn(search.severity);
  // What is chosen stays in sight, also when it leaves nothing.
  const known = new Set([...Object.keys(facets?.class ?? {}), ...classNames]);
  const classChoices = [...known]
    .map((value) => {
      const text = formatClass(value);
      return { value, text, label: text, count: facets?.class[value] ?? 0 };
    })
    .sort((a, b) => b.count - a.count || a.text.localeCompare(b.text));
  const severityChoices = SEVERITIES.map((value) => ({
    value,
    text: value,
    label: <SeverityBadge severity={value} />,
    count: facets?.severity[value] ?? 0,
  }));
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchInput
        label="Search failure groups"
        placeholder="Search excerpt, rule, execution, id"
        value={search.q ?? ""}
        onSearch={(q) => onChange({ q: q === "" ? undefined : q })}
        className="basis-full sm:max-w-md sm:flex-1 sm:basis-64"
      />
      <FacetMenu
        label="Class"
        choices={classChoices}
        chosen={classNames}
        onToggle={(value) => onChange({ class: toggledName(search.class, value) })}
      />
      <FacetMenu
        label="Severity"
        choices={severityChoices}
        chosen={severities}
        onToggle={(value) => onChange({ severity: toggledName(search.severity, value) })}
      />
      <Select
        label="Sort by"
        prefix="Sort:"
        value={search.sort ?? "last_seen"}
        onChange={(sort) => onChange({ sort: sort === "last_seen" ? undefined : sort })}
        options={sorts}
        className="w-auto"
      />
      <FilterChips search={search} onChange={onChange} />
    </div>
  );
}

/** The filters in force, each to be taken away. */
function FilterChips({ search, onChange }: Omit<GroupFilterBarProps, "facets">) {
  const chips: { key: string; label: ReactNode; without: Partial<GroupListSearch> }[] = [
    ...namesIn(search.class).map((name) => ({
      key: `class ${name}`,
      label: formatClass(name),
      without: { class: toggledName(search.class, name) },
    })),
    ...namesIn(search.severity).map((name) => ({
      key: `severity ${name}`,
      label: `Severity ${name}`,
      without: { severity: toggledName(search.severity, name) },
    })),
  ];
  const seen = seenLabel(search);
  if (seen !== null) {
    chips.push({ key: "seen", label: seen, without: { range: undefined, from: undefined, to: undefined } });
  }
  if (chips.length === 0) return null;
  const without = Object.assign({}, ...chips.map((chip) => chip.without), {
    class: undefined,
    severity: undefined,
  }) as Partial<GroupListSearch>;
  return (
    <ul aria-label="Filters" className="flex basis-full flex-wrap items-center gap-1.5">
      {chips.map((chip) => (
        <li key={chip.key}>
          <button
            type="button"
            onClick={() => onChange(chip.without)}
            className="inline-flex h-6 items-center gap-1 rounded-full border bg-surface pr-1.5 pl-2.5 text-xs text-muted hover:bg-hover hover:text-ink"
          >
            <span className="sr-only">Without the filter </span>
            {chip.label}
            <X className="size-3" aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <Button variant="ghost" size="small" onClick={() => onChange(without)}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}

function seenLabel({ range, from, to }: GroupListSearch): string | null {
  if (from !== undefined && to !== undefined) {
    return `Seen ${formatShortDateTime(from)} – ${formatShortDateTime(to)}`;
  }
  return range === undefined ? null : `Seen in the ${RANGE_LABELS[range].toLowerCase()}`;
}
