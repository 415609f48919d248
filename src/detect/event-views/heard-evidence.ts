import { evidenceOf, type WorkEvidence } from "../building-blocks/calls/work-evidence.ts";
import type { DetectorEvent } from "../detector.ts";
import { chatTurnOf } from "./chat-turn.ts";

/**
 * What calls of tools came to, where a client sends model calls alone: the results stand in the next call's
 * input. They come before the answer of their event and behind the one before it, so their places are parts
 * of one.
 */
const CALLS_MAX = 16;

export function heardIn(event: DetectorEvent, hasFailedBefore: boolean): readonly WorkEvidence[] {
  const { results, before } = chatTurnOf(event);
  const count = Math.min(results.length, CALLS_MAX);
  const heard: WorkEvidence[] = [];
  let isAfterFailure = hasFailedBefore;
  for (let i = 0; i < count; i++) {
    const { id, tool, value, errorText } = results[i]!;
    const call = id === "" ? before[i] : before.find((one) => one.id === id);
    if (tool === "") continue;
    const evidence = evidenceOf({
      seq: event.sequence - 1 + (i + 1) / (CALLS_MAX + 1),
      view: { tool, failed: errorText !== "", errorText, told: null },
      args: call?.args,
      result: value,
      eventId: () => event.eventId,
      isAfterFailure,
    });
    isAfterFailure ||= evidence.failed;
    heard.push(evidence);
  }
  return heard;
}
