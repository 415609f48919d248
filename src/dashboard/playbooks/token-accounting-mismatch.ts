import type { Playbook } from "./playbook.ts";

export const tokenAccountingMismatch: Playbook = {
  failureClass: "token_accounting_mismatch",
  meaning:
    "The totals that a finished execution states are not the sum of its model calls: the calls hold more (rule `more`) or fewer tokens (rule `fewer`) than stated. Or calls count no tokens, or next to none, for a long text (`too-few-for-text`). Nothing is broken for users. Your costs, limits and the token figures on these pages are off, and model calls may be running that nobody sees.",
  confirm: [
    "The excerpt holds both figures for in and out. Compare `total_tokens_in` and `total_tokens_out` of the execution with the `llm_call` events in its timeline.",
    "`fewer` in the calls: look for work without a model call beside it, such as sub-agents, embeddings, guard models, or a library that calls the provider by itself.",
    "`more` in the calls: look for retries, for the same call reported twice, or for totals taken from the last call only.",
    "`too-few-for-text`: look how the client reads the usage. Streamed answers often report it only in their last chunk, and some libraries put 0 where they know nothing.",
    "Compare both with the provider's bill for that hour. Whichever agrees is right.",
    "See whether `sequence_anomaly` stands on the same execution: lost events make `fewer`.",
  ],
  contain: [
    "Nothing here needs to be stopped at night, with one exception: calls that are billed and seen nowhere may be a leaked model key. Look at the provider's usage by key, and rotate that key if it shows strangers.",
    "Do not charge customers by these figures until the cause is known.",
  ],
  fix: [
    "Some calls are not instrumented. Wrap the client library once, at the lowest place, rather than each use of it.",
    "The totals leave out retries and failed calls that the provider bills all the same. Add up what was billed.",
    "Cached or reasoning tokens are counted on one side only. Decide which, and count the same on both.",
    "Streaming calls report usage in the last piece, which is not read when the stream is cut. Read it, or count by hand.",
    "Sub-agents run as executions of their own, and their tokens are added to the parent's total as well. Count each once.",
  ],
  prevent: [
    "Let the SDK compute the totals from the calls that it sends; then they cannot differ.",
    "Reconcile with the provider's bill once a day, by model.",
    "Give each agent a model key of its own, so that strange use has a name.",
  ],
  falseAlarms: [
    "Estimated counts differ from exact ones by a few percent: `bun run cli detector configure token_accounting_mismatch --project PROJECT_ID --threshold toleranceShare=0.15`.",
    "Calls that arrive after the end: `--threshold graceSeconds=60`.",
    "Projects that report calls only in part on purpose: `--enabled off`.",
    "Runs whose calls state no tokens at all are passed over, so an agent without any instrumentation never fires.",
  ],
  references: [
    {
      label: "OpenTelemetry: semantic conventions for generative AI",
      url: "https://opentelemetry.io/docs/specs/semconv/gen-ai/",
    },
    {
      label: "OWASP LLM10: Unbounded Consumption",
      url: "https://genai.owasp.org/llmrisk/llm102025-unbounded-consumption/",
    },
  ],
};
