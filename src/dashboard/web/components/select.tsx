import { Check, ChevronDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { cspNonce } from "./csp-nonce.ts";
import { inputClasses } from "./input.tsx";
import { keepMovedFocus } from "./use-focus-return.ts";

export interface SelectOption<Value extends string> {
  value: Value;
  label: ReactNode;
}

export interface SelectProps<Value extends string> {
  /** Name for those who do not see what stands around it; with `id` a Field's label does that. */
  label?: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  id?: string;
  disabled?: boolean;
  /** Before the chosen option, e.g. "Status:". */
  prefix?: string;
  /** Its width; default: all there is. */
  className?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

// Radix keeps "" for "nothing chosen"; here it is an option like the others ("All").
const emptyStandIn = "\u0000";
const encode = (value: string) => (value === "" ? emptyStandIn : value);

/** One of a few; for many, search is better. */
export function Select<Value extends string>({
  label,
  value,
  onChange,
  options,
  disabled,
  prefix,
  className,
  ...control
}: SelectProps<Value>) {
  return (
    <Primitive.Root
      value={encode(value)}
      onValueChange={(next) => onChange((next === emptyStandIn ? "" : next) as Value)}
      disabled={disabled}
    >
      <Primitive.Trigger
        {...control}
        aria-label={label}
        className={classes(
          inputClasses,
          "flex items-center justify-between gap-2 text-left whitespace-nowrap hover:not-disabled:bg-hover max-sm:text-sm!",
          className ?? "w-full",
        )}
      >
        <span className="flex min-w-0 items-center gap-1.5 truncate">
          {prefix ? <span className="text-faint">{prefix}</span> : null}
          <Primitive.Value />
        </span>
        <Primitive.Icon>
          <ChevronDown className="size-3.5 text-faint" aria-hidden />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={keepMovedFocus}
          onKeyDown={(event) => {
            // The choice may open a dialog: the same key must not press the button that gets the focus there.
            if (event.key === "Enter") event.preventDefault();
          }}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-lg border border-line bg-surface p-1 shadow-float"
        >
          <Primitive.Viewport nonce={cspNonce}>
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={encode(option.value)}
                className="flex h-7.5 cursor-pointer items-center justify-between gap-4 rounded px-2 text-sm text-ink outline-none select-none data-highlighted:bg-hover"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator>
                  <Check className="size-3.5 text-accent" aria-hidden />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
