import { RotateCw, TriangleAlert } from "lucide-react";
import { ApiError, errorText } from "../client.ts";
import { Button } from "./button.tsx";

export interface ErrorStateProps {
  /** Whatever was thrown. */
  error: unknown;
  /** What could not be done: "The groups could not be loaded". */
  title?: string;
  /** Usually a query's `refetch`. */
  onRetry?: () => unknown;
}

export function ErrorState({ error, title = "This could not be loaded", onRetry }: ErrorStateProps) {
  const code = error instanceof ApiError && error.status > 0 ? `${error.status} ${error.code}` : null;
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-10 text-center">
      <div className="mb-3 grid size-10 place-items-center rounded-lg bg-bad/12 text-bad" aria-hidden>
        <TriangleAlert className="size-5" />
      </div>
      <p className="text-sm font-medium">{title}</p>
      <p className="mt-1 max-w-md text-sm break-words text-muted">{errorText(error)}</p>
      {code === null ? null : <p className="mt-1 font-mono text-xs text-faint">{code}</p>}
      {onRetry === undefined ? null : (
        <Button className="mt-4" icon={<RotateCw aria-hidden />} onClick={() => onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
}
