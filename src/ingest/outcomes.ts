import type { MetricDeclaration, MetricRegistry, Slot } from "../metrics/registry.ts";

/**
 * Exactly one outcome for every event of an authenticated request, counted here and nowhere else:
 *
 *   accepted    newly stored, and committed
 *   duplicate   already stored
 *   rejected    refused for good, by reason: sending it again as it is will not help
 *   limited     the project's bucket was empty
 *   shed        not taken now, by reason: to be sent again
 *
 * So at any quiet moment: sent = the sum over all outcomes, and accepted = rows.
 */

export const REJECTION_REASONS = [
  "invalid_event",
  "batch_rejected",
  "execution_not_found",
  "project_mismatch",
  "unsupported_schema_version",
  "batch_too_large",
  "refused_by_database",
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

export const SHED_REASONS = ["overloaded", "database_unavailable", "draining"] as const;
export type ShedReason = (typeof SHED_REASONS)[number];

const EVENTS = "ats_events_total";

export const OUTCOME_METRICS: readonly MetricDeclaration[] = [
  {
    name: EVENTS,
    kind: "counter",
    help: "Events of authenticated requests by outcome; the sum over all series is what was sent.",
    series: [
      { outcome: "accepted", reason: "" },
      { outcome: "duplicate", reason: "" },
      { outcome: "limited", reason: "" },
      ...REJECTION_REASONS.map((reason) => ({ outcome: "rejected", reason })),
      ...SHED_REASONS.map((reason) => ({ outcome: "shed", reason })),
    ],
  },
  {
    name: "ats_payload_characters_replaced_total",
    kind: "counter",
    help: "U+0000 and lone surrogates replaced by U+FFFD in payloads that were encoded.",
  },
];

export class Outcomes {
  readonly #metrics: MetricRegistry;
  readonly #accepted: Slot;
  readonly #duplicate: Slot;
  readonly #limited: Slot;
  readonly #replaced: Slot;
  readonly #rejected = new Map<RejectionReason, Slot>();
  readonly #shed = new Map<ShedReason, Slot>();

  constructor(metrics: MetricRegistry) {
    this.#metrics = metrics;
    this.#accepted = metrics.slot(EVENTS, { outcome: "accepted", reason: "" });
    this.#duplicate = metrics.slot(EVENTS, { outcome: "duplicate", reason: "" });
    this.#limited = metrics.slot(EVENTS, { outcome: "limited", reason: "" });
    this.#replaced = metrics.slot("ats_payload_characters_replaced_total");
    for (const reason of REJECTION_REASONS) {
      this.#rejected.set(reason, metrics.slot(EVENTS, { outcome: "rejected", reason }));
    }
    for (const reason of SHED_REASONS)
      this.#shed.set(reason, metrics.slot(EVENTS, { outcome: "shed", reason }));
  }

  stored(accepted: number, duplicates: number): void {
    this.#metrics.add(this.#accepted, accepted);
    this.#metrics.add(this.#duplicate, duplicates);
  }

  rejected(reason: RejectionReason, events: number): void {
    this.#metrics.add(this.#rejected.get(reason)!, events);
  }

  limited(events: number): void {
    this.#metrics.add(this.#limited, events);
  }

  shed(reason: ShedReason, events: number): void {
    this.#metrics.add(this.#shed.get(reason)!, events);
  }

  replacedCharacters(count: number): void {
    this.#metrics.add(this.#replaced, count);
  }
}
