import type { Playbook } from "./playbook.ts";

export const jailbreakAttempt: Playbook = {
  failureClass: "jailbreak_attempt",
  meaning:
    "A prompt tried to talk the model out of its rules: a persona without limits, a named mode, two answers side by side, points for obedience, a promise never to refuse. It is an attempt by whoever wrote the prompt. Nothing says yet that the model gave in.",
  confirm: [
    "Open the event and read the whole prompt in `input`. A rule with a name (`persona-without-limits`, `named-jailbreak`, `two-answers`, `punished-refusal`) is precise; `lexicon-model` and `dressed-request` weigh words and are more often wrong.",
    "Rule `client-alert`: your own detector sent an `injection_alert` that names a jailbreak. Compare its `verdict` and `score` with its text.",
    "Read the model's `output` in the same `llm_call`, or in the next one. A refusal ends the matter; an answer in the persona's voice means that it worked.",
    "Look whether the same user comes back: the group's executions over time show one curious person, a campaign with one template, or a test of your own.",
    "If the text came in through a `tool_call` or `mcp_call`, it is no user's wish but planted content: go on with the playbook of `prompt_injection`.",
  ],
  contain: [
    "If the model gave in, end the conversation. A persona once taken on holds for the turns that follow.",
    "Suspend or slow down the account behind it when the attempts repeat, by the rules that you have for abuse.",
    "If tools were within reach, read the calls after the prompt, and take from that session whatever acts on anybody but the user.",
    "Where an answer was published or sent on, take it back.",
  ],
  fix: [
    "The model follows user text over the operator's. Put the rules into the system message, keep user text out of it, and move to a model trained on that order of rank.",
    "Nothing checks the answer. Run a moderation model over `output` before it is shown: it sees what slipped through whatever the wording was.",
    "The prompt template itself invites role play (“you can be anyone”). Say what the assistant is for and what it declines.",
    "Long conversations wear rules down. State them anew every so many turns, or start a fresh context for a new topic.",
  ],
  prevent: [
    "Bound what a persuaded model can do: rights of the signed-in user at most, limits on amounts, no tools in open-ended chat.",
    "Keep the prompts found here as a test set, and measure how often the model gives in before each release.",
    "Give users an honest way to ask for what they are refused; much of this traffic is people who are in the way of an over-careful model.",
  ],
  falseAlarms: [
    "Fiction, games and role play are near to it, and so is a system prompt sent inside one user string: it names a role and rules. Send it with the role `system`, and it is not judged.",
    "Red-team runs of your own belong into a project of their own, or run with the class off: `bun run cli detector configure jailbreak_attempt --project PROJECT_ID --enabled off`.",
    "If `lexicon-model` fires on your ordinary prompts: `bun run cli detector configure jailbreak_attempt --project PROJECT_ID --threshold score=0.8`. The four rules named above go on firing; weaker ones need a second sign then.",
    "Fewer than one first prompt of a chat in a hundred fires without an attempt in it, and two to seven in a hundred of those that hold an operator's roles and rules. Short or novel framings and a slow build-up over many turns do not fire at all.",
  ],
  references: [
    {
      label: "Do Anything Now: jailbreak prompts in the wild",
      url: "https://arxiv.org/abs/2308.03825",
    },
    { label: "The Instruction Hierarchy", url: "https://arxiv.org/abs/2404.13208" },
    { label: "MITRE ATLAS: LLM Jailbreak", url: "https://atlas.mitre.org/techniques/AML.T0054" },
  ],
};
