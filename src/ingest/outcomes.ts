import type { MetricDeclaration, MetricRegistry, Slot } from "../metrics/registry.ts";
import type { OutcomeTally, Sender, Series } from "./outcome-tally.ts";

/**
 * Exactly one outcome for every event of an authenticated request, counted here and nowhere else:
 *
 *   accepted    newly stored, and committed
 *   duplicate   already stored
 *   rejected    refused for good, by reason: sending it again as it is will not help
 *   limited     the project's bucket was empty
 *   shed        not taken now, by reason: to be sent again
 *
 * So at any quiet moment what was sent is the sum over all outcomes, and what was accepted is the number of
 * rows. Counted for the process in /metrics, and by project, key and minute in the tally.
 */

const REJECTION_REASONS = [
  "invalid_event",
  "batch_rejected",
  "execution_not_found",
  "project_mismatch",
  "unsupported_schema_version",
  "unsupported_media_type",
  "invalid_json",
  "batch_too_large",
  "refused_by_database",
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

const SHED_REASONS = ["overloaded", "database_unavailable", "draining"] as const;
export type ShedReason = (typeof SHED_REASONS)[number];

const EVENTS = "ats_events_total";

/** Every outcome that there is; the index of one is its number in the tally. */
export const OUTCOME_SERIES: readonly Series[] = [
  { outcome: "accepted", reason: "" },
  { outcome: "duplicate", reason: "" },
  { outcome: "limited", reason: "" },
  ...REJECTION_REASONS.map((reason) => ({ outcome: "rejected", reason })),
  ...SHED_REASONS.map((reason) => ({ outcome: "shed", reason })),
];

export const OUTCOME_METRICS: readonly MetricDeclaration[] = [
  {
    name: EVENTS,
    kind: "counter",
    help: "Events of authenticated requests by outcome; the sum over all series is what was sent.",
    series: OUTCOME_SERIES.map((series) => ({ ...series })),
  },
  {
    name: "ats_payload_characters_replaced_total",
    kind: "counter",
    help: "U+0000 and lone surrogates replaced by U+FFFD in payloads that were encoded.",
  },
];

const seriesNo = (outcome: string, reason = "") =>
  OUTCOME_SERIES.findIndex((series) => series.outcome === outcome && series.reason === reason);
const ACCEPTED = seriesNo("accepted");
const DUPLICATE = seriesNo("duplicate");
const LIMITED = seriesNo("limited");
const REJECTED = new Map(REJECTION_REASONS.map((reason) => [reason, seriesNo("rejected", reason)]));
const SHED = new Map(SHED_REASONS.map((reason) => [reason, seriesNo("shed", reason)]));

export class Outcomes {
  readonly #metrics: MetricRegistry;
  readonly #tally: Pick<OutcomeTally, "add">;
  readonly #slots: readonly Slot[];
  readonly #replaced: Slot;
  readonly #onUnstored: () => void;

  /** `onUnstored`: events were refused because the database did not take them. */
  constructor(metrics: MetricRegistry, tally: Pick<OutcomeTally, "add">, onUnstored: () => void = () => {}) {
    this.#onUnstored = onUnstored;
    this.#metrics = metrics;
    this.#tally = tally;
    this.#slots = OUTCOME_SERIES.map((series) => metrics.slot(EVENTS, { ...series }));
    this.#replaced = metrics.slot("ats_payload_characters_replaced_total");
  }

  stored(sender: Sender, accepted: number, duplicates: number): void {
    this.#add(sender, ACCEPTED, accepted);
    this.#add(sender, DUPLICATE, duplicates);
  }

  rejected(sender: Sender, reason: RejectionReason, events: number): void {
    this.#add(sender, REJECTED.get(reason)!, events);
  }

  limited(sender: Sender, events: number): void {
    this.#add(sender, LIMITED, events);
  }

  shed(sender: Sender, reason: ShedReason, events: number): void {
    if (reason === "database_unavailable") this.#onUnstored();
    this.#add(sender, SHED.get(reason)!, events);
  }

  replacedCharacters(count: number): void {
    this.#metrics.add(this.#replaced, count);
  }

  #add(sender: Sender, series: number, events: number): void {
    this.#metrics.add(this.#slots[series]!, events);
    this.#tally.add(sender, series, events);
  }
}
