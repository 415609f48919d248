import type { Playbook } from "./playbook.ts";

export const validatorFailure: Playbook = {
  failureClass: "validator_failure",
  meaning:
    "A check of your own said no: the client sent a `validator_result` with `passed` false. Each such result counts, so the number of firings is the number of failed checks. What it means is up to the validator, whose name makes the group.",
  confirm: [
    "Open the event: `validator` says which check, `message` what it found. Then open the `llm_call` or tool call just before it, whose output was checked.",
    "Compare the rate with before: the sparkline of the group against the number of executions. A step upwards has a cause with a date; a steady trickle is the model's everyday share of errors.",
    "See whether runs recover: a later result of the same validator with `passed` true means that the retry works, and only cost is lost.",
    "Take five failures and check by hand whether the validator is right.",
  ],
  contain: [
    "If results go out although the check failed, stop them there: the check must stand before the delivery.",
    "After a step upwards, roll back what changed: model, prompt, schema, or the validator itself.",
    "If retries drive the cost up, limit them to two and then give up honestly.",
  ],
  fix: [
    "The model's output does not fit the schema. Use the provider's structured output, and make the schema no stricter than its use requires.",
    "The prompt asks for one thing and the validator checks another. Generate both from one definition.",
    "The model was exchanged or updated by its provider. Pin its version, and test the new one against this validator first.",
    "The source data have a case that nobody foresaw. The message names it; teach the agent or the validator about it.",
    "The validator is flaky: time, network, another model as judge. Make it repeat itself on the same input before you believe it.",
  ],
  prevent: [
    "Give the failed check's message back to the model once; most failures of form are mended by that.",
    "Run the validators over recorded outputs before each release, and let a lower share of passes stop it.",
    "Keep validators few and named for what they protect, so that a group says at a glance what is at stake.",
  ],
  falseAlarms: [
    "Checks that are expected to fail often (a first draft's style): `bun run cli detector configure validator_failure --project PROJECT_ID --allow style-check`.",
    "Clients that send `passed` false where a check does not apply: have them leave the event out.",
    "Names that hold an id make a new group each time. Use stable names.",
    "A hundred failures an execution are counted at most, and only what the validator looks for is found.",
  ],
  references: [
    {
      label: "OWASP LLM05: Improper Output Handling",
      url: "https://genai.owasp.org/llmrisk/llm052025-improper-output-handling/",
    },
    {
      label: "OWASP LLM09: Misinformation",
      url: "https://genai.owasp.org/llmrisk/llm092025-misinformation/",
    },
  ],
};
