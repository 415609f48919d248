import type { Playbook } from "./playbook.ts";

export const toolLoop: Playbook = {
  failureClass: "tool_loop",
  meaning:
    "An agent makes the same call with the same arguments again and again, goes round in a cycle of two to four calls, or makes many in a row that it has made before and that answer as before (rule `nothing-new`), or asks for other pages, or later, and gets the same (rule `same-answer`). It costs tokens and calls, and if the tool changes something it does that again each time. Repeats whose results keep changing count as polling and need twice as many, and so do repeats with a new step before each of them.",
  confirm: [
    "Open the evidence events one after the other and compare their `result`. The same answer or the same `error` each time is a loop; answers that move on are paging.",
    "Read the `llm_call` between two of the calls. Does the model say why it tries again, or has the result never reached its context?",
    "Is it still going? The end of the timeline and the token total tell how much it has cost; `runaway_tokens` may stand beside it.",
    "Rule `same-answer` means that the tool takes no notice of the page, or that there is nothing new: compare `arguments` and `result` of two evidence events.",
    "Rule `cycle` with two tools often means that each undoes the other's work: look at what they write.",
  ],
  contain: [
    "Stop the run if it still calls. Where the tool sends, pays or creates, look for duplicates that it has already made.",
    "If many runs loop on the same tool, that tool is the cause: switch it off or make it fail with a clear message, so that the agents stop trying.",
    "Watch the target system for load; a loop at a machine's speed can use up a rate limit that others share.",
  ],
  fix: [
    "The tool answers something empty or ambiguous (an empty list, null, ok). Say in the result what was found, and what to do differently.",
    "The error text does not say what is wrong with the arguments, so the model sends the same ones. Name the argument and the values allowed.",
    "The result is cut or dropped before the next model call. Check how the framework trims the context: the newest results must stay.",
    "The task cannot be done with these tools, and nothing lets the agent say so. Give it a way to stop and report.",
    "Retries are made in code and reported as calls. Report one call with its attempts, under one `call_id`.",
  ],
  prevent: [
    "Count identical calls in the agent's own loop, and tell the model at the second, stop at the third.",
    "Make tools that change something idempotent by a key of the request; then a loop does no harm.",
    "Cap steps and cost for each run.",
  ],
  falseAlarms: [
    "Tools that wait, page or read something off, under names and with answers that do not say so: `bun run cli detector configure tool_loop --project PROJECT_ID --allow refresh_board,read_sensor`. The name of an MCP tool is `server/tool`.",
    "Agents that look at the same thing again with nothing new between: `--threshold repeats=5`. Clean runs of test suites fire in 2 to 3.5 % at the default of 3, solved cases of customer service in 0.3 %, and those are real repeats.",
    "A program around the agent that calls tools of its own before each step and sends them as `tool_call` looks like a loop: allow those tools, or leave them out. Calls sent without `arguments` are the same call only if their results are the same; a result alone goes to the call before it that has none.",
    "A loop that changes one argument each time, other than a page, the request's clock, a count of tries, a request's id, the case of letters or the words of a question, is not seen here, nor clicks and scrolls without the page or a picture that they led to; `no_progress` or `execution_timeout` may see it.",
  ],
  references: [
    { label: "Why Do Multi-Agent LLM Systems Fail? (MAST)", url: "https://arxiv.org/abs/2503.13657" },
    {
      label: "Building effective agents",
      url: "https://www.anthropic.com/engineering/building-effective-agents",
    },
    {
      label: "OWASP LLM10: Unbounded Consumption",
      url: "https://genai.owasp.org/llmrisk/llm102025-unbounded-consumption/",
    },
  ],
};
