import { Calendar, ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { formatShortDateTime } from "../format/time.ts";
import { RANGE_LABELS, RANGE_NAMES, type RangeName, useTimeRange } from "../time-range.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { PopoverPanel } from "./popover-panel.tsx";

export interface TimeRangePickerProps {
  /** The range without one in the address; the same as the page gives to useTimeRange. */
  standard?: RangeName;
}

/** Reads and writes the page's address itself; the page reads useTimeRange(). */
export function TimeRangePicker({ standard = "24h" }: TimeRangePickerProps) {
  const range = useTimeRange(standard);
  const [open, setOpen] = useState(false);
  const label =
    range.name === null
      ? `${formatShortDateTime(range.from)} – ${formatShortDateTime(range.to)}`
      : RANGE_LABELS[range.name];
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button icon={<Calendar className="text-faint" aria-hidden />} aria-label={`Time range: ${label}`}>
          {label}
          <ChevronDown className="size-3.5! text-faint" aria-hidden />
        </Button>
      </Popover.Trigger>
      <PopoverPanel align="end" className="w-72">
        <fieldset className="flex flex-col p-1">
          <legend className="sr-only">Time range</legend>
          {RANGE_NAMES.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={range.name === name}
              onClick={() => {
                range.setName(name);
                setOpen(false);
              }}
              className={classes(
                "flex h-7.5 items-center justify-between rounded px-2 text-sm hover:bg-hover",
                range.name === name && "bg-sunken font-medium",
              )}
            >
              {RANGE_LABELS[name]}
              <span className="text-xs text-faint">{name}</span>
            </button>
          ))}
        </fieldset>
        <CustomRange
          from={range.from}
          to={range.to}
          onPick={(ends) => {
            range.setEnds(ends);
            setOpen(false);
          }}
        />
      </PopoverPanel>
    </Popover.Root>
  );
}

interface CustomRangeProps {
  from: string;
  to: string;
  onPick: (ends: { from: string; to: string }) => void;
}

function CustomRange({ from, to, onPick }: CustomRangeProps) {
  const [ends, setEnds] = useState({ from: toLocal(from), to: toLocal(to) });
  const start = new Date(ends.from);
  const end = new Date(ends.to);
  const wrong = !(start.getTime() < end.getTime());
  return (
    <form
      className="flex flex-col gap-2.5 border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong) onPick({ from: start.toISOString(), to: end.toISOString() });
      }}
    >
      <Field label="From">
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={ends.from}
            onChange={(event) => setEnds({ ...ends, from: event.target.value })}
          />
        )}
      </Field>
      <Field label="To" error={wrong ? "The end must be after the start" : null}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={ends.to}
            onChange={(event) => setEnds({ ...ends, to: event.target.value })}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={wrong}>
        Apply
      </Button>
    </form>
  );
}

/** The value of a datetime-local field: the reader's time zone, to the minute. */
function toLocal(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
