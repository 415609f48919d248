import { useMutation } from "@tanstack/react-query";
import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import { errorText } from "../client.ts";
import { Button } from "./button.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A question that names the thing: "Revoke the key checkout?" */
  title: string;
  /** What will happen, and whether it can be taken back. */
  description: ReactNode;
  /** The act in one verb: "Revoke". */
  action: string;
  danger?: boolean;
  /** The dialog stays until it has ended, and shows why it failed. */
  onConfirm: () => unknown;
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  action,
  danger = false,
  onConfirm,
}: ConfirmDialogProps) {
  const act = useMutation({
    mutationFn: async () => await onConfirm(),
    onSuccess: () => onOpenChange(false),
  });

  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) act.reset();
        onOpenChange(next);
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 grid animate-appear place-items-center overflow-y-auto bg-black/50 p-3">
          <AlertDialog.Content className="w-full max-w-md rounded-xl border border-line bg-surface shadow-float focus:outline-none">
            <div className="px-5 pt-4 pb-5">
              <AlertDialog.Title className="text-base font-semibold wrap-anywhere">{title}</AlertDialog.Title>
              <AlertDialog.Description asChild>
                <div className="mt-1.5 text-sm wrap-anywhere text-muted">{description}</div>
              </AlertDialog.Description>
              {act.error === null ? null : (
                <p role="alert" className="mt-3 text-sm text-bad">
                  {errorText(act.error)}
                </p>
              )}
            </div>
            <footer className="flex justify-end gap-2 rounded-b-xl border-t bg-sunken px-5 py-3">
              <AlertDialog.Cancel asChild>
                <Button disabled={act.isPending}>Cancel</Button>
              </AlertDialog.Cancel>
              <Button
                variant={danger ? "danger" : "primary"}
                busy={act.isPending}
                onClick={() => act.mutate()}
              >
                {action}
              </Button>
            </footer>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
