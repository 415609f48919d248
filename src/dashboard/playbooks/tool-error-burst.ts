import type { Playbook } from "./playbook.ts";

export const toolErrorBurst: Playbook = {
  failureClass: "tool_error_burst",
  meaning:
    "At least five of an execution's latest ten tool calls failed, and at least half of them. A command that ended with an exit status counts half, since a failing test is an answer; so does a refusal in an ordinary result. The excerpt names the tool that failed most and the kind of its error. One run alone points to what the model sends; many runs at once point to the tool or what stands behind it.",
  confirm: [
    "Look at the group first: how many executions, how fast it grows. Many at the same minute is an outage; one is an agent on the wrong track.",
    "Open three evidence events and compare `error` with `arguments`. A message about a field, a format or an id means wrong arguments; a connection, a timeout or a status of 500 means the tool.",
    "Try the call yourself with the same arguments and the agent's credentials: that tells permission from outage.",
    "Look at `infrastructure_degradation` and the deployments at the time of `first_seen_at`.",
    "See how the run ended. An agent that gave up quietly may have told its user something untrue.",
  ],
  contain: [
    "Outage: switch the tool off in the agents' configuration or put a clear message in its place, so that runs stop burning tokens on it.",
    "Expired or revoked credentials: put in new ones; then see why nobody was warned of the expiry.",
    "A new release of the tool or the prompt: roll back.",
    "Rate limits of the target: lower the number of runs at a time before the target blocks you.",
  ],
  fix: [
    "The tool's API changed and its description did not. Bring name, parameters and examples in line, and test them together.",
    "The schema leaves the model guessing (free text for dates, ids without a way to find them). Use enums and formats, and give it a look-up tool.",
    "A token, quota or certificate has run out. Renew it, and alert before the next time.",
    "The dependency is down or slow. Add a bound on time, two retries with growing and random pauses, and then a final error that says so.",
    "The model was changed for one that calls this tool worse. Compare the two on recorded calls.",
  ],
  prevent: [
    "Check arguments before the call and return a message that names the field; most models mend it at the first try.",
    "Probe each tool from outside with the agents' credentials once a minute: then you know before they do.",
    "Open a circuit after repeated failures, and let the agent go on without the tool or stop honestly.",
  ],
  falseAlarms: [
    "Tools whose errors are answers and carry no exit status (no such file, nothing found): `bun run cli detector configure tool_error_burst --project PROJECT_ID --allow run_tests`, or have the client send them as `result`.",
    "Short runs with few calls cannot fire below 5 failures. Agents that explore by trial need more: `--threshold errorsMin=8,errorShareMin=0.7`.",
    "Failures inside an ordinary result are seen where it is an error's text, a short refusal or has fields such as `success: false`; those in other words or languages are not.",
  ],
  references: [
    {
      label: "Timeouts, retries and backoff with jitter",
      url: "https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/",
    },
    {
      label: "Writing effective tools for agents",
      url: "https://www.anthropic.com/engineering/writing-tools-for-agents",
    },
  ],
};
