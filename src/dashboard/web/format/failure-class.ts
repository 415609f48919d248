const written: Record<string, string> = { mcp: "MCP", pii: "PII" };

/** `mcp_tool_drift` in words: MCP tool drift. */
export function formatClass(failureClass: string): string {
  const words = failureClass.split("_").map((word) => written[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A rule as it is called within its class: there `prompt_injection/override-weak` is override-weak. One of
 * another class keeps that.
 */
export function formatRule(ruleId: string, failureClass: string): string {
  return ruleId.startsWith(`${failureClass}/`) ? ruleId.slice(failureClass.length + 1) : ruleId;
}
