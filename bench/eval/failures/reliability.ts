import type { DetectorEvent } from "../../../src/detect/detector.ts";
import type { SeededRandom } from "../../ingest/random.ts";
import { chance, modelCall, type Step } from "../generated-runs.ts";
import { type Failure, times } from "./failure.ts";

/** Failures of the run itself and of what it stands on. */

const MINUTE_MS = 60_000;

function drop(events: DetectorEvent[], from: number, count: number): DetectorEvent[] {
  return events.filter((_unused, at) => at < from || at >= from + count);
}

/** Makes some events arrive up to `mostMs` late; in the order of their arrival. */
function delay(
  events: DetectorEvent[],
  random: SeededRandom,
  share: number,
  mostMs: number,
): DetectorEvent[] {
  return events
    .map((event) =>
      chance(random, share) ? { ...event, receivedMs: event.receivedMs + random.below(mostMs) } : event,
    )
    .sort((a, b) => a.receivedMs - b.receivedMs);
}

export const RELIABILITY_FAILURES: readonly Failure[] = [
  {
    failureClass: "execution_crash",
    inject(draft, random) {
      draft.steps.splice(draft.somewhere());
      draft.status = "crashed";
      draft.crashSignature = chance(random, 0.5) ? "sha256:5e0c" : null;
    },
    nearMiss: (draft) =>
      draft.put(
        draft.somewhere(),
        draft.step("exception", { type: "TimeoutError", message: "late", handled: true }),
      ),
  },
  {
    failureClass: "unhandled_exception",
    inject(draft, random) {
      const handled = chance(random, 0.5) ? { handled: false } : {};
      draft.put(
        draft.somewhere(),
        draft.step("exception", { type: "KeyError", message: `'row ${random.below(99)}'`, ...handled }),
      );
    },
    nearMiss: (draft) =>
      draft.put(
        draft.somewhere(),
        draft.step("exception", { type: "KeyError", message: "'x'", handled: true }),
      ),
  },
  {
    failureClass: "execution_timeout",
    inject(draft, random) {
      const minutes = 61 + random.below(200);
      for (const step of draft.steps.slice(1))
        step.afterMs = (minutes * MINUTE_MS) / (draft.steps.length - 1);
    },
    nearMiss(draft, random) {
      const minutes = 20 + random.below(39);
      for (const step of draft.steps.slice(1))
        step.afterMs = (minutes * MINUTE_MS) / (draft.steps.length - 1);
    },
  },
  {
    failureClass: "stalled_execution",
    inject(draft, random) {
      draft.steps.splice(draft.somewhere());
      if (chance(random, 0.15)) draft.steps.push(modelCall(draft, random, { finish_reason: "stop" }));
      draft.status = null;
      draft.watchedMs = (21 + random.below(45)) * MINUTE_MS;
    },
    nearMiss(draft, random) {
      const pause = draft.steps[draft.somewhere()] as Step;
      pause.afterMs = (8 + random.below(12)) * MINUTE_MS;
    },
  },
  {
    failureClass: "sequence_anomaly",
    inject(draft, random) {
      const kind = random.below(8);
      const at = draft.somewhere();
      if (kind === 0) draft.numbering = (events) => events.slice(0, -2);
      else if (kind === 1) draft.numbering = (events) => events.slice(1 + random.below(3));
      else if (kind < 4)
        draft.numbering = (events) => [
          ...events,
          {
            ...(events[at] as DetectorEvent),
            eventId: "again",
            receivedMs: (events.at(-1) as DetectorEvent).receivedMs,
          },
        ];
      else draft.numbering = (events) => drop(events, at, 1 + random.below(4));
    },
    nearMiss(draft, random) {
      draft.numbering = (events) => delay(events, random, 0.3, 25_000);
    },
  },
  {
    failureClass: "token_accounting_mismatch",
    inject(draft, random) {
      const off = 0.04 + random.below(500) / 1_000;
      draft.tokensShare = chance(random, 0.5)
        ? { in: 1 + off, out: 1 }
        : { in: 1 - off * 0.8, out: 1 - off * 0.8 };
    },
    nearMiss(draft, random) {
      draft.tokensShare = { in: 1 + random.below(40) / 1_000, out: 1 };
    },
  },
  {
    failureClass: "infrastructure_degradation",
    inject(draft, random) {
      if (chance(random, 0.3)) {
        const failed = (): Step =>
          modelCall(draft, random, { error: "overloaded", tokens_in: 0, tokens_out: 0 });
        draft.put(draft.somewhere(), ...times(3 + random.below(3), failed));
        return;
      }
      const trouble = [
        { kind: "oom_killed" },
        { kind: "rate_limited", code: 429 },
        { kind: "disk_full" },
        { kind: "connection_reset" },
        { kind: "http", code: 503 },
        { kind: "status", message: "service unavailable" },
        { kind: "zustand", message: "Speicher voll, Dienst antwortet nicht" },
        { kind: "latency", message: "p99 went from 200 ms to 9 s" },
      ];
      draft.put(
        draft.somewhere(),
        draft.step("infrastructure_event", { component: "vector-store", ...random.pick(trouble) }),
      );
    },
    nearMiss(draft, random) {
      const calm = [
        { kind: "scaled_up" },
        { kind: "deployment", message: "version 41 is live" },
        { kind: "recovered", message: "back after an outage" },
        { kind: "http", code: 200 },
        { kind: "backup", message: "finished without errors" },
      ];
      draft.put(
        draft.somewhere(),
        draft.step("infrastructure_event", { component: "vector-store", ...random.pick(calm) }),
      );
    },
  },
];
