import type { Playbook } from "./playbook.ts";

export const mcpToolDrift: Playbook = {
  failureClass: "mcp_tool_drift",
  meaning:
    "A tool of an MCP server no longer describes itself as it did: its description, its input schema or both differ from the last four versions that this project has seen. Mostly that is an upgrade. It is also what a tool looks like that was swapped after somebody approved it.",
  confirm: [
    "The excerpt names tool and server and begins the new description. Open the event for the whole of `description` and `input_schema`, and an execution from before `first_seen_at` for the old ones.",
    "Read the difference as an attacker would write it: orders to the model, paths of files, addresses, a new free text parameter that invites the whole conversation. A firing of `mcp_tool_poisoning` on the same event settles it.",
    "Ask the publisher's release notes, or the repository of your own `server`, whether this change was made, and when it was rolled out to you.",
    "See whether all tools of the server changed together (an upgrade) or one alone (look twice), and whether several machines get the same text.",
  ],
  contain: [
    "If nobody can explain it, take the server out of the configuration now. Agents can do without a tool for a night.",
    "Stop runs that have already loaded the new description if it holds orders.",
    "Pin the version that was approved, and start again with that one.",
    "If the schema alone changed and calls now fail (`tool_error_burst` beside it), go back to the old version rather than forward at this hour.",
  ],
  fix: [
    "The server is installed as latest. Pin a version and its digest, and upgrade by a reviewed change.",
    "It is a remote server that changes when its owner likes. Keep the approved definitions on your side, and compare at start.",
    "Descriptions are generated with something that varies: a date, a count of records, a list of tables. Leave that out of the description.",
    "The server's owner changed. Find out who they are before you go on using it.",
  ],
  prevent: [
    "Have a person approve tool definitions by fingerprint; load no others.",
    "Let your CI start each server and compare its definitions with a file under version control. Then the drift is a diff in a review.",
    "Give each server only the access that its tools need: a swapped tool inherits what the old one had.",
  ],
  falseAlarms: [
    "After a planned upgrade every changed tool fires once. Resolve the groups; the new version is remembered from now on.",
    "A server whose descriptions hold live data fires again and again: `bun run cli detector configure mcp_tool_drift --project PROJECT_ID --allow warehouse,tickets/search`, a server or one tool of it.",
    "Two versions side by side during a rollout fire once and then no more, since four versions are kept in mind.",
    "A tool that was hostile from the first sight does not drift, and beyond 900 tools none is watched.",
  ],
  references: [
    {
      label: "MCP: Security Best Practices",
      url: "https://modelcontextprotocol.io/specification/2025-06-18/basic/security_best_practices",
    },
    {
      label: "Tool poisoning and rug pulls in MCP",
      url: "https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks",
    },
    { label: "OWASP LLM03: Supply Chain", url: "https://genai.owasp.org/llmrisk/llm032025-supply-chain/" },
  ],
};
