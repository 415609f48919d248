import type { Playbook } from "./playbook.ts";

export const mcpToolPoisoning: Playbook = {
  failureClass: "mcp_tool_poisoning",
  meaning:
    "The description or schema that a server gives for a tool orders the model about: read a file that is none of its business, call or avoid other tools, hide something from the user. The model reads such a description in every run that has the tool at hand, even if it is never called. Assume a hostile or taken-over server until its publisher shows otherwise.",
  confirm: [
    "Open the event and read `description` and `input_schema`, or the `result` of the `tools/list` call, to the very end: orders stand after many blank lines, in parameter descriptions, in enum values.",
    "The rule tells the aim: `reads-sensitive-file` wants keys and configurations, `orders-before-use` steers other tools, `takes-conversation` copies the chat, `redirects-recipient` adds a reader, `hidden-from-user` wants silence.",
    "Compare with the source of the `server`: its repository, the version that you approved, what another machine gets. A firing of `mcp_tool_drift` for the same tool says since when.",
    "Search the executions since then for what it asks: file reads with such paths, a parameter that suddenly carries a lot of text, egress to an address in the description.",
  ],
  contain: [
    "Take the server out of every agent's configuration, not only out of this run: the description works without being called.",
    "Stop the runs that have loaded it. Their context already holds the order.",
    "Rotate the files that it asked for (SSH keys, cloud credentials, the configuration of the MCP client with the tokens of other servers) wherever such a run could read them.",
    "Block the hosts and addresses named in the description.",
  ],
  fix: [
    "Somebody installed a server found on the web. Remove it, and take servers only from a list that a person has read.",
    "A known package was taken over or bought. Go back to the last good version, pin it by digest, tell its registry.",
    "The descriptions come from a remote server that may change at any time. Keep an approved copy and give the model that copy rather than what arrives.",
    "Your own description is written like an order (“always call this first”). Say what the tool does and leave the order of calls to the system prompt.",
  ],
  prevent: [
    "Approve tools by a fingerprint of name, description and schema, and refuse to load anything else.",
    "Run each server in its own sandbox with only the files and hosts that it needs; then a stolen path leads to nothing.",
    "Do not load servers of different trust into one context: the lesser one can steer the tools of the better one.",
    "Show people full descriptions at the time of approval, with invisible characters made visible.",
  ],
  falseAlarms: [
    "Honest descriptions give orders too. “Call search before open” and “ask the user first” are left alone, a place before all other tools is not. If the text stays within its own tool, ask its author for plainer words, or ask for more evidence: `bun run cli detector configure mcp_tool_poisoning --project PROJECT_ID --threshold score=0.85`.",
    "Secret managers and SSH tools name sensitive paths because these are their work. Ignore that one group.",
    "Descriptions that never reach the telemetry are not seen: a client has to send `description` or the answer to `tools/list`. Payloads in shell syntax are mostly missed here.",
  ],
  references: [
    {
      label: "Tool poisoning attacks on MCP",
      url: "https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks",
    },
    {
      label: "MCP: Security Best Practices",
      url: "https://modelcontextprotocol.io/specification/2025-06-18/basic/security_best_practices",
    },
    { label: "OWASP LLM03: Supply Chain", url: "https://genai.owasp.org/llmrisk/llm032025-supply-chain/" },
  ],
};
