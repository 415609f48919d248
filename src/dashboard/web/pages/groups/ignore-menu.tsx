import { BellOff, ChevronDown } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonSize } from "../../components/button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../components/menu.tsx";
import { IgnoreDialog } from "./ignore-dialog.tsx";
import type { GroupAct } from "./use-group-action.ts";

const HOUR_MS = 3_600_000;
const times = [
  { label: "For an hour", ms: HOUR_MS },
  { label: "For a day", ms: 24 * HOUR_MS },
  { label: "For a week", ms: 7 * 24 * HOUR_MS },
];
const firings = [10, 100, 1000];

export interface IgnoreMenuProps {
  onIgnore: (act: GroupAct) => void;
  busy?: boolean;
  size?: ButtonSize;
}

/** A group that is ignored counts on and sends nothing, until its time or number of firings is over. */
export function IgnoreMenu({ onIgnore, busy, size }: IgnoreMenuProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <Button size={size} busy={busy} icon={<BellOff aria-hidden />}>
            Ignore
            <ChevronDown className="size-3.5! text-faint" aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Until a time</MenuLabel>
        {times.map(({ label, ms }) => (
          <MenuItem
            key={label}
            onSelect={() => onIgnore({ action: "ignore", until: new Date(Date.now() + ms).toISOString() })}
          >
            {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuLabel>Until it has fired</MenuLabel>
        {firings.map((count) => (
          <MenuItem key={count} onSelect={() => onIgnore({ action: "ignore", firings: count })}>
            {count.toLocaleString("en")} more times
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setAsking(true)}>Another time or number…</MenuItem>
        <MenuItem onSelect={() => onIgnore({ action: "ignore" })}>Until somebody reopens it</MenuItem>
      </Menu>
      <IgnoreDialog open={asking} onOpenChange={setAsking} onIgnore={onIgnore} />
    </>
  );
}
