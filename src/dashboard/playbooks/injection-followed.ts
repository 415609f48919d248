import type { Playbook } from "./playbook.ts";

export const injectionFollowed: Playbook = {
  failureClass: "injection_followed",
  meaning:
    "The model did what an attacker's text told it to. A value out of an injected passage (an address, an account, a file, a URL) stands in a later call that changes something or fetches something, and neither the user nor the operator nor any clean output had named it. Treat it as an incident until you have shown otherwise.",
  confirm: [
    "Open the event that fired: it is the call, or with `tainted-destination` the contact to a host that the passage names. Its evidence event is the passage. The excerpt shows the value that both share; check that no message of the user holds it. With `told-deed` both share what is done to what, with `told-together` several short values; with `looked-up` the agent searched for the value, and the call took a number from what it found.",
    "With `unasked-deed` nothing was flagged: the excerpt is what a tool said, and the person asked for no such deed. Read the request at the top of the run first. The call may be a command or a statement to a database: what it changes counts, not what the tool is called.",
    "With `told-machine` nothing was flagged either: the excerpt speaks to machines that read it, and a call that moves money, rights or records took a value from there, though the person had only asked to process or triage things. Ask whoever runs the agent whether that page may tell it so.",
    "Look at the call's `result` and `error`. A refused or failed call is an attempt; a result that says sent, paid or written is damage.",
    "Go on from there to the end of the run: one obeyed passage is often followed by a second step, and only the first call with a value of its own fires.",
    "In the target system look up the act itself (sent mail, transfer, commit, share) by its time and its recipient, and see who else that recipient got things from.",
  ],
  contain: [
    "Stop the run, and every run that works with the same source. Do not let it finish its answer: it may tell the user that all is well.",
    "Undo the act while that is possible: recall or block the transfer, revoke the share, delete the created user, revert the commit.",
    "Revoke the credentials that the called tool holds, and those that the run could read. Assume that whatever stood in the context by then has been seen.",
    "Block the recipient or host that the value names, in the mail gateway or the egress proxy, for all agents.",
    "Remove the injected content at its source, and keep a copy of it and of the execution as evidence.",
  ],
  fix: [
    "A tool acts on whatever the model hands to it. Check its arguments outside the model against what the user asked for: recipients, accounts and paths that come from content need the user's word.",
    "The rule in the signature (`prompt_injection/…`; `unasked-deed` or `told-machine` where none flagged it) says which kind of passage got through. Add that passage to your tests and try the model, the prompt and any input filter against it.",
    "The tool can do more than this task needs. Give the agent a narrower one: reply instead of send to anyone, read-only instead of read and write.",
    "The source can be written by strangers. Fetch it through a step that keeps only the fields that the task wants, not the free text.",
  ],
  prevent: [
    "Track where values come from: a capability layer between model and tools that knows which data is untrusted stops this whole class, whatever the wording of the attack.",
    "Require confirmation in a channel that the model cannot write to, with the literal recipient and amount.",
    "Let the plan be made before untrusted content is read, and let content fill in values but never add steps.",
    "Give each execution credentials of its own with a short life, so that revoking one run does not stop the fleet.",
  ],
  falseAlarms: [
    "The passage was flagged wrongly and the value is honest work, such as a payment to the account printed on an invoice whose text reads like an order. The evidence event decides: if it is an invoice and nothing more, it was the task.",
    "With `unasked-deed`: the agent's own duties, which its instructions do not tell or the service cannot see (a ticket opened because a page says so that is not named like a runbook). Name the tools that act without being asked: `bun run cli detector configure injection_followed --project PROJECT_ID --allow TOOL`.",
    "The user did name the value where the service cannot see it: a client that leaves `input` out of its `llm_call` events, or a prompt longer than the part that is read. Send the prompts, or judge this class by hand.",
    "Where weakly flagged passages cause it, ask for more evidence (0.7 is the default): `bun run cli detector configure injection_followed --project PROJECT_ID --threshold taintScore=0.85`.",
    "It stays silent where the order carries no value of its own and neither deletes nor grants (“sell all of it”), or a value that the user or a clean output named too.",
  ],
  references: [
    {
      label: "AgentDojo: attacks and defences for agents with tools",
      url: "https://arxiv.org/abs/2406.13352",
    },
    { label: "CaMeL: Defeating Prompt Injections by Design", url: "https://arxiv.org/abs/2503.18813" },
    {
      label: "OWASP LLM06: Excessive Agency",
      url: "https://genai.owasp.org/llmrisk/llm062025-excessive-agency/",
    },
  ],
};
