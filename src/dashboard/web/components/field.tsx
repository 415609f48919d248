import { type ReactNode, useId } from "react";

export interface FieldProps {
  label: string;
  /** Below the control, in plain words. */
  hint?: ReactNode;
  /** Why the value is not taken; replaces the hint. */
  error?: string | null;
  /** Gets the ids that tie label, hint and control together: spread them on the control. */
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": boolean | undefined;
  }) => ReactNode;
}

/** Label, control, and what is to be said about it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": note ? `${id}-note` : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {note ? (
        <p id={`${id}-note`} className={error ? "text-xs text-bad" : "text-xs text-muted"}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
