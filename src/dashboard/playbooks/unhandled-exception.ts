import type { Playbook } from "./playbook.ts";

export const unhandledException: Playbook = {
  failureClass: "unhandled_exception",
  meaning:
    "Code of the agent threw, and nobody caught it: the client says so (`not-handled`), does not say anything (`not-said-handled`), or called it handled and then crashed (`crashed-after`). Exceptions are grouped by type and the frames of your own code, so a group is a place in your code.",
  confirm: [
    "Open the newest event of the group: `type`, `message` and the uppermost frame of your own code in `stack` lead to the line.",
    "Look at what was in hand: the call before the exception, its `arguments` and `result`. Most of these are an answer of an unexpected shape.",
    "See how the executions ended. If they are `completed`, somebody did catch it higher up, and `handled` is reported wrongly.",
    "Compare `first_seen_at` with your releases; a regressed group means that a mend did not reach all, or broke again.",
  ],
  contain: [
    "Growing after a release: roll back, or switch the feature off.",
    "If a provider's or tool's changed answer sets it off, pin that version or put a check in front.",
    "If users see the raw error, catch it at the outermost place and show something decent; raw messages give away internals.",
  ],
  fix: [
    "An answer was taken for granted: a field that is missing, text that is no JSON, an empty list. Check at the border, and make it an error of the step.",
    "An error of the network went up through everything. Catch it at the call, retry if that is safe, else end the step in order.",
    "A task in the background threw, and nobody awaited it. Await all, and give the loop a handler of last resort.",
    "The model gave arguments that the tool does not take. Check them first and answer the model rather than throw.",
  ],
  prevent: [
    "Send `handled` with every exception: the difference between a nuisance and an outage then stands in the severity.",
    "Send `stack` with function names and with the causes below it; in minified code without its names only type, file and message tell failures apart.",
    "Fuzz the parsers of model output; it is user input in all but name.",
  ],
  falseAlarms: [
    "Exceptions used for control (a cancellation, an early end): `bun run cli detector configure unhandled_exception --project PROJECT_ID --allow CancelledError,StopIteration`, by their `type`.",
    "A framework that logs and goes on should say `handled` true; medium severity with `not-said-handled` is this case.",
    "Without a stack the masked message makes the group, so one fault may stand in several: merge them, and send the stack.",
    "At most 100 an execution are counted.",
  ],
  references: [
    {
      label: "OpenTelemetry: semantic conventions for exceptions",
      url: "https://opentelemetry.io/docs/specs/semconv/exceptions/",
    },
    {
      label: "OWASP Error Handling Cheat Sheet",
      url: "https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html",
    },
  ],
};
