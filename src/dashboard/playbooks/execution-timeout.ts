import type { Playbook } from "./playbook.ts";

export const executionTimeout: Playbook = {
  failureClass: "execution_timeout",
  meaning:
    "An execution has been running longer than a run may in this project (rule `running`), or reported a duration beyond that when it ended (rule `finished`). Or somebody else's limit ended it, however short it was (rule `cut-off`), or it completed after the last three calls or more had all been waited for in vain (rule `given-up`). The service only measures; it ends nothing. The bound is yours to set, and 60 minutes if nobody did.",
  confirm: [
    "For `cut-off` and `given-up` the excerpt and the evidence name the limit: an exception, the platform's report, or the calls. Was the limit too short for this work, or what it waited for too slow that day?",
    "If nobody set a bound, a longer limit that the run tells of is allowed beside the 60 minutes, and what it says that it waited for a person or until a time does not count. The excerpt gives what was allowed.",
    "Is it still sending events? Recent ones in the timeline mean slow or in a loop; none for a while means dead, and `stalled_execution` will say so too.",
    "Find where the time went: the longest gaps between events, `latency_ms` of tool and model calls, a `human_intervention` that somebody took an hour to answer.",
    "Look for `tool_loop`, `no_progress` or `handoff_loop` on the same execution.",
    "Compare with the usual duration of such runs. One outlier, or has everything become slower since some hour?",
  ],
  contain: [
    "Stop it if it loops or if nobody needs its result any more; it holds a worker, a sandbox and perhaps a lock.",
    "If its process is gone, end the record: `PATCH` the execution to `crashed`, so that it stops counting as running.",
    "If everything is slow, look at the model's provider and the slowest tool before you touch single runs.",
  ],
  fix: [
    "A call without a time limit waits for ever. Give every tool and model call one.",
    "The task is too large for one run. Split it, with a checkpoint between the parts.",
    "The agent has no limit of steps. Set one, and let it report what is done when it is reached.",
    "The client forgets to complete executions (an early return, an exception in the clean-up). Complete them in a finally block.",
    "The provider or a tool became slower: `latency_ms` over the last days shows since when.",
  ],
  prevent: [
    "Enforce the deadline in the launcher, a little below the bound set here; then this class fires only where the launcher failed.",
    "Hand the remaining time down to sub-agents and tools.",
    "Run long jobs in a project of their own with a bound of their own.",
  ],
  falseAlarms: [
    "Work that rightly takes longer: `bun run cli detector configure execution_timeout --project PROJECT_ID --threshold durationMinutesMax=240`.",
    "A limit that is meant to end runs (a time box for each task): name its error `handled`, and complete the run.",
    "Conversations kept open for a day are one long execution. Complete them after each exchange, or raise the bound.",
    "A `duration_ms` given in microseconds by mistake fires as `finished` with an absurd number in the excerpt.",
    "Runs in progress are measured by the service's clock, so a client's wrong clock does not matter; a finished one is taken at its word where it states `duration_ms`.",
  ],
  references: [
    {
      label: "Timeouts, retries and backoff with jitter",
      url: "https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/",
    },
    {
      label: "Google SRE: Addressing Cascading Failures",
      url: "https://sre.google/sre-book/addressing-cascading-failures/",
    },
  ],
};
