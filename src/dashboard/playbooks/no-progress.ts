import type { Playbook } from "./playbook.ts";

export const noProgress: Playbook = {
  failureClass: "no_progress",
  meaning:
    "The agent works and gets nowhere: four checkpoints in a row carry the same state (rule `same-state`), or the model has written the same text of some length four times (rule `same-output`), or ends one answer with the same passage ten times and more (rule `same-passage`). Unlike a loop of calls, the calls in between may well differ.",
  confirm: [
    "Open the evidence events. For checkpoints compare `state_hash` or `state`, and look at what the run did between them; for outputs read `output` and the `input` that it answers.",
    "Where each hash is another, eight states in a row said of the work what the one before said, but for clocks and counters.",
    "If work went on between equal checkpoints (files written, rows changed), the state that is hashed leaves that work out: a false alarm.",
    "If the same text comes although the input changed, the model is stuck: it answers an older turn, or its context has been cut so that it always sees the same.",
    "See what the run waits for: a permission, an empty search, a person. The last `error` before the first equal checkpoint often says it.",
  ],
  contain: [
    "Stop the run, or give it the missing thing and let it go on from its last checkpoint.",
    "Look for others of the same kind that started at the same time; a broken dependency stalls them all.",
    "If users are waiting for an answer, tell them; the run itself will not.",
  ],
  fix: [
    "The plan has a step that cannot be done, and the prompt says to persist. Allow the agent to leave a step out and to say why.",
    "The context is trimmed from the wrong end, so that each turn begins with the same view. Keep the latest results and a running summary.",
    "The step's failure is swallowed by a try and catch around it. Hand it to the model as a result.",
    "Two agents or two copies of one write the same checkpoint and undo each other. Lock the work item.",
    "Sampling at temperature 0 on an unchanged prompt gives an unchanged answer. Change the prompt when you retry: say what failed.",
  ],
  prevent: [
    "Define progress in code (tests passed, items done), put it into the checkpoint, and stop after so many without any.",
    "On a retry, add the last attempt and its failure to the context.",
    "Prefer short steps with a check after each to one long loop towards a vague aim.",
  ],
  falseAlarms: [
    "Agents that wait for something by design and write checkpoints meanwhile: `bun run cli detector configure no_progress --project PROJECT_ID --threshold checkpoints=12`, or write a checkpoint only when something changed.",
    "Set phrases that a bot says often (“please give me your order number”) fire as `same-output` in long chats: `--threshold outputs=8`.",
    "A `state_hash` that holds a counter or a clock never repeats and hides a standstill. A paraphrase hides it as well.",
  ],
  references: [
    { label: "Why Do Multi-Agent LLM Systems Fail? (MAST)", url: "https://arxiv.org/abs/2503.13657" },
    {
      label: "Building effective agents",
      url: "https://www.anthropic.com/engineering/building-effective-agents",
    },
  ],
};
