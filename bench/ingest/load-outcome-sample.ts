import type { LoadOutcome } from "./messages.ts";

/** For tests: a load of 1,000 events in which all went well, but for what is changed. */
export function loadOutcome(changes: Partial<LoadOutcome> = {}): LoadOutcome {
  return {
    seconds: 1,
    cpuSeconds: 0.001,
    eventsSent: 1000,
    eventsAccepted: 1000,
    eventsDuplicate: 0,
    eventsRejected: 0,
    eventsRefused: 0,
    eventsUnanswered: 0,
    eventsStored: 1000,
    bytesSent: 1,
    latency: { count: 10, p50Ms: 1, p99Ms: 2, p999Ms: 3, maxMs: 4 },
    counts: {
      requests: 10,
      byStatus: { 200: 10 },
      retries: 0,
      connectionErrors: 0,
      reconnects: 0,
      abandoned: 0,
      unanswered: 0,
    },
    firstRefusal: undefined,
    residentBytes: 1,
    ...changes,
  };
}
