import { Inbox } from "lucide-react";
import type { ReactNode } from "react";

export interface EmptyStateProps {
  title: string;
  /** Why it is empty, or what would fill it. */
  children?: ReactNode;
  /** The next step, as a button or link. */
  action?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <div
        className="mb-3 grid size-10 place-items-center rounded-lg border bg-sunken text-faint [&_svg]:size-5"
        aria-hidden
      >
        {icon ?? <Inbox />}
      </div>
      <p className="text-sm font-medium">{title}</p>
      {children === undefined ? null : <div className="mt-1 max-w-md text-sm text-muted">{children}</div>}
      {action === undefined ? null : <div className="mt-4">{action}</div>}
    </div>
  );
}
