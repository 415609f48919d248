import { Check, ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { inputClasses } from "../../components/input.tsx";
import { PopoverPanel } from "../../components/popover-panel.tsx";
import { formatCount } from "../../format/number.ts";

export interface FacetChoice {
  readonly value: string;
  /** For the search among many choices. */
  readonly text: string;
  readonly label: ReactNode;
  readonly count: number;
}

export interface FacetMenuProps {
  label: string;
  choices: readonly FacetChoice[];
  chosen: readonly string[];
  onToggle: (value: string) => void;
}

/** More choices than this get a search field. */
const SEARCHED_FROM = 9;

/** Any of several values, each with how many groups it leaves. */
export function FacetMenu({ label, choices, chosen, onToggle }: FacetMenuProps) {
  const [q, setQ] = useState("");
  const shown = choices.filter(({ text }) => text.toLowerCase().includes(q.trim().toLowerCase()));
  return (
    <Popover.Root onOpenChange={() => setQ("")}>
      <Popover.Trigger asChild>
        <Button>
          {label}
          {chosen.length === 0 ? null : (
            <span className="rounded-full bg-accent/12 px-1.5 text-2xs font-semibold text-accent">
              {chosen.length}
            </span>
          )}
          <ChevronDown className="size-3.5! text-faint" aria-hidden />
        </Button>
      </Popover.Trigger>
      <PopoverPanel
        align="start"
        label={label}
        className="flex max-h-(--radix-popover-content-available-height) w-64 flex-col"
      >
        {choices.length < SEARCHED_FROM ? null : (
          <div className="border-b p-2">
            <input
              type="search"
              aria-label={`Search ${label.toLowerCase()}`}
              placeholder="Search"
              value={q}
              onChange={(event) => setQ(event.target.value)}
              className={classes(inputClasses, "w-full")}
            />
          </div>
        )}
        <fieldset className="max-h-80 min-w-0 overflow-y-auto p-1">
          <legend className="sr-only">{label}</legend>
          {shown.map(({ value, label: name, count }) => {
            const isChosen = chosen.includes(value);
            return (
              <button
                key={value}
                type="button"
                aria-pressed={isChosen}
                onClick={() => onToggle(value)}
                className="flex min-h-7.5 w-full items-center gap-2 rounded px-2 text-left text-sm hover:bg-hover"
              >
                <span
                  aria-hidden
                  className={classes(
                    "grid size-4 shrink-0 place-items-center rounded border",
                    isChosen ? "border-transparent bg-accent-solid text-on-accent" : "border-line-strong",
                  )}
                >
                  {isChosen ? <Check className="size-3" strokeWidth={3} /> : null}
                </span>
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="text-xs text-faint">{formatCount(count)}</span>
              </button>
            );
          })}
          {shown.length === 0 ? <p className="px-2 py-1.5 text-sm text-muted">Nothing matches</p> : null}
        </fieldset>
      </PopoverPanel>
    </Popover.Root>
  );
}
