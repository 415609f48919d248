import type { Playbook } from "./playbook.ts";

export const runawayTokens: Playbook = {
  failureClass: "runaway_tokens",
  meaning:
    "One execution has used far too many tokens: more than the absolute bound (rule `absolute`), or many times what this project's executions usually take (rule `baseline`); or one prompt was answered to its limit again and again (`cut-off-again`), or answers said the same words until their limit (`repeats-to-limit`), or a prompt grew to all that the model reads (`context-full`). It may still be running, so the bill may still be growing.",
  confirm: [
    "The excerpt gives the tokens used and what they are held against. Look at the status: `started` means that it goes on.",
    "In the timeline compare `tokens_in` from one `llm_call` to the next. A steady rise is a context that only grows; a jump is one huge result or document; many calls of even size are a loop.",
    "For `cut-off-again` and `repeats-to-limit` read the end of `output`: a model that repeats itself, or a task that needs a higher limit? For `context-full` see what each call added: what no longer fits is cut off, often what the run was asked at its start.",
    "Look for `tool_loop`, `no_progress` or `handoff_loop` on the same execution: they name the cause.",
    "Compare with the provider's own usage page for the same hour, and see whether the run did anything for its tokens.",
    "In the group's executions see whether one user, one document or one release stands behind all of them.",
  ],
  contain: [
    "Stop the run. If you cannot find its process, take away its model key or set the key's limit at the provider.",
    "Set a spending limit at the provider for the rest of the night.",
    "If one caller starts many such runs, limit that caller. It may be meant: to make you pay is an attack of its own.",
  ],
  fix: [
    "Everything is carried along: whole tool results, every earlier turn. Summarise or drop old results, and cut what a tool may return.",
    "A tool returned a file or page of enormous size. Bound results by size in the tool, with a way to ask for the next part.",
    "The agent does not know when it is done. Give it a criterion of success and a number of steps.",
    "Reasoning is set too high for the task, or the answer has no maximum. Set both by task.",
    "Sub-agents are started without a budget. Hand each a share of the parent's.",
  ],
  prevent: [
    "Enforce a token budget for each run in the agent's loop: a warning to the model at 80 %, an end at 100 %.",
    "Use the provider's prompt cache for what stays the same, and watch how often it hits.",
    "Show the cost of each run to whoever develops the agent, not only to whoever pays.",
  ],
  falseAlarms: [
    "Long tasks that are meant to be long: `bun run cli detector configure runaway_tokens --project PROJECT_ID --threshold tokensMax=10000000`, or give them a project of their own.",
    "Projects that mix short chats with long research have a baseline between the two: raise `baselineFactor` or `baselineTokensMin`, or separate them.",
    "Cached input counts like all input here, and no prices are known: a run can be large and cheap.",
    "Totals at the end that count in other units fire as well; `token_accounting_mismatch` then stands beside it.",
  ],
  references: [
    {
      label: "OWASP LLM10: Unbounded Consumption",
      url: "https://genai.owasp.org/llmrisk/llm102025-unbounded-consumption/",
    },
    {
      label: "Effective context engineering for AI agents",
      url: "https://www.anthropic.com/engineering/effective-context-engineering-for-ai-agents",
    },
  ],
};
