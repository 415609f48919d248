import { expect, test } from "bun:test";
import { OwedEvents, ProjectCosts, QuietLag } from "./quiet-projects.ts";

function owed(events: Readonly<Record<number, number>>): OwedEvents {
  return OwedEvents.of(
    Object.entries(events).map(([projectNo, eventCount]) => ({ projectNo: Number(projectNo), eventCount })),
  );
}

test("nothing is known of a project: 15 µs an event; then what its latest events took", () => {
  const costs = new ProjectCosts();
  expect(costs.msOf(1, 1_000)).toBeCloseTo(15);
  // One event of a cold process says little.
  costs.note(1, 1, 5);
  expect(costs.msOf(1, 1_000)).toBeLessThan(100);
  costs.note(1, 1_000, 7_000);
  expect(costs.msOf(1, 1_000)).toBeGreaterThan(6_000);
  for (let n = 0; n < 40; n++) costs.note(1, 1_000, 10);
  expect(costs.msOf(1, 1_000)).toBeLessThan(20);
  expect(costs.msOf(2, 1_000)).toBeCloseTo(15);
});

test("of ten thousand projects and more the one that sent last is known", () => {
  const costs = new ProjectCosts();
  for (let projectNo = 0; projectNo < 10_050; projectNo++) costs.note(projectNo, 1_000, 1_000);
  expect(costs.msOf(10_049, 100)).toBeGreaterThan(50);
  expect(costs.msOf(1, 100)).toBeCloseTo(1.5);
});

test("who owes little goes ahead of who owes much", () => {
  const costs = new ProjectCosts();
  const much = owed({ 1: 50_000, 2: 3, 3: 1_000 });
  expect(much.ahead(costs)).toEqual(new Set([2, 3]));
  expect(much.loud(costs)).toEqual(new Set([1]));
  // By the time that its events take: few that are slow are much.
  costs.note(2, 1_000, 30_000);
  expect(much.ahead(costs)).toEqual(new Set([3]));
  expect(much.loud(costs)).toEqual(new Set([1, 2]));
});

test("nobody goes ahead of a transaction's work, nor where all owe much", () => {
  const costs = new ProjectCosts();
  expect(owed({ 1: 15_000, 2: 3 }).ahead(costs).size).toBe(0);
  expect(owed({ 1: 15_000, 2: 15_000 }).ahead(costs).size).toBe(0);
  expect(owed({}).ahead(costs).size).toBe(0);
});

test("the more is owed in all, the more may who goes ahead owe: a twentieth of it, up to a transaction's work", () => {
  const costs = new ProjectCosts();
  // 67 ms of 1.6 s, and of 817 ms.
  expect(owed({ 1: 100_000, 2: 4_500 }).ahead(costs)).toEqual(new Set([2]));
  expect(owed({ 1: 100_000, 2: 4_500 }).loud(costs)).toEqual(new Set([1]));
  expect(owed({ 1: 50_000, 2: 4_500 }).ahead(costs)).toEqual(new Set());
  // 240 and 300 ms of 15 s.
  expect(owed({ 1: 1_000_000, 2: 16_000 }).ahead(costs)).toEqual(new Set([2]));
  expect(owed({ 1: 1_000_000, 2: 20_000 }).ahead(costs)).toEqual(new Set());
});

test("all that go ahead together leave most of the time to the others", () => {
  const events = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n + 2, 500 + n]));
  const few = owed({ 1: 10_000, ...events }).ahead(new ProjectCosts());
  expect(few).toEqual(new Set(Array.from({ length: 13 }, (_, n) => n + 2)));
  // Of 15.8 s, 500 ms.
  const more = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n + 2, 16_000 + n]));
  const some = owed({ 1: 1_000_000, ...more }).ahead(new ProjectCosts());
  expect(some).toEqual(new Set([2, 3]));
});

test("what is left of a backlog does not count as waiting behind others; what came since does", () => {
  const lag = new QuietLag();
  const at = (ageMs: number, projectNo: number) => ({ projectNo, ageMs });
  const loud = new Set([1]);
  expect(lag.lookedAt([at(47_000, 1), at(300, 2)], loud, 1_000)).toBe(300);
  // All but the last of the backlog is done.
  expect(lag.lookedAt([at(47_500, 1), at(800, 2)], new Set(), 1_500)).toBe(800);
  expect(lag.lookedAt([at(50_000, 1)], new Set(), 4_000)).toBe(3_000);
  // It owed nothing for a while: nothing of the backlog is left.
  expect(lag.lookedAt([], new Set(), 5_000)).toBe(0);
  expect(lag.lookedAt([at(9_000, 1)], new Set(), 6_000)).toBe(9_000);
});
