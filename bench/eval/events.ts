import { plainPayload } from "../../src/detect/client-forms/plain-payload.ts";
import type { DetectorEvent } from "../../src/detect/detector.ts";
import type { EventType } from "../../src/ingest/wire/event-types.ts";

/**
 * Builds the events of one run with rising sequence numbers, their payloads read as the service reads them.
 */
export class EventList {
  readonly events: DetectorEvent[] = [];

  add(type: EventType, payload: Record<string, unknown>): void {
    const sequence = this.events.length + 1;
    this.events.push({
      eventId: `e${sequence}`,
      type,
      sequence,
      timestampMs: sequence * 1_000,
      receivedMs: sequence * 1_000,
      payload: plainPayload(type, payload),
    });
  }
}

/** Where a text comes from, as an event says it. */
export type TextPlace = "prompt" | "tool" | "answer" | "description" | "memory";

const TEXT_PLACES: ReadonlySet<unknown> = new Set<TextPlace>([
  "prompt",
  "tool",
  "answer",
  "description",
  "memory",
]);

export const isTextPlace = (value: unknown): value is TextPlace => TEXT_PLACES.has(value);

export function eventOf(text: string, place: TextPlace): DetectorEvent {
  const list = new EventList();
  switch (place) {
    case "prompt":
      list.add("llm_call", { model: "m", input: text });
      break;
    case "answer":
      list.add("llm_call", { model: "m", output: text });
      break;
    case "tool":
      list.add("tool_call", { tool_name: "fetch_data", call_id: "c1", result: text });
      break;
    case "description":
      list.add("mcp_call", { server: "s", method: "tools/list", tool_name: "t", description: text });
      break;
    case "memory":
      list.add("memory_operation", { operation: "write", store: "s", key: "k", content: text });
      break;
  }
  return list.events[0] as DetectorEvent;
}
