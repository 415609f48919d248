import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Its buttons, the one that acts last. */
  footer?: ReactNode;
  size?: "small" | "medium" | "large";
  /** Stays open on a click beside it: for what is shown once. */
  persistent?: boolean;
}

const widths = { small: "max-w-md", medium: "max-w-xl", large: "max-w-4xl" };

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = "small",
  persistent = false,
}: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 grid animate-appear grid-cols-1 place-items-center overflow-y-auto bg-black/50 p-3">
          <Primitive.Content
            {...(description === undefined ? { "aria-describedby": undefined } : {})}
            onPointerDownOutside={(event) => {
              if (persistent) event.preventDefault();
            }}
            className={classes(
              "w-full rounded-xl border border-line bg-surface shadow-float focus:outline-none",
              widths[size],
            )}
          >
            <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
              <div className="min-w-0">
                <Primitive.Title className="text-base font-semibold wrap-anywhere">{title}</Primitive.Title>
                {description === undefined ? null : (
                  <Primitive.Description className="mt-1 text-sm wrap-anywhere text-muted">
                    {description}
                  </Primitive.Description>
                )}
              </div>
              <Primitive.Close asChild>
                <IconButton plain label="Close" icon={<X aria-hidden />} size="small" className="-mr-1.5" />
              </Primitive.Close>
            </header>
            {children === undefined ? null : <div className="px-5 pb-5">{children}</div>}
            {footer === undefined ? null : (
              <footer className="flex flex-wrap justify-end gap-2 rounded-b-xl border-t bg-sunken px-5 py-3">
                {footer}
              </footer>
            )}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
