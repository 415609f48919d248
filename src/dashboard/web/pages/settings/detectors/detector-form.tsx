import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpen, RotateCcw } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError, call } from "../../../client.ts";
import { Button, buttonClasses } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Input } from "../../../components/input.tsx";
import { useToast } from "../../../components/toast.tsx";
import { useKeptDraft, useUnsavedDraft } from "../../../kept-drafts.ts";
import { useProjectId } from "../../../projects.ts";
import { useHasRole } from "../../../session.ts";
import { KeptNotice } from "../kept-notice.tsx";
import { type DetectorSetting, projectApi } from "../settings-queries.ts";
import { AllowListEditor } from "./allow-list-editor.tsx";
import { type DetectorDraft, detectorDraftOf, readDetectorDraft, shownNumber } from "./detector-draft.ts";
import { useDetectorSaved } from "./use-detector-saved.ts";

/** Thresholds and allow-list of one class. */
export function DetectorForm({ detector }: { detector: DetectorSetting }) {
  const projectId = useProjectId();
  const canChange = useHasRole("member");
  const toast = useToast();
  const saved = useDetectorSaved();
  const draftKey = `detector ${projectId} ${detector.class}`;
  const kept = useKeptDraft<Partial<DetectorDraft>>(draftKey);
  const [touched, setTouched] = useState<Partial<DetectorDraft>>(kept ?? {});
  const [refused, setRefused] = useState<{ field: string; detail: string } | null>(null);
  const stored = detectorDraftOf(detector);
  const draft: DetectorDraft = {
    thresholds: { ...stored.thresholds, ...touched.thresholds },
    allow: touched.allow ?? stored.allow,
  };
  const { change, problems } = readDetectorDraft(draft, detector);
  useUnsavedDraft(draftKey, change === null ? null : touched);
  const faulty = Object.keys(problems).length > 0;
  const api = projectApi(projectId).detectors({ failure_class: detector.class });

  const touch = (part: Partial<DetectorDraft>) => {
    setTouched((current) => ({
      ...current,
      ...part,
      ...(part.thresholds === undefined ? {} : { thresholds: { ...current.thresholds, ...part.thresholds } }),
    }));
    setRefused(null);
  };
  const settled = (answer: DetectorSetting, message: string) => {
    saved(answer);
    setTouched({});
    setRefused(null);
    toast.done(message);
  };
  const save = useMutation({
    mutationFn: () => call(api.patch(change ?? {})),
    onSuccess: (answer) => settled(answer, `${detector.class} saved`),
    onError: (cause) => {
      if (cause instanceof ApiError && cause.field !== null)
        setRefused({ field: cause.field, detail: cause.detail });
      else toast.failed(`${detector.class} was not saved`, cause);
    },
  });
  const reset = useMutation({
    mutationFn: () => call(api.reset.post()),
    onSuccess: (answer) => settled(answer, `${detector.class} runs with its defaults`),
    onError: (cause) => toast.failed(`${detector.class} was not reset`, cause),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== null && !faulty && canChange) save.mutate();
  };
  const refusalAt = (field: string) =>
    refused !== null && (refused.field === field || refused.field.startsWith(`${field}[`))
      ? refused.detail
      : null;

  return (
    <form
      onSubmit={submit}
      noValidate
      className="flex flex-col gap-4 border-t bg-sunken/60 px-4 py-4 sm:pl-8"
    >
      {kept !== null && change !== null ? <KeptNotice /> : null}
      {detector.problems.map((problem) => (
        <p key={`${problem.field} ${problem.detail}`} className="text-sm text-warn">
          <code className="font-mono text-xs">{problem.field}</code> was stored with what is not valid and is
          left out: {problem.detail}.
        </p>
      ))}
      {detector.thresholds.length === 0 ? (
        <p className="text-sm text-muted">This class has no thresholds.</p>
      ) : (
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
          {detector.thresholds.map((threshold) => (
            <Field
              key={threshold.name}
              label={threshold.name}
              error={problems[threshold.name] ?? refusalAt(`thresholds.${threshold.name}`)}
              hint={
                <>
                  {threshold.description.replace(/\.$/, "")}
                  <span className="block text-faint">
                    Default {shownNumber(threshold.default)}, from {shownNumber(threshold.min)} to{" "}
                    {shownNumber(threshold.max)}
                    {threshold.chosen && threshold.value === threshold.default
                      ? "; set to it here, and stays so if the default changes"
                      : null}
                  </span>
                </>
              }
            >
              {(control) => (
                <div className="flex items-center gap-1">
                  <Input
                    {...control}
                    inputMode="decimal"
                    className="max-w-44"
                    disabled={!canChange}
                    value={draft.thresholds[threshold.name] ?? ""}
                    onChange={(event) => touch({ thresholds: { [threshold.name]: event.target.value } })}
                  />
                  {canChange && draft.thresholds[threshold.name] !== String(threshold.default) ? (
                    <IconButton
                      label={`Back to ${shownNumber(threshold.default)}`}
                      icon={<RotateCcw aria-hidden />}
                      onClick={() => touch({ thresholds: { [threshold.name]: String(threshold.default) } })}
                    />
                  ) : null}
                </div>
              )}
            </Field>
          ))}
        </div>
      )}
      {detector.allow_entries === null ? null : (
        <AllowListEditor
          names={detector.allow_entries}
          entries={draft.allow}
          error={refusalAt("allow")}
          disabled={!canChange}
          onChange={(allow) => touch({ allow })}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/app/playbooks/$failureClass"
          params={{ failureClass: detector.class }}
          search={{ project: projectId }}
          className={buttonClasses("ghost", "small")}
        >
          <BookOpen aria-hidden />
          Playbook
        </Link>
        {canChange ? (
          <div className="flex flex-wrap gap-2">
            {detector.customised ? (
              <Button size="small" variant="ghost" busy={reset.isPending} onClick={() => reset.mutate()}>
                Reset to defaults
              </Button>
            ) : null}
            <Button
              size="small"
              disabled={change === null || save.isPending}
              onClick={() => {
                setTouched({});
                setRefused(null);
              }}
            >
              Discard
            </Button>
            <Button
              size="small"
              type="submit"
              variant="primary"
              busy={save.isPending}
              disabled={change === null || faulty}
            >
              Save
            </Button>
          </div>
        ) : null}
      </div>
    </form>
  );
}
