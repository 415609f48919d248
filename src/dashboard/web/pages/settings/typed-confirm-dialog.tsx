import { useMutation } from "@tanstack/react-query";
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
  const act = useMutation({ mutationFn: onConfirm, onSuccess: onDone });
  const matches = typed.trim() === word.trim();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (matches && !act.isPending) act.mutate();
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={`Type ${word} to confirm`} error={act.error === null ? null : errorText(act.error)}>
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
        <Button onClick={onDone} disabled={act.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" disabled={!matches} busy={act.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
