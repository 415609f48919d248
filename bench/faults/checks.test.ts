/**
 * Each check of `bench faults` fails where what it looks for is so: on real services, with what they stored
 * tampered with afterwards.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventually } from "../../test/support/postgres-server.ts";
import { SeededRandom } from "../ingest/random.ts";
import { checksOf, missingFirings } from "./checks.ts";
import { Fleet } from "./fleet.ts";
import { planRun } from "./planned-run.ts";
import { isSettled, Site } from "./site.ts";

const RUNS = 40;
let site: Site;
let fleet: Fleet;

beforeAll(async () => {
  site = await Site.open({ services: 1, embedded: false });
  fleet = new Fleet(site, new SeededRandom(3));
  for (let run = 0; run < RUNS; run++) fleet.begin();
  await eventually("every run is answered", () => fleet.runsUnderWay === 0);
  await eventually("nothing is owed", () => isSettled(site));
  await eventually("all has fired", async () => (await missingFirings(site, fleet.finished)) === 0);
  await eventually("nothing is owed", () => isSettled(site));
});

afterAll(async () => {
  await site?.stop();
});

async function failing(broken: readonly string[] = []): Promise<string[]> {
  return (await checksOf(site, fleet, { faults: 1, broken })).filter(({ ok }) => !ok).map(({ name }) => name);
}

test("all hold where nothing was lost and nothing stands twice", async () => {
  expect(fleet.finished).toHaveLength(RUNS);
  expect(await failing()).toEqual([]);
});

test("what a service did not stand, and what it answered amiss", async () => {
  fleet.strange.push("500 {}");
  expect(await failing(["stop-service: left with 1"])).toEqual([
    "each answer is a success or 503",
    "what was hit stood it",
  ]);
  fleet.strange.pop();
});

test("a run that was answered, of which nothing is stored", async () => {
  const random = new SeededRandom(5);
  const lost = Array.from({ length: 40 }, (_, index) => planRun(`lost-${index}`, random)).find(
    ({ expected, batches }) => expected.length > 0 && batches.length > 0,
  );
  fleet.finished.push(lost!);
  expect(await failing()).toEqual([
    "each run was answered to its end",
    "each event that was answered is stored once",
    "each run ended as it was told",
    "each failure has fired",
  ]);
  fleet.finished.pop();
});

test("a firing that stands twice", async () => {
  const { sql } = site;
  await sql`
    insert into ats.detection
    select project_no, execution_no, class, dedup_key || '-again', detection_id || 'x', signature, severity, rule_ids, score, excerpt,
      event_id, evidence_event_ids, detector_version, detected_at
    from ats.detection limit 1`;
  expect(await failing()).toEqual([
    "nothing has fired twice or without a failure",
    "each group counts what was stored",
  ]);
  await sql`delete from ats.detection where dedup_key like '%-again'`;
  expect(await failing()).toEqual([]);
});

test("webhooks that were not owed, owed twice, not heard or not signed", async () => {
  const { sql, receiver } = site;
  const [first] = await sql<{ delivery_id: string }[]>`select delivery_id from ats.delivery limit 1`;
  const id = first!.delivery_id;
  const heard = receiver.taken as Map<string, number>;
  heard.delete(id);
  expect(await failing()).toEqual(["each new group was heard at the receiver"]);
  heard.set(id, 1);
  await sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, group_id, event, body, status, due_at, created_at, finished_at)
    select project_no, 'twice', webhook_id, group_id, event, body, 'delivered', due_at, created_at, finished_at
    from ats.delivery where delivery_id = ${id}`;
  expect(await failing()).toEqual(["each new group owes one webhook"]);
  await sql`delete from ats.delivery where delivery_id = 'twice'`;
  await fetch(receiver.url, { method: "POST", body: "{}", headers: { "x-service-signature": "sha256=00" } });
  expect(await failing()).toEqual(["each webhook's signature holds"]);
});
