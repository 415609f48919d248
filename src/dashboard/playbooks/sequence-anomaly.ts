import type { Playbook } from "./playbook.ts";

export const sequenceAnomaly: Playbook = {
  failureClass: "sequence_anomaly",
  meaning:
    "The numbering of an execution's events does not add up: a number is missing (`gap`), the beginning is missing (`gap-at-start`), or one number stands on two events (`reused`). The agent itself may be well. What you see of it is incomplete or out of order, and so is what every other detector saw.",
  confirm: [
    "The excerpt names the numbers. In the timeline look at the events on both sides of the gap: which kind is missing, how long a time?",
    "On the overview look at rejected, limited and shed events of that time. A refused event leaves exactly such a gap, and the reason stands beside it.",
    "Nothing refused? Then it never arrived: look in the client's log for failed requests, a full buffer, a process that ended before its last flush.",
    "For `reused` compare the two events: different `event_id` and the same content is a retry with a new id; different content is two writers with one counter each.",
  ],
  contain: [
    "If events are limited (429), raise the bucket: `bun run cli project update PROJECT_ID --rate-burst 2000 --rate-per-second 500`. Clients that retry will then catch up.",
    "If events are rejected, correct or roll back the client that sends them; the reason names the field.",
    "If the service sheds (503), it is short of memory or database: see its health before anything else.",
    "Treat the affected runs as unobserved: for acts in the gap ask the target systems.",
  ],
  fix: [
    "The client drops events when its buffer is full, or gives up after the first failure. Let it wait for `Retry-After` and send the same events again with the same `event_id`.",
    "Threads or sub-agents share an execution and count each for itself. Count in one place, or give each an execution of its own.",
    "Sampling drops events. Sample whole executions instead.",
    "The number is given before a filter throws the event away. Give it just before sending.",
    "The process is ended before the last batch is out. Flush on shutdown.",
  ],
  prevent: [
    "Use an SDK that retries 429 and 503 and keeps `event_id` and `timestamp` on a retry; the service stores such an event once.",
    "Alert on refused events in the metrics (`ats_events_total` by outcome) rather than on the gaps that they leave.",
    "Test the client against a service that answers 503 for a minute.",
  ],
  falseAlarms: [
    "Events that take more than 30 s to arrive: `bun run cli detector configure sequence_anomaly --project PROJECT_ID --threshold graceSeconds=120`.",
    "Clients that reuse numbers on purpose (a start and an end under one): `--threshold reusedMin=1000`.",
    "Clocks, constants and counts by tens in `sequence` are left alone, and so is one count that many runs share. A short run whose numbers happen to be neighbours may still be reported: turn the class off there.",
    "What is missing at the very end cannot be seen.",
  ],
  references: [
    {
      label: "Making retries safe with idempotent APIs",
      url: "https://aws.amazon.com/builders-library/making-retries-safe-with-idempotent-APIs/",
    },
    {
      label: "Google SRE: Handling Overload",
      url: "https://sre.google/sre-book/handling-overload/",
    },
  ],
};
