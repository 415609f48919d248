import { type FormEvent, useState } from "react";
import { errorText } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Input } from "../../../components/input.tsx";

export interface WebhookUrlFormProps {
  url: string;
  /** "Add webhook", "Save". */
  action: string;
  onSave: (url: string) => Promise<unknown>;
  onCancel: () => void;
}

/** The address of a webhook. Which addresses may be reached is known when one is: a test shows it. */
export function WebhookUrlForm({ url, action, onSave, onCancel }: WebhookUrlFormProps) {
  const [draft, setDraft] = useState(url);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await onSave(draft.trim());
    } catch (cause) {
      setError(errorText(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field
        label="Address"
        hint="https or http. Addresses of hooks.slack.com and Discord's webhooks get messages in their own format; private networks are refused unless the service's WEBHOOK_ALLOWED_NETWORKS names them."
        error={error}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            type="url"
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            placeholder="https://example.com/hooks/telemetry"
            value={draft}
            onChange={(event) => {
              setDraft(event.target.value);
              setError(null);
            }}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={draft.trim() === "" || draft.trim() === url}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
