import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { useFocusReturn } from "./use-focus-return.ts";

const itemClasses =
  "flex min-h-7.5 cursor-pointer items-center gap-2 rounded px-2 py-1 text-sm outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-55 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:text-faint";

export interface MenuProps {
  /** The button that opens it; it takes refs (Button and IconButton with `plain` do). */
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
}

/** A menu of acts. Its parts: MenuItem, MenuLabel, MenuSeparator, MenuChoice. */
export function Menu({ trigger, children, align = "end", side = "bottom" }: MenuProps) {
  const focusReturn = useFocusReturn();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          {...focusReturn}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  onSelect?: () => void;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
  /** The child is a link and becomes the item. */
  asChild?: boolean;
}

export function MenuItem({ onSelect, icon, danger = false, disabled, children, asChild }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      asChild={asChild}
      className={classes(itemClasses, danger ? "text-bad [&_svg]:text-bad" : "text-ink")}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-2xs font-medium text-faint">
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export interface MenuChoiceProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
}

/** One of several, inside a menu. */
export function MenuChoice<Value extends string>({ value, onChange, options }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          className={classes(itemClasses, "justify-between text-ink")}
        >
          {option.label}
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
