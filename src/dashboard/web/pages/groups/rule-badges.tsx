/** The rules that matched, in the detector's own words. */
export function RuleBadges({ ruleIds }: { ruleIds: readonly string[] }) {
  return (
    <ul aria-label="Rules" className="flex min-w-0 flex-wrap gap-1">
      {ruleIds.map((ruleId) => (
        <li
          key={ruleId}
          className="max-w-full truncate rounded border bg-sunken px-1.5 font-mono text-2xs text-muted"
        >
          {ruleId}
        </li>
      ))}
    </ul>
  );
}
