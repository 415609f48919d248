import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export interface CheckboxProps {
  checked: boolean | "indeterminate";
  onChange: (checked: boolean) => void;
  label: ReactNode;
  /** The label is read out but not shown, e.g. in a table's row. */
  hideLabel?: boolean;
  disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, hideLabel = false, disabled }: CheckboxProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <Primitive.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={disabled}
        className="grid size-4 shrink-0 place-items-center rounded border border-line-strong bg-surface shadow-card disabled:opacity-55 data-[state=checked]:border-transparent data-[state=checked]:bg-accent-solid data-[state=indeterminate]:border-transparent data-[state=indeterminate]:bg-accent-solid"
      >
        <Primitive.Indicator className="text-on-accent">
          {checked === "indeterminate" ? (
            <Minus className="size-3" strokeWidth={3} aria-hidden />
          ) : (
            <Check className="size-3" strokeWidth={3} aria-hidden />
          )}
        </Primitive.Indicator>
      </Primitive.Root>
      <label htmlFor={id} className={classes("text-sm select-none", hideLabel && "sr-only")}>
        {label}
      </label>
    </span>
  );
}
