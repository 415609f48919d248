import { Switch as Primitive } from "radix-ui";
import { BesideLabel, type BesideLabelProps } from "./beside-label.tsx";

export interface SwitchProps extends Omit<BesideLabelProps, "children"> {
  checked: boolean;
  /** Takes effect at once; what takes effect on "Save" is a Checkbox. */
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Switch({ checked, onChange, disabled, ...label }: SwitchProps) {
  return (
    <BesideLabel {...label}>
      {(id) => (
        <Primitive.Root
          id={id}
          checked={checked}
          onCheckedChange={onChange}
          disabled={disabled}
          className="relative h-4.5 w-8 shrink-0 rounded-full bg-faint transition-colors disabled:opacity-55 data-[state=checked]:bg-accent-solid"
        >
          <Primitive.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-white shadow-card transition-transform data-[state=checked]:translate-x-4" />
        </Primitive.Root>
      )}
    </BesideLabel>
  );
}
