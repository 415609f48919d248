import { type FormEvent, type ReactNode, useState } from "react";
import { errorText } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Input } from "../../components/input.tsx";

export interface TypedConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen; it cannot be taken back. */
  description: ReactNode;
  /** What has to be typed: the name of the thing, or the end of it. */
  word: string;
  /** The act in one verb: "Revoke". */
  action: string;
  onConfirm: () => Promise<unknown>;
}

/** For what breaks somebody's running system at once: one click is too few. */
export function TypedConfirmDialog({ open, onOpenChange, ...props }: TypedConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={props.title} description={props.description}>
      {open ? <TypedConfirmation {...props} onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

type ConfirmationProps = Pick<TypedConfirmDialogProps, "word" | "action" | "onConfirm"> & {
  onDone: () => void;
};

function TypedConfirmation({ word, action, onConfirm, onDone }: ConfirmationProps) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const matches = typed.trim() === word.trim();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!matches || busy) return;
    setBusy(true);
    try {
      await onConfirm();
      onDone();
    } catch (cause) {
      setError(errorText(cause));
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={`Type ${word} to confirm`} error={error}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" disabled={!matches} busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
