import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useBlocker } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError, call, errorText } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { classes } from "../../../components/classes.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Field } from "../../../components/field.tsx";
import { Input } from "../../../components/input.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Select } from "../../../components/select.tsx";
import { useToast } from "../../../components/toast.tsx";
import { useKeptDraft, useUnsavedDraft } from "../../../kept-drafts.ts";
import { isLeavingForSignIn, useHasRole } from "../../../session.ts";
import { KeptNotice } from "../kept-notice.tsx";
import { type ProjectSettings, projectApi, projectQuery } from "../settings-queries.ts";
import {
  DURATION_UNITS,
  type DurationUnit,
  draftOf,
  type ProjectDraft,
  type ProjectField,
  readDraft,
} from "./project-draft.ts";

const SCOPES = [
  {
    value: "class",
    label: "Once for each failure class",
    hint: "The first firing of a class notifies; other groups of that class stay silent until the cooldown is over.",
  },
  {
    value: "group",
    label: "Once for each failure group",
    hint: "Every new signature notifies. Louder, and closer to how an issue tracker does it.",
  },
] as const;

const RETENTIONS = [
  { value: false, label: "Keep for ever" },
  { value: true, label: "Delete after a number of days" },
] as const;

export function ProjectForm({ project }: { project: ProjectSettings }) {
  const canChange = useHasRole("member");
  const toast = useToast();
  const queryClient = useQueryClient();
  // Only what was touched: the rest follows the project when it is loaded anew.
  const draftKey = `project ${project.project_id}`;
  const kept = useKeptDraft<Partial<ProjectDraft>>(draftKey);
  const [touched, setTouched] = useState<Partial<ProjectDraft>>(kept ?? {});
  const [refused, setRefused] = useState<{ field: string; detail: string } | null>(null);
  const draft: ProjectDraft = { ...draftOf(project), ...touched };
  const { change, problems } = readDraft(draft, project);
  const changes = Object.keys(change).length;
  useUnsavedDraft(draftKey, changes === 0 ? null : touched);
  const faults = Object.keys(problems).length;

  const set = (part: Partial<ProjectDraft>) => {
    setTouched((current) => ({ ...current, ...part }));
    setRefused(null);
  };
  const reset = () => {
    setTouched({});
    setRefused(null);
  };
  const save = useMutation({
    mutationFn: () =>
      call(
        projectApi(project.project_id).patch(change as Parameters<ReturnType<typeof projectApi>["patch"]>[0]),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(projectQuery(project.project_id).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ["projects"] });
      reset();
      toast.done("Settings saved");
    },
    onError: (cause) => {
      if (cause instanceof ApiError && cause.field !== null)
        setRefused({ field: cause.field, detail: cause.detail });
      else toast.failed("The settings were not saved", cause);
    },
  });
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => changes > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => changes > 0 && !isLeavingForSignIn(),
    withResolver: true,
  });

  const problemOf = (field: ProjectField) =>
    problems[field] ?? (refused?.field === field ? refused.detail : null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changes > 0 && faults === 0) save.mutate();
  };

  return (
    <form onSubmit={submit} className="flex max-w-3xl flex-col gap-4" noValidate>
      {kept !== null && changes > 0 ? <KeptNotice /> : null}
      <Card title="Project">
        <div className="flex flex-col gap-4">
          <Field label="Name" error={problemOf("name")}>
            {(control) => (
              <Input
                {...control}
                className="max-w-md"
                value={draft.name}
                disabled={!canChange}
                autoComplete="off"
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
          <KeyValue
            items={[
              {
                name: "Project id",
                value: (
                  <span className="inline-flex max-w-full items-center gap-1">
                    <code className="truncate font-mono text-xs">{project.project_id}</code>
                    <CopyButton text={project.project_id} label="Copy project id" />
                  </span>
                ),
              },
              { name: "Created", value: <RelativeTime time={project.created_at} /> },
              { name: "Last event", value: <RelativeTime time={project.last_event_at} none="none yet" /> },
            ]}
          />
        </div>
      </Card>

      <Card title="Ingest limit" note="a token a request, over all keys of the project">
        <div className="grid gap-4 sm:grid-cols-2">
          <WholeNumber
            label="Requests a second"
            hint="In the long run. A request may hold many events."
            value={draft.rate_per_second}
            error={problemOf("rate_per_second")}
            disabled={!canChange}
            onChange={(rate_per_second) => set({ rate_per_second })}
          />
          <WholeNumber
            label="Burst"
            hint="What may come at once after a quiet time."
            value={draft.rate_burst}
            error={problemOf("rate_burst")}
            disabled={!canChange}
            onChange={(rate_burst) => set({ rate_burst })}
          />
        </div>
        <p className="mt-3 text-xs text-muted">
          Beyond it the service answers 429 with Retry-After, and nothing of that request is stored.
        </p>
      </Card>

      <Card title="Notifications">
        <div className="flex flex-col gap-4">
          <Choices
            legend="Webhooks are told"
            disabled={!canChange}
            options={SCOPES}
            value={draft.alert_scope}
            onChange={(alert_scope) => set({ alert_scope })}
          />
          <Field
            label="Cooldown"
            hint="How long it stays silent after a notification; with 0 it never does. A group that fires again after it was resolved always notifies."
            error={problemOf("cooldown_seconds")}
          >
            {(control) => (
              <div className="flex gap-2">
                <Input
                  {...control}
                  inputMode="numeric"
                  className="max-w-32"
                  value={draft.cooldown.text}
                  disabled={!canChange}
                  onChange={(event) => set({ cooldown: { ...draft.cooldown, text: event.target.value } })}
                />
                <Select
                  label="Unit of the cooldown"
                  className="w-32"
                  value={draft.cooldown.unit}
                  disabled={!canChange}
                  options={(Object.keys(DURATION_UNITS) as DurationUnit[]).map((unit) => ({
                    value: unit,
                    label: unit,
                  }))}
                  onChange={(unit) => set({ cooldown: { ...draft.cooldown, unit } })}
                />
              </div>
            )}
          </Field>
          <p className="text-xs text-muted">
            Who is told:{" "}
            <SettingsLink projectId={project.project_id} page="webhooks">
              webhooks
            </SettingsLink>
            . What fires:{" "}
            <SettingsLink projectId={project.project_id} page="detectors">
              detectors
            </SettingsLink>
            .
          </p>
        </div>
      </Card>

      <Card title="Retention" note="of events, ended executions and detections">
        <div className="flex flex-col gap-4">
          <Choices
            legend="Telemetry of this project"
            disabled={!canChange}
            options={RETENTIONS}
            value={draft.retention.limited}
            onChange={(limited) => set({ retention: { ...draft.retention, limited } })}
          />
          {draft.retention.limited ? (
            <WholeNumber
              label="Days"
              hint="Older telemetry is deleted for good, within an hour of saving."
              value={draft.retention.days}
              error={problemOf("retention_days")}
              disabled={!canChange}
              onChange={(days) => set({ retention: { limited: true, days } })}
            />
          ) : null}
        </div>
      </Card>

      {canChange ? (
        <div
          className={classes(
            "flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-lg border bg-surface px-4 py-2.5",
            changes > 0 ? "sticky bottom-3 z-10 border-line-strong shadow-float" : "shadow-card",
          )}
        >
          <p role="status" className="text-sm text-muted">
            {save.isError && refused === null
              ? errorText(save.error)
              : changes === 0
                ? "Everything is saved."
                : faults > 0
                  ? `${faults} ${faults === 1 ? "value is" : "values are"} not valid.`
                  : `${changes} unsaved ${changes === 1 ? "change" : "changes"}.`}
          </p>
          <div className="flex gap-2">
            <Button variant="ghost" disabled={changes === 0 || save.isPending} onClick={reset}>
              Discard
            </Button>
            <Button
              type="submit"
              variant="primary"
              busy={save.isPending}
              disabled={changes === 0 || faults > 0}
            >
              Save changes
            </Button>
          </div>
        </div>
      ) : (
        <p className="text-sm text-muted">Changing these asks for the role member.</p>
      )}

      <ConfirmDialog
        open={leaving.status === "blocked"}
        onOpenChange={(open) => {
          if (!open) leaving.reset?.();
        }}
        title="Leave without saving?"
        description="The changes on this page are not saved yet."
        action="Leave"
        danger
        onConfirm={() => leaving.proceed?.()}
      />
    </form>
  );
}

interface WholeNumberProps {
  label: string;
  hint: string;
  value: string;
  error: string | null;
  disabled: boolean;
  onChange: (value: string) => void;
}

function WholeNumber({ label, hint, value, error, disabled, onChange }: WholeNumberProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          className="max-w-40"
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface ChoicesProps<Value> {
  legend: string;
  options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  value: unknown;
  disabled: boolean;
  onChange: (value: Value) => void;
}

/** One of a few, each with a word of explanation. */
function Choices<Value extends string | boolean>({
  legend,
  options,
  value,
  disabled,
  onChange,
}: ChoicesProps<Value>) {
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1 text-xs font-medium">{legend}</legend>
      <div className="flex flex-col gap-2">
        {options.map((option) => (
          <label
            key={String(option.value)}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border px-3 py-2 has-checked:border-accent has-checked:bg-accent/6 has-disabled:cursor-not-allowed"
          >
            <input
              type="radio"
              name={legend}
              className="mt-0.5 size-4 shrink-0 accent-(--accent-solid)"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{option.label}</span>
              {option.hint === undefined ? null : (
                <span className="block text-xs text-muted">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SettingsLinkProps {
  projectId: string;
  page: "webhooks" | "detectors";
  children: ReactNode;
}

function SettingsLink({ projectId, page, children }: SettingsLinkProps) {
  return (
    <Link to={`/app/p/$projectId/settings/${page}`} params={{ projectId }} className="text-accent underline">
      {children}
    </Link>
  );
}
