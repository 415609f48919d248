/**
 * A database, receivers and delivery loops for one test file. Invariant: after each test its loops and
 * receivers are stopped and its deliveries gone, so a test's leftovers are nobody else's work.
 */
import { afterAll, afterEach, beforeAll } from "bun:test";
import type { DeliveryLoop, DeliveryLoopOptions } from "../../src/notify/delivery-loop.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { deliveriesOf, type StoredDelivery, startLoop, type TestWebhook } from "./fixtures.ts";
import { type Answer, type Receiver, startReceiver } from "./receiver.ts";

export interface StoredWebhook {
  disabledAt: Date | null;
  disabledReason: string | null;
  failingSince: Date | null;
}

export interface DeliverySuite {
  readonly database: TestDatabase;
  receiving(answer?: Answer): Promise<Receiver>;
  looping(options?: Partial<DeliveryLoopOptions>): DeliveryLoop;
  /** Waits until `count` deliveries of the webhook have the status; gives all of them. */
  settled(webhook: TestWebhook, status: string, count?: number): Promise<StoredDelivery[]>;
  webhookRow(webhook: TestWebhook): Promise<StoredWebhook>;
}

export function deliverySuite(): DeliverySuite {
  let database: TestDatabase | undefined;
  const receivers: Receiver[] = [];
  const loops: DeliveryLoop[] = [];
  const started = (): TestDatabase => {
    if (database === undefined) throw new Error("the suite's database is there from beforeAll on");
    return database;
  };

  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(() => database?.drop());
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await started().sql`delete from ats.delivery`;
  });

  return {
    get database() {
      return started();
    },
    async receiving(answer) {
      const receiver = await startReceiver(answer);
      receivers.push(receiver);
      return receiver;
    },
    looping(options = {}) {
      const loop = startLoop(started().url, options);
      loops.push(loop);
      return loop;
    },
    async settled(webhook, status, count = 1) {
      await eventually(`${count} deliveries are ${status}`, async () => {
        const found = await deliveriesOf(started().sql, webhook);
        return found.filter((delivery) => delivery.status === status).length === count;
      });
      return await deliveriesOf(started().sql, webhook);
    },
    async webhookRow(webhook) {
      const [row] = await started().sql<StoredWebhook[]>`
        select disabled_at as "disabledAt", disabled_reason as "disabledReason", failing_since as "failingSince"
        from ats.webhook where webhook_id = ${webhook.webhookId}`;
      if (row === undefined) throw new Error(`no webhook ${webhook.webhookId}`);
      return row;
    },
  };
}
