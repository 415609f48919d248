import type { Playbook } from "./playbook.ts";

export const executionCrash: Playbook = {
  failureClass: "execution_crash",
  meaning:
    "An execution was reported as `crashed`. Its work was not finished, and what it had begun may stand half done. Crashes are grouped by the client's `crash_signature`, or else by type and stack of the last exception, so a new group is a new way to crash. Signatures that are new each time are one group where the exception is the same.",
  confirm: [
    "Open the evidence event: it is the last exception before the end. Read `type`, `message` and the top frames of your own code in `stack`.",
    "Without an exception (rule `unknown`) the process told nobody why. Look at the host: exit code, the kernel's out-of-memory log, eviction, a deployment at that minute.",
    "Compare the group's executions: the same SDK version, the same environment, the same input? `first_seen_at` beside the list of deployments mostly gives the culprit.",
    "From the last calls before the end make a list of what was begun and not finished: a payment without a receipt, a branch without a merge.",
  ],
  contain: [
    "Rising after a release: roll back.",
    "Stop automatic restarts if each try repeats an act with effects outside, and clear the half-done work by hand.",
    "If one input brings it down, take that input out of the queue, or it will kill every worker that picks it up.",
    "Out of memory: raise the limit or lower the number of runs at a time, for now.",
  ],
  fix: [
    "An error that the code expects nowhere: an empty answer, a missing field, a provider's timeout. Handle it where the frames point.",
    "The provider refused (rate, quota, content) and the client library threw. Retry with pauses, and end the run in order when that fails.",
    "The machine ended the process: memory, a deadline, a spot instance taken away. Save checkpoints and go on from the last.",
    "A context longer than the model takes. Count before sending.",
    "A signal handler or the launcher reports normal cancellations as `crashed`. Report them as `completed`.",
  ],
  prevent: [
    "Make steps with effects idempotent and record them before and after, so that a crash can be resumed.",
    "Send `crash_signature` as `sha256:` of what identifies the fault in your code; then groups hold across releases.",
    "Kill runs at random in the test environment, and see what is left behind.",
  ],
  falseAlarms: [
    "Cancelled runs and scaled-down workers that the launcher reports as crashed. Correct the launcher; until then ignore the group: `bun run cli group ignore GROUP_ID --project PROJECT_ID --count 100`.",
    "One fault in several groups: the `crash_signature` holds an address or an id. Make it of stable parts, and join the old ones with `bun run cli group merge GROUP_ID --into OTHER_GROUP_ID --project PROJECT_ID`.",
    "A killed process that never reports is no crash here but a `stalled_execution`.",
  ],
  references: [
    {
      label: "Kubernetes: determine the reason for pod failure",
      url: "https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/",
    },
    {
      label: "Making retries safe with idempotent APIs",
      url: "https://aws.amazon.com/builders-library/making-retries-safe-with-idempotent-APIs/",
    },
  ],
};
