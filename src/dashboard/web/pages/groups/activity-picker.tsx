import { classes } from "../../components/classes.ts";
import { ACTIVITY_RANGES, type ActivityRange } from "./group-list-search.ts";

export interface ActivityPickerProps {
  /** Null: the range that the list is filtered by. */
  value: ActivityRange | null;
  onChange: (range: ActivityRange) => void;
}

/** How far back the sparklines go, in the head of their column. */
export function ActivityPicker({ value, onChange }: ActivityPickerProps) {
  return (
    <fieldset className="inline-flex items-center gap-1">
      <legend className="sr-only">Activity over</legend>
      <span aria-hidden>Activity</span>
      {ACTIVITY_RANGES.map((range) => (
        <button
          key={range}
          type="button"
          aria-pressed={range === value}
          onClick={() => onChange(range)}
          className={classes(
            "rounded px-1 hover:text-ink",
            range === value ? "bg-hover font-semibold text-ink" : "text-muted",
          )}
        >
          {range}
        </button>
      ))}
    </fieldset>
  );
}
