import { useState } from "react";
import { formatRule } from "../../format/failure-class.ts";

const badge = "max-w-full truncate rounded border bg-sunken px-1.5 font-mono text-2xs text-muted";

export interface RuleBadgesProps {
  ruleIds: readonly string[];
  /** The class that the page is about. */
  failureClass: string;
  /** More than these stand behind a button: a text that fires one rule often fires ten. */
  shownMax?: number;
}

/** The rules that matched, in the detector's own words; their class is the page's. */
export function RuleBadges({ ruleIds, failureClass, shownMax = Number.POSITIVE_INFINITY }: RuleBadgesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? ruleIds : ruleIds.slice(0, shownMax);
  const rest = ruleIds.length - shown.length;
  return (
    <ul aria-label="Rules" className="flex min-w-0 flex-wrap gap-1">
      {shown.map((ruleId) => (
        <li key={ruleId} title={ruleId} className={badge}>
          {formatRule(ruleId, failureClass)}
        </li>
      ))}
      {rest === 0 ? null : (
        <li>
          <button
            type="button"
            aria-label={`Show ${rest} more ${rest === 1 ? "rule" : "rules"}`}
            onClick={() => setIsWhole(true)}
            className={`${badge} block hover:bg-hover hover:text-ink`}
          >
            +{rest}
          </button>
        </li>
      )}
    </ul>
  );
}
