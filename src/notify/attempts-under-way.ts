import type { Sql } from "../store/database/connect.ts";
import { codeOf, loggableReason } from "../store/database/failure.ts";
import { type ClaimedDelivery, TEST_EVENT } from "../store/webhooks/deliveries.ts";
import {
  cancelClaim,
  cancelOwed,
  type FailedWebhook,
  recordFailure,
  recordSuccess,
} from "../store/webhooks/delivery-results.ts";
import type { NetworkList, Resolve } from "./address-guard.ts";
import { type SentAttempt, sendDelivery, verdictOf } from "./delivery-attempt.ts";
import { type DeliveryCounters, observe } from "./delivery-metrics.ts";

/**
 * The attempts under way, each from its claim to its record. Invariant: an attempt is recorded, or its lease
 * runs out and the delivery comes again under the same id. Owned by delivery-loop.ts, which decides what is
 * claimed.
 */

/** A result is worth some patience: what is not recorded is sent twice. */
const RECORD_TIMES_MAX = 5;
const RECORD_PAUSE_MS = 500;

export interface AttemptsUnderWayOptions {
  readonly sql: Sql;
  readonly counters: DeliveryCounters;
  readonly allowedNetworks: NetworkList;
  readonly timeoutMs: number;
  readonly resolve: Resolve | undefined;
  readonly ca: string | undefined;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: (level: "warn" | "error", fields: Record<string, unknown>, message: string) => void;
  /** There is room for another. */
  readonly onEnd: () => void;
}

interface AttemptUnderWay {
  readonly claim: ClaimedDelivery;
  readonly abort: AbortController;
  done: Promise<void>;
}

export class AttemptsUnderWay {
  readonly #options: AttemptsUnderWayOptions;
  readonly #underWay = new Set<AttemptUnderWay>();
  #isPatient = true;

  constructor(options: AttemptsUnderWayOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#underWay.size;
  }

  get claims(): ClaimedDelivery[] {
    return [...this.#underWay].map(({ claim }) => claim);
  }

  begin(claim: ClaimedDelivery): void {
    const { counters, log, onEnd } = this.#options;
    const begun: AttemptUnderWay = { claim, abort: new AbortController(), done: Promise.resolve() };
    this.#underWay.add(begun);
    begun.done = this.#deliver(claim, begun.abort.signal)
      .catch((error: unknown) => {
        counters.databaseErrors += 1;
        log(
          "error",
          { delivery_id: claim.deliveryId, code: codeOf(error), reason: loggableReason(error) },
          "notify: an attempt could not be recorded",
        );
      })
      .finally(() => {
        this.#underWay.delete(begun);
        onEnd();
      });
  }

  /** Resolves when all have ended that are under way, and those that begin meanwhile. */
  async ended(): Promise<void> {
    while (this.size > 0) await Promise.all([...this.#underWay].map(({ done }) => done));
  }

  /** What cannot be recorded is given up at the first failure from now on. */
  hurry(): void {
    this.#isPatient = false;
  }

  /** Gives the claims of what was broken off: what their receivers made of them is not known. */
  async breakOff(): Promise<ClaimedDelivery[]> {
    const brokenOff = [...this.#underWay];
    for (const { abort } of brokenOff) abort.abort();
    await Promise.all(brokenOff.map(({ done }) => done));
    return brokenOff.map(({ claim }) => claim);
  }

  async #deliver(claim: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { sql, counters, allowedNetworks, timeoutMs, resolve, ca, clock } = this.#options;
    if (claim.webhookDisabledAt !== null && claim.event !== TEST_EVENT) {
      await cancelClaim(sql, claim, clock());
      counters.cancelled += 1;
      return;
    }
    const sent = await sendDelivery(claim, {
      allowedNetworks,
      timeoutMs,
      resolve,
      ca,
      signal,
      nowMs: clock(),
    });
    if (!signal.aborted) await this.#record(claim, sent);
  }

  async #record(claim: ClaimedDelivery, sent: SentAttempt): Promise<void> {
    const { counters, clock } = this.#options;
    const nowMs = clock();
    const { errorClass, durationMs } = sent.attempt;
    const result = errorClass ?? "success";
    counters.attempts[result] = (counters.attempts[result] ?? 0) + 1;
    observe(counters.attemptSeconds, durationMs);
    if (errorClass === null) await this.#recordSuccess(claim, sent, nowMs);
    else await this.#recordFailure(claim, sent, nowMs);
  }

  async #recordSuccess(claim: ClaimedDelivery, { attempt }: SentAttempt, nowMs: number): Promise<void> {
    const { sql, counters } = this.#options;
    const isNews = await this.#insist(() => recordSuccess(sql, { claim, attempt, nowMs }));
    if (!isNews) return;
    if (claim.event === TEST_EVENT) {
      counters.testDelivered += 1;
      return;
    }
    counters.delivered += 1;
    observe(counters.deliverySeconds, Math.max(0, nowMs - claim.createdAt.getTime()));
  }

  async #recordFailure(claim: ClaimedDelivery, sent: SentAttempt, nowMs: number): Promise<void> {
    const { sql, counters, random, log } = this.#options;
    const drawn = random();
    const decide = (webhook: FailedWebhook) => verdictOf({ claim, webhook, sent, nowMs, random: drawn });
    const { attempt } = sent;
    const { status, disabledFor } = await this.#insist(() =>
      recordFailure(sql, { claim, attempt, nowMs, decide }),
    );
    if (status === "failed") counters[claim.event === TEST_EVENT ? "testFailed" : "failed"] += 1;
    if (status === "cancelled") counters.cancelled += 1;
    if (disabledFor === null) return;
    counters.webhooksDisabled += 1;
    log("warn", { webhook_id: claim.webhookId, reason: disabledFor }, "notify: webhook disabled");
    counters.cancelled += await this.#insist(() => cancelOwed(sql, claim, nowMs));
  }

  async #insist<T>(work: () => Promise<T>): Promise<T> {
    for (let timesLeft = RECORD_TIMES_MAX - 1; ; timesLeft -= 1) {
      try {
        return await work();
      } catch (error) {
        if (timesLeft === 0 || !this.#isPatient) throw error;
        await Bun.sleep(RECORD_PAUSE_MS);
      }
    }
  }
}
