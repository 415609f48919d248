import type { Playbook } from "./playbook.ts";

export const sandboxEscape: Playbook = {
  failureClass: "sandbox_escape",
  meaning:
    "A run that declared itself a simulation contacted something real: a host outside loopback and the project's allow-list. Either the harness let through what it should have faked, or the agent found a way around it. In both cases a test may have touched production.",
  confirm: [
    "Open the event: `destination`, `tool_name` and `bytes_out` say who was contacted by what. The first `environment_declaration` of the execution must say `simulation` or another word for it (`sandbox`, `mock`); later ones do not count.",
    "Ask whether the host belongs to the harness: a fake API on a private address, an artifact store, the model's own provider. Private networks count as outside until you allow them, but for names that call themselves a mock or a simulator.",
    "If it is a production host, look there for writes at that time: orders, mails, tickets under the test's credentials.",
    "Read the calls before it. A tool that builds its own URL, a shell command or a package download shows how it came out.",
  ],
  contain: [
    "Stop the simulation and everything else that runs with the same harness version.",
    "If something real was changed, undo it now and tell its owners: to them it looks like genuine traffic.",
    "Take away the network at the sandbox's edge (namespace, security group, proxy) and not in the prompt.",
    "If the destination is a metadata address or a stranger's host, treat it as `unexpected_egress` in production: rotate what the sandbox could read.",
  ],
  fix: [
    "The sandbox has a default route. Give it none, and a proxy that answers for the few hosts that the test needs.",
    "A tool was replaced by a fake and its library or a fallback was not. Inject the base URL in one place, and fail where it is missing.",
    "Production credentials are present in the test's environment. Take them out: a contact without credentials does far less harm.",
    "The agent wrote code that opened a connection. Run generated code in a further sandbox without network.",
    "The declaration is wrong: a live run was declared `simulation`. Correct the launcher, since `unexpected_egress` learns nothing from such runs.",
  ],
  prevent: [
    "Have the harness itself declare the mode from its own configuration, before the first tool call.",
    "Test the sandbox: a job that tries to reach a host outside must fail before the agents' tests may start.",
    "Use accounts and domains of a test tenant that cannot reach customers even if a contact gets through.",
  ],
  falseAlarms: [
    "Hosts of the harness belong on the list: `bun run cli detector configure sandbox_escape --project PROJECT_ID --allow api.example.com,*.internal.example,10.0.0.0/8`. The list is replaced as a whole, and an entry with a star does not cover the name behind it.",
    "Model calls that the client reports as `egress` fire once a host and execution. Allow the provider's host if simulations use the real model.",
    "Names are not resolved: a public name that leads to loopback counts as outside, and a local name that leads outside counts by its name.",
    "Before a late declaration only 24 hosts are held in mind; more than that, or contacts that the client does not report, stay unseen.",
  ],
  references: [
    {
      label: "OWASP Top 10 for Agentic Applications",
      url: "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
    },
    {
      label: "Kubernetes: default deny for egress",
      url: "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
    },
  ],
};
