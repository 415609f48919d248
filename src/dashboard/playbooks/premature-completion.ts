import type { Playbook } from "./playbook.ts";

export const prematureCompletion: Playbook = {
  failureClass: "premature_completion",
  meaning:
    "A run says completed, and its own events say otherwise: a validator's last word was a failure, the model's last answer was cut off, it asked for a tool that was never called, a call never ended, or its last answer claims what the calls before it deny. Whoever reads the status takes this result for a good one.",
  confirm: [
    "Open the event that fired; it is the loose end. `failed-validation`: read `message` of the validator. `unfinished-answer`: read `finish_reason` and the last lines of `output`.",
    "For `open-tool-call` look for a second event with the same `call_id` that arrived later, and in the target system whether the act was carried out.",
    "For the rules that begin with `claimed-` read the last answer beside the call that fired: what does it say is done, and what does the call's `error` or `result` say? For `claimed-never-done` look whether the act was carried out anywhere: its tool was never called. For `claimed-while-underway` ask the job itself: it may have ended since.",
    "For `tool-never-called` see whether the framework met its limit of steps at just that moment.",
    "Ask where the result went: shown to a user, merged, sent, taken up by the next job?",
  ],
  contain: [
    "Hold back the result: mark the report, revert the merge, stop the pipeline that follows.",
    "Run the task again if it is safe to repeat; for an open call check first that it did not happen.",
    "If a release has just gone out and many runs end this way, roll it back.",
  ],
  fix: [
    "The answer has met the maximum of tokens (`length`, `max_tokens`). Raise it, ask for less at a time, or go on where the answer stopped.",
    "The orchestrator ends a run when the model stops talking, without looking at the checks. Let `completed` require that the last result of every validator passed.",
    "A limit of steps or of time ends the run and is reported as success. Report it as `crashed`, or with a status of its own in the payload.",
    "Calls are made without waiting for them. Await all of them before the end, with a bound on time.",
    "The model takes a failed call for done (`claimed-after-failure`, `claimed-with-failures`), or says that it did what it only looked up (`claimed-never-done`). Put the error into the words that the model reads, check the claim in code against the calls, and try a stronger model.",
    "The provider's filter cut the answer (`content_filter`). Show the user that, and look at what set it off.",
  ],
  prevent: [
    "Write down for each task what done means, and have code check it at the end.",
    "Treat every finish other than the model's own end of turn as an error until handled.",
    "Compare the share of completed runs with the share of results that were good; they should move together.",
  ],
  falseAlarms: [
    "Validators that only advise: `bun run cli detector configure premature_completion --project PROJECT_ID --allow style-check,length`. The list takes the names of validators and tools, and finish reasons.",
    "Events that arrive long after the end close the loose end too late: `--threshold graceSeconds=60`.",
    "Background calls that are meant to outlive the run: allow their tools.",
    "A failed call that the task did not need, where the answer does not name it, reads as a claim: allow its tool.",
    "Work that was never begun and is not claimed leaves no loose end, so a run that did nothing at all looks complete.",
  ],
  references: [
    {
      label: "Handling stop reasons",
      url: "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons",
    },
    { label: "Why Do Multi-Agent LLM Systems Fail? (MAST)", url: "https://arxiv.org/abs/2503.13657" },
  ],
};
