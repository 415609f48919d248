import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Beside the title: badges. */
  marks?: ReactNode;
  children: ReactNode;
  /** Its buttons, the one that acts last. */
  footer?: ReactNode;
}

/** The detail of a list's row, over the right of the page; on a phone over all of it. */
export function Drawer({ open, onOpenChange, title, marks, children, footer }: DrawerProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-40 flex w-full max-w-2xl animate-appear flex-col border-l border-line bg-surface shadow-float focus:outline-none"
        >
          <header className="flex items-start justify-between gap-4 border-b px-5 py-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
              <Primitive.Title className="text-base font-semibold break-words">{title}</Primitive.Title>
              {marks}
            </div>
            <Primitive.Close asChild>
              <IconButton plain label="Close" icon={<X aria-hidden />} size="small" className="-mr-1.5" />
            </Primitive.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer === undefined ? null : (
            <footer className="flex flex-wrap justify-end gap-2 border-t bg-sunken px-5 py-3">
              {footer}
            </footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
