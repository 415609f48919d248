import type { Playbook } from "./playbook.ts";

export const promptInjection: Playbook = {
  failureClass: "prompt_injection",
  meaning:
    "A text that should only be data gave orders to the model: a tool's result, a retrieved document, a recalled memory, or a prompt that sets the rules aside. This says that the text was there, not that the model obeyed. Whether it did shows in a firing of `injection_followed` in the same execution, or in the calls that come after.",
  confirm: [
    "Open the event that fired. The excerpt is the passage, and the rule says how it speaks: `override-instructions` sets aside what came before, `acts-before-the-task` wants something done first, `kept-from-the-user` asks for silence, `sends-data-away` names an address to send to.",
    "Find out who wrote it. In a `tool_call` or `mcp_call` look at `tool_name` and `arguments`: which page, mail, ticket or file did the agent open? In an `llm_call` look at the role of the message that holds the passage.",
    "Read the timeline after that event. A call that changes something and carries an address, an account, a file or a URL out of the passage means that the model obeyed, whether or not `injection_followed` fired.",
    "Rule `client-alert` means that your own detector sent an `injection_alert`: compare its `score`, `verdict` and `source` with the text that it names.",
    "In the system that the content came from, search for the same passage. One poisoned page or mail usually waits for more than one run: the group's list of executions shows who met it already.",
  ],
  contain: [
    "Stop the run if it is still going and holds a tool that sends, pays, deletes or executes. Its context holds the attacker's text; no later turn of it can be trusted.",
    "Take the content away from the agents: quarantine the mail, unpublish the page, drop the document from the index, close the ticket. Otherwise every run that reads it meets it again.",
    "If the model obeyed, undo what it did (recall the mail, reverse the payment, restore the file) and revoke the credentials that the called tool used.",
    "Until the source is clean, put the tools that change something behind a person's approval for runs that read from it.",
  ],
  fix: [
    "The agent reads what strangers can write (mail, web, issues, shared files) and holds tools that act, all in one context. Split it: one model without tools reads and answers in a fixed form, another acts on that form.",
    "Tool output is pasted into the prompt as if it were part of the conversation. Send it in the role meant for tool results, marked as data, and tell the model that nothing in it is an order.",
    "The prompt came from a user who tries the limits. Then no content is poisoned: look at the account, and at what such a user could have reached.",
    "The passage came back from a memory. Look for the write in the older executions (`memory_poisoning`), and delete the entry.",
  ],
  prevent: [
    "Let no single run combine private data, untrusted content and a way out. Taking away any one of the three makes most injections harmless.",
    "Give tools the narrowest reach that the task needs: recipients from the user's contacts only, payments only to known payees, fetches only of hosts on a list.",
    "Ask a person before acts that cannot be undone, and show the values that will be used rather than the model's account of them.",
    "Replay the passages that were found here as test cases before each change of model or prompt.",
  ],
  falseAlarms: [
    "Texts about injections fire: security articles, tickets that quote an attack, this product's own reports read by an agent. Ignore that group rather than raising a threshold for all.",
    "Users who take back their own words are left alone where the subject or the reason is told (“my instructions about the branch”); “ignore my previous instructions” by itself fires. Where that is ordinary talk: `bun run cli detector configure prompt_injection --project PROJECT_ID --threshold promptScore=0.85`.",
    "A client's detector that alerts too readily without a verdict is held back with `--threshold alertScore=0.8`; better still, have it send `verdict`.",
    "Raise `untrustedScore` last: below it lie the injections that use no telltale word. And silence is no proof: a plain request in data, an image, or a language outside the lexicon is not seen at all.",
  ],
  references: [
    {
      label: "OWASP LLM01: Prompt Injection",
      url: "https://genai.owasp.org/llmrisk/llm01-prompt-injection/",
    },
    {
      label: "Design Patterns for Securing LLM Agents against Prompt Injections (2025)",
      url: "https://arxiv.org/abs/2506.08837",
    },
    {
      label: "The lethal trifecta for AI agents",
      url: "https://simonwillison.net/2025/Jun/16/the-lethal-trifecta/",
    },
  ],
};
