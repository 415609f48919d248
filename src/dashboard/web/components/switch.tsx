import { Switch as Primitive } from "radix-ui";
import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export interface SwitchProps {
  checked: boolean;
  /** Takes effect at once; what takes effect on "Save" is a Checkbox. */
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hideLabel?: boolean;
  disabled?: boolean;
}

export function Switch({ checked, onChange, label, hideLabel = false, disabled }: SwitchProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <Primitive.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="relative h-4.5 w-8 shrink-0 rounded-full bg-faint transition-colors disabled:opacity-55 data-[state=checked]:bg-accent-solid"
      >
        <Primitive.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-white shadow-card transition-transform data-[state=checked]:translate-x-4" />
      </Primitive.Root>
      <label htmlFor={id} className={classes("text-sm select-none", hideLabel && "sr-only")}>
        {label}
      </label>
    </span>
  );
}
