import type { Playbook } from "./playbook.ts";

export const infrastructureDegradation: Playbook = {
  failureClass: "infrastructure_degradation",
  meaning:
    "What the agents stand on is in trouble: a client sent an `infrastructure_event` that speaks of it (rule `reported`), three of the last six model calls of a run failed (rule `provider-errors`), or of one tool did not reach its service (rule `tool-unreachable`), or short answers take ten times as long as at first (rule `model-slow`, low). High means words such as out of memory, killed, disk full or unavailable; low means timeouts, throttling and the like.",
  confirm: [
    "The signature is component (or provider, or tool) and kind of trouble. How many executions are in the group, and did they begin together? One is a bad machine; all at once is a shared dependency.",
    "`provider-errors`: read `error` in the evidence events. 429 is your own rate, 5xx theirs, 401 your key, 400 mostly your request. Then look at the provider's status page.",
    "`tool-unreachable`: the name does not resolve, the connection is refused or lost, or a gateway answers 502 to 504. Reach the service from the agent's host by hand; for an MCP server look whether its process runs.",
    "`reported`: compare `component`, `kind`, `code` and `message` with that component's own monitoring.",
    "See what it does to the work: crashed and stalled executions, error bursts of tools, growing durations since the same time.",
  ],
  contain: [
    "Provider down: switch to the fallback model or region, or stop taking new runs; retrying everything at once prolongs the outage.",
    "429: lower the number of runs at a time, ask for more quota, and put interactive work before batch work.",
    "Out of memory or disk: take the machine out of rotation, and restart with fewer runs on each.",
    "401 from a provider: the model key has expired or was revoked. If nobody revoked it, treat it as leaked.",
  ],
  fix: [
    "Quota or rate at the provider is too small for the load. Ask for more, spread over keys and regions, shape the load with a queue.",
    "Retries without pauses turned a hiccup into a storm. Pause, grow the pauses, add chance, and cap the number.",
    "Memory grows with the length of runs: contexts, traces, files kept. Bound them, and restart workers after so many runs.",
    "The dependency has no redundancy. Decide whether it needs some, or whether the agents should wait in order.",
    "A limit was set in the platform (pods, connections, file handles) for a smaller load. Raise it, with an alert below the new limit.",
  ],
  prevent: [
    "Have a second provider or model ready and tested, with prompts that work there.",
    "Give every dependency a circuit breaker and a bound on waiting requests.",
    "Watch saturation (memory, queue length, share of quota used), and not only errors.",
  ],
  falseAlarms: [
    "Components that complain all day: `bun run cli detector configure infrastructure_degradation --project PROJECT_ID --allow autoscaler,sandbox`.",
    "Recoveries, deployments, scaling, planned restarts and other work on purpose are passed over by their words unless it fails, and so is trouble that is denied (“finished without errors”). A notice that merely speaks of trouble (“error budget reviewed”) is taken for it: send a plain `kind`.",
    "Tests that provoke provider errors: `--threshold providerErrorsMin=6`.",
    "Slowness without an error but that of a run's short answers, and trouble told in other words or languages, stay unseen.",
  ],
  references: [
    {
      label: "Google SRE: Addressing Cascading Failures",
      url: "https://sre.google/sre-book/addressing-cascading-failures/",
    },
    {
      label: "Timeouts, retries and backoff with jitter",
      url: "https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/",
    },
    {
      label: "MITRE ATLAS: Denial of AI Service",
      url: "https://atlas.mitre.org/techniques/AML.T0029",
    },
  ],
};
