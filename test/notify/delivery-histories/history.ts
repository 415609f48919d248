/**
 * What a history is played on: a database, one receiver whose answers wait for the history to give them, two
 * services' attempts, a clock, and the model that all is held against.
 */
import type { ServerResponse } from "node:http";
import { AttemptsUnderWay } from "../../../src/notify/attempts-under-way.ts";
import { type DeliveryCounters, emptyCounters } from "../../../src/notify/delivery-metrics.ts";
import { type ClaimedDelivery, claimDeliveries } from "../../../src/store/webhooks/deliveries.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import type { TestProject } from "../../support/projects.ts";
import { loopback } from "../fixtures.ts";
import { type ReceivedRequest, type Receiver, startReceiver } from "../receiver.ts";
import {
  type Answer,
  ATTEMPTS_OF_A_WEBHOOK_MAX,
  type Attempt,
  DeliveryModel,
  LEASE_MS,
} from "./delivery-model.ts";

interface Arrival {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
}

export interface World {
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  /** One attempt is begun at a time, so whatever arrives next is its request. */
  next(): Promise<Arrival>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  let arrived = Promise.withResolvers<Arrival>();
  const database = await cloneDatabase();
  const receiver = await startReceiver((response, request) => arrived.resolve({ response, request }));
  return {
    database,
    receiver,
    next() {
      arrived = Promise.withResolvers();
      return arrived.promise;
    },
    async close() {
      await receiver.close();
      await database.drop();
    },
  };
}

export interface UnderWay {
  readonly attempt: Attempt;
  readonly response: ServerResponse;
}

/** Attempts under way, as a service has them. */
export class Worker {
  readonly #attempts: AttemptsUnderWay;
  #ended = Promise.withResolvers<void>();
  underWay: UnderWay[] = [];

  constructor(
    readonly world: World,
    readonly clock: () => number,
    counters: DeliveryCounters,
  ) {
    this.#attempts = new AttemptsUnderWay({
      sql: world.database.sql,
      counters,
      allowedNetworks: loopback,
      timeoutMs: 600_000,
      resolve: undefined,
      ca: undefined,
      clock,
      random: () => 0,
      log: (_level, fields, message) => {
        if (message !== "notify: webhook disabled") throw new Error(`${message} ${JSON.stringify(fields)}`);
      },
      onEnd: () => this.#ended.resolve(),
    });
  }

  get claims() {
    return this.#attempts.claims;
  }

  async claim(oldestFirst: boolean) {
    return await claimDeliveries(this.world.database.sql, {
      nowMs: this.clock(),
      leaseMs: LEASE_MS,
      attemptsMax: 256,
      perWebhookMax: ATTEMPTS_OF_A_WEBHOOK_MAX,
      perProjectMax: 64,
      oldestFirst,
      running: this.claims,
    });
  }

  async begin(claim: ClaimedDelivery, attempt: Attempt): Promise<Arrival | null> {
    const arriving = this.world.next();
    const before = this.#attempts.size;
    this.#attempts.begin(claim);
    if (attempt.isVoid) {
      await this.#endedTo(before);
      return null;
    }
    const arrival = await arriving;
    this.underWay.push({ attempt, response: arrival.response });
    return arrival;
  }

  async answer(one: UnderWay, { status, retryAfterS }: Answer): Promise<void> {
    this.underWay = this.underWay.filter((other) => other !== one);
    one.response.writeHead(status, retryAfterS === null ? {} : { "Retry-After": String(retryAfterS) }).end();
    await this.#endedTo(this.underWay.length);
  }

  async #endedTo(size: number): Promise<void> {
    while (this.#attempts.size > size) {
      this.#ended = Promise.withResolvers();
      if (this.#attempts.size > size) await this.#ended.promise;
    }
  }

  /** Gives what was broken off, of which nothing is recorded. */
  async breakOff() {
    const claims = await this.#attempts.breakOff();
    const attempts = this.underWay.splice(0).map(({ attempt }) => attempt);
    return { claims, attempts };
  }
}

export class History {
  readonly model = new DeliveryModel();
  readonly bodies = new Map<string, string>();
  nowMs = Date.now();
  readonly clock = () => this.nowMs;
  readonly counters = emptyCounters();
  readonly workers: Worker[];
  readonly answers: readonly Answer[];
  constructor(
    readonly world: World,
    readonly projects: readonly TestProject[],
    readonly random: () => number,
    answers: readonly (readonly Answer[])[],
  ) {
    this.workers = [this.worker(), this.worker()];
    this.answers = this.oneOf(answers);
  }

  worker(): Worker {
    return new Worker(this.world, this.clock, this.counters);
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }
  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
  url(): string {
    return `${this.world.receiver.url}/${this.below(3)}`;
  }

  /** Deliveries that the model has not heard of, in the order of their webhooks. */
  async news(): Promise<{ id: string; webhookId: string; status: string }[]> {
    const rows = await this.world.database.sql<{ id: string; webhookId: string; status: string }[]>`
      select delivery_id as id, webhook_id as "webhookId", status from ats.delivery
      where project_no = any(${this.projects.map(({ projectNo }) => projectNo)}::int[]) order by webhook_id, delivery_id`;
    return rows.filter(({ id }) => !this.model.deliveries.has(id));
  }

  /** Everything that is stored of webhooks and deliveries. */
  async stored() {
    const projectNos = this.projects.map(({ projectNo }) => projectNo);
    const webhooks = await this.world.database.sql`
      select webhook_id as id, url, secret, disabled_reason as "disabledReason", disabled_at is not null as "isDisabled",
        failing_since as "failingSince", held_until as "heldUntil"
      from ats.webhook where project_no = any(${projectNos}::int[]) order by webhook_id`;
    const deliveries = await this.world.database.sql`
      select d.delivery_id as id, d.status, d.attempt_count as attempts, d.failure_count as failures, d.rank,
        case when d.finished_at is null then d.due_at end as due, d.finished_at as finished, d.last_outcome as outcome,
        (select coalesce(json_agg(json_build_array(a.attempt_no, coalesce(a.error_class = 'interrupted', false), a.status_code)
          order by a.attempt_no), '[]') from ats.delivery_attempt a where a.delivery_id = d.delivery_id) as log
      from ats.delivery d where d.project_no = any(${projectNos}::int[]) order by d.delivery_id`;
    const { delivered, failed, cancelled, testDelivered, testFailed, webhooksDisabled } = this.counters;
    return {
      counted: { delivered, failed, cancelled, testDelivered, testFailed, webhooksDisabled },
      webhooks: webhooks.map(({ failingSince, heldUntil, ...row }) => ({
        ...row,
        failingSinceMs: failingSince?.getTime() ?? null,
        heldUntilMs: heldUntil?.getTime() ?? null,
      })),
      deliveries: deliveries.map(({ due, finished, log, ...row }) => ({
        ...row,
        dueMs: due?.getTime() ?? null,
        finishedMs: finished?.getTime() ?? null,
        log: log.map(([number, isInterrupted, status]: [number, boolean, number | null]) => [
          number,
          isInterrupted ? "interrupted" : String(status),
        ]),
      })),
    };
  }

  expected() {
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    return {
      counted: this.model.counted,
      webhooks: [...this.model.webhooks.values()].sort(byId).map((one) => ({
        id: one.id,
        url: one.url,
        secret: one.secret,
        disabledReason: one.disabledReason,
        isDisabled: one.disabledReason !== null,
        failingSinceMs: one.failingSinceMs,
        heldUntilMs: one.heldUntilMs,
      })),
      deliveries: [...this.model.deliveries.values()].sort(byId).map((one) => ({
        id: one.id,
        status: one.status,
        attempts: one.attempts,
        failures: one.failures,
        rank: one.rank,
        dueMs: one.finishedMs === null ? Math.floor(one.dueMs) : null,
        finishedMs: one.finishedMs,
        outcome: one.outcome,
        log: [...one.log].sort(([a], [b]) => a - b),
      })),
    };
  }
}
