import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Input } from "../../components/input.tsx";
import { Select } from "../../components/select.tsx";
import type { GroupAct } from "./use-group-action.ts";

const FIRINGS_MAX = 1_000_000_000;
const DAY_MS = 86_400_000;

export interface IgnoreDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onIgnore: (act: GroupAct) => void;
}

/** Any time to come, or any number of firings. */
export function IgnoreDialog({ open, onOpenChange, onIgnore }: IgnoreDialogProps) {
  const [kind, setKind] = useState<"time" | "firings">("time");
  const [time, setTime] = useState(() => localTime(Date.now() + DAY_MS));
  const [firings, setFirings] = useState("500");
  const until = new Date(time);
  const count = Number(firings);
  const error =
    kind === "time"
      ? until.getTime() > Date.now()
        ? null
        : "A time to come"
      : Number.isInteger(count) && count >= 1 && count <= FIRINGS_MAX
        ? null
        : "A whole number from 1 on";
  const ignore = () => {
    if (error !== null) return;
    onOpenChange(false);
    onIgnore(
      kind === "time"
        ? { action: "ignore", until: until.toISOString() }
        : { action: "ignore", firings: count },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Ignore"
      description="It counts on and sends nothing until then. Firing after that opens it again."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" disabled={error !== null} onClick={ignore}>
            Ignore
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ignore();
        }}
      >
        <Field label="Until">
          {(control) => (
            <Select
              {...control}
              value={kind}
              onChange={setKind}
              options={[
                { value: "time", label: "a time" },
                { value: "firings", label: "it has fired so often" },
              ]}
            />
          )}
        </Field>
        {kind === "time" ? (
          <Field label="Time" error={error}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={time}
                onChange={(event) => setTime(event.target.value)}
              />
            )}
          </Field>
        ) : (
          <Field label="More firings" error={error}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={firings}
                onChange={(event) => setFirings(event.target.value)}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  );
}

/** The value of a datetime-local field: the reader's time zone, to the minute. */
function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
