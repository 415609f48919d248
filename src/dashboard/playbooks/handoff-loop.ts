import type { Playbook } from "./playbook.ts";

export const handoffLoop: Playbook = {
  failureClass: "handoff_loop",
  meaning:
    "Agents pass the work round in a circle (rule `circle`), or to and fro among a few in any order (rule `wandering`), and nothing new comes of it: no call but the handoff's own or one made before, no new entry, state, score or report, no news in what they tell each other. Or two have passed it back and forth a dozen times, with work but no new results. The user waits while each thinks that the task is another's.",
  confirm: [
    "Open the handoffs named as evidence and read their `reason`. The same reason twice means that neither agent thinks it is its task; a reason that quotes a missing input says what is lacking.",
    "Look at the hand-over graph: which `from_agent` and `to_agent` make up the circle, and who should have ended it.",
    "Read the first message of the user. Requests that lie between two departments, or outside all of them, are the usual ones.",
    "See whether the circle began with a release: the names in the signature tell which agents' prompts to compare.",
  ],
  contain: [
    "End the run and give the user to a person or to a fallback agent that answers that it cannot help.",
    "If many runs circle between the same two, take one of the two handoffs out of the configuration for now.",
    "Set the maximum of handoffs in the orchestrator to something small until this is mended.",
  ],
  fix: [
    "The two agents' descriptions overlap, or leave a gap between them. Write for each what it does not do, and who does.",
    "Nobody may say no. Give every agent the right to finish with an honest refusal.",
    "The reason of the handoff and what was tried do not travel along, so that the next agent starts from nothing and sends it back. Pass both.",
    "A supervisor routes by the last message alone. Let it see who has had the task already, and forbid the way back.",
    "The agent that should act lacks the tool or the right, and says so by handing off. Give it the tool, or take the task from it.",
  ],
  prevent: [
    "Keep a count of handoffs in the run's state, and at the third go to one agent that must answer.",
    "Test routing with the requests at the borders between agents: they are where circles begin.",
    "Use fewer agents. Two whose work cannot be told apart in a sentence should be one.",
  ],
  falseAlarms: [
    "A supervisor whose workers report neither tools nor texts looks like a circle. Have them report their work, or: `bun run cli detector configure handoff_loop --project PROJECT_ID --threshold rounds=4`.",
    "A writer and a reviewer who go through many drafts reach 12 rounds of honest work if neither a draft's number nor a result is told: send it with the handoff, or `--threshold roundsWithWork=16`.",
    "Agents that talk at length while they pass the task on count as working until those 12 rounds; a circle of more than eight agents is never seen.",
  ],
  references: [
    { label: "Why Do Multi-Agent LLM Systems Fail? (MAST)", url: "https://arxiv.org/abs/2503.13657" },
    {
      label: "How we built our multi-agent research system",
      url: "https://www.anthropic.com/engineering/multi-agent-research-system",
    },
  ],
};
