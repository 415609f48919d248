import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call, errorText } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field } from "../../../components/field.tsx";
import { Input } from "../../../components/input.tsx";
import { keysQuery, projectApi } from "../settings-queries.ts";
import { ShownOnce } from "../shown-once.tsx";

export interface KeyCreateDialogProps {
  projectId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeyCreateDialog({ projectId, open, onOpenChange }: KeyCreateDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  const change = (next: boolean) => {
    if (!next) setKey(null);
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      size={key === null ? "small" : "medium"}
      persistent={key !== null}
      title={key === null ? "Create an API key" : "Your new API key"}
      description={
        key === null
          ? "It is shown once, right after it was made."
          : "The service takes it within two seconds."
      }
    >
      {!open ? null : key === null ? (
        <KeyForm projectId={projectId} onCreated={setKey} onCancel={() => change(false)} />
      ) : (
        <NewKey projectId={projectId} value={key} onDone={() => change(false)} />
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  projectId: string;
  onCreated: (key: string) => void;
  onCancel: () => void;
}

function KeyForm({ projectId, onCreated, onCancel }: KeyFormProps) {
  const [name, setName] = useState("");
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => call(projectApi(projectId).keys.post(name.trim() === "" ? {} : { name: name.trim() })),
    onSuccess: ({ key }) => {
      void queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey });
      onCreated(key);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        hint="Where it will be used, to tell keys apart: production, staging, a laptop."
        error={create.isError ? errorText(create.error) : null}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            placeholder="production"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending}>
          Create key
        </Button>
      </div>
    </form>
  );
}

/** One line that shows whether the key is taken: 201, and an execution in the list. */
function curlLine(key: string): string {
  return `curl -i ${location.origin}/executions -H "Authorization: Bearer ${key}" \\
  -H "X-Service-Schema-Version: 1" -H "Content-Type: application/json" \\
  -d '{"execution_id":"hello-'$(date +%s)'","status":"started"}'`;
}

function NewKey({ projectId, value, onDone }: { projectId: string; value: string; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <ShownOnce label="API key" value={value} />
      <CodeBlock label="Try it" code={curlLine(value)} wrap />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/app/p/$projectId/start"
          params={{ projectId }}
          className="text-sm text-accent hover:underline"
        >
          Snippets in TypeScript and Python
        </Link>
        <Button variant="primary" onClick={onDone}>
          I have stored it
        </Button>
      </div>
    </div>
  );
}
