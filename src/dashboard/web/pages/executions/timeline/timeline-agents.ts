import { handedOver, type TimelineHandoff } from "./timeline-rows.ts";

/** Who held the work from one event on, up to where the next span begins. */
export interface AgentSpan {
  readonly fromSequence: number;
  readonly agents: readonly string[];
}

const COLOURS = [
  "text-series-7",
  "text-series-2",
  "text-series-3",
  "text-series-5",
  "text-series-4",
  "text-series-6",
  "text-series-1",
  "text-series-8",
] as const;

/** A colour for each agent, in the order in which they come up; from the ninth on they share. */
export function agentColours(handoffs: readonly TimelineHandoff[]): ReadonlyMap<string, string> {
  const colours = new Map<string, string>();
  for (const { from_agent, to_agent } of handoffs) {
    for (const agent of [from_agent, to_agent]) {
      if (agent !== null && !colours.has(agent)) colours.set(agent, COLOURS[colours.size % COLOURS.length]!);
    }
  }
  return colours;
}

/** The whole execution by who held the work; empty where nothing was handed over. */
export function agentSpans(handoffs: readonly TimelineHandoff[]): readonly AgentSpan[] {
  const first = handoffs.find(({ from_agent }) => from_agent !== null)?.from_agent;
  if (first === undefined || first === null) return [];
  const spans: AgentSpan[] = [{ fromSequence: 0, agents: [first] }];
  for (const handoff of handoffs) {
    const agents = handedOver(spans.at(-1)!.agents, handoff);
    // The hand-over itself still belongs to the one who hands over.
    spans.push({ fromSequence: handoff.sequence + 1, agents });
  }
  return spans;
}

/** Who holds the work at an event. */
export function agentsAt(spans: readonly AgentSpan[], sequence: number): readonly string[] {
  return spans.findLast(({ fromSequence }) => fromSequence <= sequence)?.agents ?? [];
}
