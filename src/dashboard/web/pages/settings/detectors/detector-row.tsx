import { useMutation } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useId } from "react";
import { call } from "../../../client.ts";
import { Badge } from "../../../components/badge.tsx";
import { classes } from "../../../components/classes.ts";
import { SeverityBadge } from "../../../components/severity-badge.tsx";
import { Switch } from "../../../components/switch.tsx";
import { useToast } from "../../../components/toast.tsx";
import { formatCompact } from "../../../format/number.ts";
import { useProjectId } from "../../../projects.ts";
import { useHasRole } from "../../../session.ts";
import { type DetectorSetting, projectApi } from "../settings-queries.ts";
import { DetectorForm } from "./detector-form.tsx";
import { useDetectorSaved } from "./use-detector-saved.ts";

export interface DetectorRowProps {
  detector: DetectorSetting;
  open: boolean;
  onToggle: (open: boolean) => void;
}

export function DetectorRow({ detector, open, onToggle }: DetectorRowProps) {
  const projectId = useProjectId();
  const canChange = useHasRole("member");
  const toast = useToast();
  const saved = useDetectorSaved();
  const panel = useId();
  const turn = useMutation({
    mutationFn: (enabled: boolean) =>
      call(projectApi(projectId).detectors({ failure_class: detector.class }).patch({ enabled })),
    onSuccess: (answer) => {
      saved(answer);
      toast.done(`${detector.class} ${answer.enabled ? "switched on" : "switched off"}`);
    },
    onError: (cause) => toast.failed(`${detector.class} was not switched`, cause),
  });
  const enabled = turn.isPending ? turn.variables : detector.enabled;

  return (
    <li className="border-b last:border-b-0">
      <div className="flex items-start gap-3 py-2 pr-4 pl-2 hover:bg-sunken">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => onToggle(!open)}
          className="flex min-w-0 flex-1 items-start gap-1.5 rounded text-left"
        >
          <ChevronRight
            aria-hidden
            className={classes("mt-0.5 size-4 shrink-0 text-faint transition-transform", open && "rotate-90")}
          />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span
                className={classes("font-mono text-xs font-medium", !enabled && "text-muted line-through")}
              >
                {detector.class}
              </span>
              <SeverityBadge severity={detector.severity} />
              {detector.customised ? <Badge tone="accent">Changed</Badge> : null}
              {detector.firings_24h > 0 ? (
                <Badge>
                  {formatCompact(detector.firings_24h)} {detector.firings_24h === 1 ? "firing" : "firings"} in
                  24 h
                </Badge>
              ) : null}
              {detector.problems.length > 0 ? <Badge tone="warn">Not all of it is valid</Badge> : null}
            </span>
            <span className="mt-0.5 block text-sm text-muted">{detector.summary}</span>
          </span>
        </button>
        <span className="pt-0.5">
          <Switch
            checked={enabled}
            disabled={!canChange || turn.isPending}
            label={`${detector.class} runs`}
            hideLabel
            onChange={(next) => turn.mutate(next)}
          />
        </span>
      </div>
      <div id={panel} hidden={!open}>
        {open ? <DetectorForm detector={detector} /> : null}
      </div>
    </li>
  );
}
