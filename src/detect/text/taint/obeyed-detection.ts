import type { ToolClass } from "../../building-blocks/calls/tool-class.ts";
import { excerptOf } from "../../building-blocks/excerpt.ts";
import type { Detection } from "../../detector.ts";

/** Where a value was told: in a flagged passage, or in what a tool said and nobody flagged. */
export interface Source {
  /** As it stood: what a person is shown. */
  readonly stood: string;
  readonly eventId: string;
  readonly rule: string | null;
}

/** What carried the value, and where: the event, the last part of the signature and the rule. */
export interface Carrier {
  readonly eventId: string;
  readonly kind: ToolClass | "egress";
  readonly rule:
    | "tainted-argument"
    | "tainted-destination"
    | "told-deed"
    | "told-together"
    | "looked-up"
    | "unasked-deed"
    | "told-machine";
}

/** The detection of an act that a tool's text led to, by a value of that text, in comparable form. */
export function obeyedDetection({ eventId, kind, rule }: Carrier, source: Source, value: string): Detection {
  const words = source.stood.toLowerCase();
  // A letter that is two in lower case shifts all places behind it.
  const text = words.length === source.stood.length ? source.stood : words;
  const at = words.indexOf(value);
  const isFlagged = source.rule !== null;
  return {
    signatureParts: [source.rule ?? rule, kind],
    severity: isFlagged ? "critical" : "high",
    ruleIds: [`injection_followed/${rule}`, ...(isFlagged ? [source.rule] : [])],
    score: isFlagged ? 0.95 : 0.75,
    excerpt: excerptOf(text, at, at + value.length),
    eventId,
    evidenceEventIds: [source.eventId],
  };
}
