import type { Playbook } from "./playbook.ts";

export const systemPromptExtraction: Playbook = {
  failureClass: "system_prompt_extraction",
  meaning:
    "Somebody asked the model for its hidden instructions: outright, word for word, in a code block, or as “everything above this line”. The detector sees the question and not the answer, so the first thing to find out is whether the model gave them away.",
  confirm: [
    "Open the event and compare `output` of the same or the next `llm_call` with your system prompt. A few sentences of it in a row are a leak; a paraphrase is half of one.",
    "Judge the asker by the rule: `reveals-hidden-text` and `repeats-instructions` ask plainly, `override-and-reveal` sets rules aside as well, `starts-with-its-frame` knows how prompts are built.",
    "Look for what follows in the same session. Reading the rules is often the first step before `jailbreak_attempt` or `prompt_injection`.",
    "If the question came out of a tool's result, the asker is whoever wrote that content, and the answer goes to whoever the agent reports to.",
  ],
  contain: [
    "If the prompt leaked and holds a key, a password, an internal address or a customer's name, treat those as published: rotate the key now.",
    "If it describes checks that are enforced nowhere else (“never refund above 100”), enforce them in code before somebody uses the knowledge.",
    "If it leaked and holds nothing secret, nothing burns. Note which version is out, and go back to bed.",
  ],
  fix: [
    "Secrets or rights stand in the prompt. Take them out: what a prompt holds is known to everybody who can talk to the model.",
    "Business rules are left to the model's discretion. Move them into the tools, which refuse whatever the model says.",
    "Tool names, schemas and internal hosts are repeated in the prompt without need. Say only what the model must know.",
    "Nothing looks at the answer. Compare `output` with the prompt (shared runs of eight words or so) and stop it where they match.",
  ],
  prevent: [
    "Write every system prompt as if it were to be printed on the help page.",
    "Put a canary string into it that occurs nowhere else, and alert on that string in answers and on the web.",
    "Keep different prompts for different rights rather than one prompt that lists what administrators may do.",
  ],
  falseAlarms: [
    "Who asks for steps again that the model has just given is left alone; later in the chat the same words fire. Work on prompts fires: an assistant for prompt writing, a support question about instructions for a device. The rule asks for the model's own text, yet near-misses remain.",
    "Users who ask “what can you do?” are passed over. If they ask for your rules as an ordinary thing, raise the evidence: `bun run cli detector configure system_prompt_extraction --project PROJECT_ID --threshold score=0.8`.",
    "It finds somewhat more than half of the known ways to ask. A leak without a firing is possible; only a look at the answers finds it.",
  ],
  references: [
    {
      label: "OWASP LLM07: System Prompt Leakage",
      url: "https://genai.owasp.org/llmrisk/llm072025-system-prompt-leakage/",
    },
    {
      label: "Effective Prompt Extraction from Language Models",
      url: "https://arxiv.org/abs/2307.06865",
    },
  ],
};
