/**
 * sent = the sum of all outcomes, and accepted = rows: under seeded good, bad, duplicate, limited and lenient
 * traffic.
 */
import { expect, test } from "bun:test";
import { clientOf, type Reply } from "../support/client.ts";
import { type EventBody, eventBatch, eventBody, newExecution, seededRandom } from "../support/fixtures.ts";
import { inParallel } from "../support/load.ts";
import { outcomesOf, scrape } from "../support/metrics.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite({ limited: { narrow: { rateBurst: 20, ratePerSecond: 1 } } });

interface Tally {
  sent: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  limited: number;
}

function tallyReply(tally: Tally, events: number, reply: Reply): void {
  tally.sent += events;
  if (reply.status === 200 || reply.status === 207) {
    const body = reply.json as { accepted: number; duplicates: number; rejected?: unknown[] };
    tally.accepted += body.accepted;
    tally.duplicates += body.duplicates;
    tally.rejected += body.rejected?.length ?? 0;
    expect(body.accepted + body.duplicates + (body.rejected?.length ?? 0)).toBe(events);
  } else if (reply.status === 429) tally.limited += events;
  else if ([400, 403, 404, 413].includes(reply.status)) tally.rejected += events;
  else throw new Error(`unexpected ${reply.status} ${reply.text.slice(0, 300)}`);
}

test("every event has one outcome, every accepted event one row", async () => {
  const random = seededRandom(20_261_121);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const clients = [suite.client, clientOf(suite.service.url, suite.stranger.key)];
  const runs = await Promise.all(
    clients.map((client) => Promise.all(Array.from({ length: 8 }, () => newExecution(client)))),
  );
  const narrow = suite.limited("narrow").client;
  const narrowRun = await newExecution(narrow);
  const seen: EventBody[][] = clients.map(() => []);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  const jobs = Array.from({ length: 400 }, (_, index) => {
    const who = index % 2;
    const run = pick(runs[who]!);
    const events: unknown[] = eventBatch(run, 1 + Math.floor(random() * 60));
    const kind = random();
    if (kind < 0.25) for (let i = 0; i < 10 && seen[who]!.length > 0; i += 1) events.push(pick(seen[who]!));
    else if (kind < 0.35) events.push({ ...eventBody(run), sequence: -1 });
    else if (kind < 0.42) events.push(eventBody("never-created"));
    else if (kind < 0.46) events.push({ ...eventBody(run), project_id: "proj_other" });
    else if (kind < 0.5) events.push(events[0], events[0]);
    else if (kind < 0.6)
      for (let i = 0; i < 8; i += 1) events.push(eventBody(run, { timestamp: day(i - 4) }));
    seen[who]!.push(...(events as EventBody[]).filter((event) => event.sequence > 0).slice(0, 5));
    return { client: clients[who]!, events, lenient: random() < 0.3 };
  });
  jobs.push(
    ...Array.from({ length: 150 }, () => ({
      client: narrow,
      events: eventBatch(narrowRun, 3),
      lenient: false,
    })),
  );

  const before = outcomesOf(await scrape(suite.anonymous));
  const tally: Tally = { sent: 0, accepted: 0, duplicates: 0, rejected: 0, limited: 0 };
  await inParallel(24, jobs, async ({ client, events, lenient }) => {
    const reply = await client.sendEvents(events, lenient ? { prefer: "handling=lenient" } : {});
    tallyReply(tally, events.length, reply);
  });

  expect(tally.sent).toBe(jobs.reduce((sum, { events }) => sum + events.length, 0));
  expect(tally.sent).toBe(tally.accepted + tally.duplicates + tally.rejected + tally.limited);
  for (const outcome of ["accepted", "duplicates", "rejected", "limited"] as const) {
    expect(tally[outcome]).toBeGreaterThan(0);
  }
  const after = outcomesOf(await scrape(suite.anonymous));
  const grown = (outcome: string) => (after[outcome] ?? 0) - (before[outcome] ?? 0);
  expect({
    accepted: grown("accepted"),
    duplicates: grown("duplicate"),
    rejected: grown("rejected"),
    limited: grown("limited"),
    shed: grown("shed"),
  }).toEqual({
    accepted: tally.accepted,
    duplicates: tally.duplicates,
    rejected: tally.rejected,
    limited: tally.limited,
    shed: 0,
  });
  const rows = await suite.database.sql`
    select count(*)::int as rows, count(distinct (project_id, execution_id, event_id))::int as identities from events`;
  expect(rows[0]).toEqual({ rows: tally.accepted, identities: tally.accepted });
});

test("a poison neighbour in the same flush fails alone", async () => {
  const run = await newExecution(suite.client);
  const batches = Array.from({ length: 20 }, () => eventBatch(run, 10));
  const poison = [
    eventBody(run, { payload: { text: "\u0000" } }),
    eventBody(run, { timestamp: "0000-01-01T00:00:00Z" }),
    eventBody(run, { event_id: "\udc00" }),
  ];
  const [replies] = await Promise.all([
    Promise.all(batches.map((batch) => suite.client.sendEvents(batch))),
    Promise.all(poison.map((event) => suite.client.sendEvents([event]))),
    suite.client.sendEvents([batches[0]![0], eventBody(run)]),
  ]);
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
  const rows = await suite.database.sql`
    select 1 from events where execution_id = ${run} and event_id = any(${batches.flat().map((e) => e.event_id)})`;
  expect(rows.length).toBe(200);
});
