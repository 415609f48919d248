import type { Playbook } from "./playbook.ts";

export const memoryPoisoning: Playbook = {
  failureClass: "memory_poisoning",
  meaning:
    "Something was written into a long-term memory that will command later runs: set rules aside, send things to an address, trust a stranger, say nothing. The harm is still ahead, in every run that reads the entry, possibly for other users. It was written once and will be read many times.",
  confirm: [
    "Open the event. In a `memory_operation` look at `store`, `key` and the text written; in a call of a memory tool look at `arguments`. `standing-send-away` and `standing-override` leave little room for an innocent reading.",
    "Go back in the timeline to where the words came from: a page, mail or file read just before means an injection, and a firing of `prompt_injection` often stands there. A message of the user means that this user wanted it.",
    "`told-by-stranger` names the event that told it as evidence: read the passage there. Fields of a record, or words that the person or the house said elsewhere, speak for a harmless note. `told-by-customer` has no such event: the rule stands in a prompt of the same run; ask whether whoever wrote it may make rules.",
    "Find the reads: executions after this one with a `memory_operation` on the same `store` and `key`. Those runs are the ones to look at.",
    "Check whose memory it is. Shared by a team or by all users is far worse than one user's own.",
  ],
  contain: [
    "Delete the entry, and its copies in vector indexes, summaries and caches. A summary made since then may carry it under other words.",
    "Stop runs that have read it, and start them again with a clean memory.",
    "If you cannot tell which entries are bad, put the store back to a copy from before the event and take its writes away until the way in is closed.",
    "If a reader has acted on it, go on with the playbook of `injection_followed`.",
  ],
  fix: [
    "The agent decides by itself what to remember while it reads content from outside. Allow writes only in steps whose input is the user's own words.",
    "Memories are put into the prompt as instructions. Give them as data, in a marked block, with their origin and date.",
    "One memory serves several users. Key it by user, and check the key on the server.",
    "A memory tool takes free text. Take fields instead (name, language, tone), and refuse text that holds addresses or orders.",
  ],
  prevent: [
    "Store with each entry which execution wrote it, out of which source; then a bad run can be undone as a whole.",
    "Show users what is remembered of them and let them strike it out; they notice strange entries before you do.",
    "Let entries expire unless somebody confirms them.",
    "Run a check on reading as well as on writing: what is in the store today was written before you had this detector.",
  ],
  falseAlarms: [
    "Wishes that sound like standing orders fire now and then, such as “always copy my assistant” with an address. If address and user belong together, ignore the group.",
    "Memories that administrators seed with policies are written like orders because they are. Write them outside agent runs, or ask for more evidence: `bun run cli detector configure memory_poisoning --project PROJECT_ID --threshold score=0.85`.",
    "A poisoned entry without an order (a false fact, a changed account number) does not fire, and neither do tools whose name speaks of neither memory nor knowledge.",
  ],
  references: [
    {
      label: "Persistent data theft through an assistant's memory",
      url: "https://embracethered.com/blog/posts/2024/chatgpt-macos-app-persistent-data-exfiltration/",
    },
    {
      label: "OWASP LLM04: Data and Model Poisoning",
      url: "https://genai.owasp.org/llmrisk/llm042025-data-and-model-poisoning/",
    },
  ],
};
