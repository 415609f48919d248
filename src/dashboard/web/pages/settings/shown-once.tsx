import { TriangleAlert } from "lucide-react";
import { CopyButton } from "../../components/copy-button.tsx";

export interface ShownOnceProps {
  /** What it is: "API key". */
  label: string;
  value: string;
}

/** A key or a secret right after it was made: never to be seen again. */
export function ShownOnce({ label, value }: ShownOnceProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{value}</code>
        <CopyButton text={value} label={`Copy ${label}`} labelled />
      </div>
      <p className="flex items-start gap-1.5 text-xs text-warn">
        <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
        Store it now: it is not shown again.
      </p>
    </div>
  );
}
