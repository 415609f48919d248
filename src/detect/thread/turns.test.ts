import { expect, test } from "bun:test";
import { OwedEvents, ProjectCosts } from "./turns.ts";

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

test("all that go ahead together leave most of the time to the others", () => {
  const events = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n + 2, 500 + n]));
  const ahead = owed({ 1: 100_000, ...events }).ahead(new ProjectCosts());
  expect(ahead).toEqual(new Set(Array.from({ length: 13 }, (_, n) => n + 2)));
});
