import { formatCount } from "../../../format/number.ts";
import type { HandoverGraph } from "../execution-queries.ts";

/** How the parts of the graph are called and coloured, however it is drawn. */

export const kindNames = { agent: "agent", tool: "tool", mcp_server: "MCP server" } as const;

export const nodeColours = {
  agent: "text-series-7",
  tool: "text-series-2",
  mcp_server: "text-series-5",
} as const;

export const edgeColours = {
  handoff: { stroke: "stroke-series-7", fill: "fill-series-7" },
  call: { stroke: "stroke-faint", fill: "fill-faint" },
} as const;

/** What it is, and how much it was used. */
export function nodeWords({ kind, count, failed_count }: HandoverGraph["nodes"][number]): string {
  const uses = kind === "agent" ? "event" : "call";
  const failed = failed_count > 0 ? `, ${formatCount(failed_count)} failed` : "";
  return `${kindNames[kind]} · ${formatCount(count)} ${uses}${count === 1 ? "" : "s"}${failed}`;
}
