import type { Playbook } from "./playbook.ts";

export const ignoredHumanDecision: Playbook = {
  failureClass: "ignored_human_decision",
  meaning:
    "A person rejected a call and it was made all the same, set its arguments and others were sent, or said stop and the agent went on working. The control that you rely on for dangerous acts did not hold. Until you know why, assume that it holds nowhere.",
  confirm: [
    "The evidence event is the decision (`human_intervention`), the event that fired is the act. Compare `tool_name` and `arguments` of the two, and their order by `sequence`.",
    "`rejected-call-made`: the same act, perhaps with a reason more or as another shell's command. `edit-ignored`, `other-than-approved`: the same thing, but not as the person had set it; compare argument by argument. `rejected-in-parts`: add up the calls of the tool behind the rejection. `rejected-another-way`: what was not to be deleted is deleted by another tool or a command.",
    "`rejected-tool-called`: the rejection named no arguments and is taken to cover the tool. `work-after-stop`: anything that began after the stop.",
    "For a stop compare the times: the act's `timestamp` less its `latency_ms` is when it began. A call already under way when the person pressed stop is a race, not disobedience.",
    "Look at the act's `result`: was it carried out? A call that reports an error was refused and does not count.",
    "See whether an `approve` or `edit` came in that the client did not report.",
  ],
  contain: [
    "End the process itself, not by another message to the agent.",
    "Undo the act, and tell the person who had said no. They believe that it did not happen.",
    "Take the dangerous tools away from this agent version until the gate is shown to work, also from runs in progress.",
    "Look at the group's other executions for the same: a gate that is broken is broken for everybody.",
  ],
  fix: [
    "The approval is a message to the model, which may read it as advice. Put the check into the code that carries out the call: no token of approval, no call.",
    "The call is started in parallel with the question. Ask first, then start.",
    "After a rejection the model asks for the same again and a default of yes or a timeout lets it through. Let silence mean no.",
    "The stop reaches the orchestrator but not its sub-agents or its queue. Pass on one cancellation to all of them, and check it before each act.",
    "A retry in the framework repeats the call that was rejected. Key the decision by call, and keep it.",
  ],
  prevent: [
    "Test the gate as you test a login: a rejected call must fail in every release.",
    "Let the tool's own server require the approval, signed by whoever gave it, for acts that cannot be undone.",
    "Give people a stop that ends the process and revokes its credentials.",
  ],
  falseAlarms: [
    "Clients that do not send `latency_ms` make calls under way look late. Give them time: `bun run cli detector configure ignored_human_decision --project PROJECT_ID --threshold graceMs=5000`.",
    "Cleaning up after a stop (closing a file, releasing a lock) counts as work: `--allow release_lock,close_session`.",
    "A person who rejects one call and then does it in the user interface, through the same agent, should be reported as `approve`.",
    "A client that sends with `edit` what the agent had proposed, and not what the person made of it, shows every obedient call as `edit-ignored`: send the edited arguments.",
    "The same act in other words, or by another tool, is not recognised but for what is deleted; up to two model calls after a stop are taken for closing words.",
  ],
  references: [
    {
      label: "OWASP LLM06: Excessive Agency",
      url: "https://genai.owasp.org/llmrisk/llm062025-excessive-agency/",
    },
    {
      label: "OWASP Top 10 for Agentic Applications",
      url: "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
    },
  ],
};
