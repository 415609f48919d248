import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { BesideLabel, type BesideLabelProps } from "./beside-label.tsx";

export interface CheckboxProps extends Omit<BesideLabelProps, "children"> {
  checked: boolean | "indeterminate";
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Checkbox({ checked, onChange, disabled, ...label }: CheckboxProps) {
  return (
    <BesideLabel {...label}>
      {(id) => (
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
      )}
    </BesideLabel>
  );
}
