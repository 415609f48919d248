import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

export interface TooltipProps {
  text: ReactNode;
  /** One element that can hold the focus; never put into a tooltip what is said nowhere else. */
  children: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
}

export function Tooltip({ text, children, side = "top" }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={5}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-md bg-ink px-2 py-1 text-xs break-words text-page shadow-float"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
