import type { Playbook } from "./playbook.ts";

export const stalledExecution: Playbook = {
  failureClass: "stalled_execution",
  meaning:
    "An execution is `started`, and nothing has been received from it for 20 minutes, or for 60 after a finished answer of the model, when a person may be thinking. The process is dead, hangs, or can no longer reach this service. Time in which the service itself was down is not counted.",
  confirm: [
    "Is the process alive? Ask the host or the orchestrator. A killed process never reports its end: this is how it looks from here.",
    "The signature is the type of the last event. After a `tool_call` it hangs in the tool or was killed there; after an `llm_call` it waits for the next step; `no-events` means that it never got going.",
    "See whether other executions of the same host or key fell silent in the same minute. Then it is the host, the network or the key, and not this run.",
    "On the overview look at rejected and limited events of that time: a client that is refused looks stalled. A revoked key shows as refused requests in `ats_http_requests_total`.",
  ],
  contain: [
    "Dead: mark the execution as `crashed`, free what it held (locks, sandboxes, tickets in progress), and start it again if that is safe.",
    "Hanging: take a stack dump before you kill it; it is the only evidence there will be.",
    "Many at once: look at the host, the network and the provider; restarting one by one does not help.",
    "Cut off from here: the run may be doing fine. Fix the connection before you stop it.",
  ],
  fix: [
    "The process was killed (memory, deployment, a spot instance). Catch the signal, report `crashed`, and let deployments drain first.",
    "A call without a time limit waits for an answer that never comes. Set limits on every call, with the connection's as well.",
    "The client buffers events and died before it sent them. Flush at each step, and at the end whatever happens.",
    "A deadlock or a full queue in the client. The stack dump shows it.",
    "The run ended well and nobody said so. Complete executions in a finally block.",
  ],
  prevent: [
    "Let a supervisor outside the process report its end; a process cannot report its own murder.",
    "Send a `checkpoint` at every step of long tools, so that silence means something.",
    "Complete a conversation when the user leaves; open it again as a new execution.",
  ],
  falseAlarms: [
    "Tools that work for an hour without an event: `bun run cli detector configure stalled_execution --project PROJECT_ID --threshold silenceMinutes=90`.",
    "Chats left open overnight: `--threshold idleMinutes=720`. That holds where the last answer ended by itself (its `finish_reason` says `stop` or the like) and asks for no tool; other silences follow the other threshold.",
    "A silence fires once, and five silences an execution at most. Nothing more comes after the fifth, even if it dies then.",
    "An agent that sends heartbeats while it hangs is never found here.",
  ],
  references: [
    {
      label: "Kubernetes: termination of pods",
      url: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination",
    },
    {
      label: "Timeouts, retries and backoff with jitter",
      url: "https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/",
    },
  ],
};
