import { expect, test } from "bun:test";
import { Availability } from "./availability.ts";

function watched(probe: () => Promise<void>) {
  const changes: boolean[] = [];
  return { changes, availability: new Availability({ probe, onChange: (now) => changes.push(now) }) };
}

test("available from the start: nobody waits and nothing is probed", async () => {
  let probes = 0;
  const { availability, changes } = watched(async () => {
    probes++;
  });
  await availability.whenAvailable();
  expect({ available: availability.available, probes, changes }).toEqual({
    available: true,
    probes: 0,
    changes: [],
  });
});

test("lost twice is lost once; probes go on until one succeeds, and everybody who waits is told", async () => {
  let probes = 0;
  const { availability, changes } = watched(async () => {
    probes++;
    if (probes < 3) throw new Error("away");
  });
  availability.lost();
  availability.lost();
  expect(availability.available).toBe(false);
  let woken = 0;
  await Promise.all([1, 2, 3].map(() => availability.whenAvailable().then(() => woken++)));
  expect({ woken, probes, changes, available: availability.available }).toEqual({
    woken: 3,
    probes: 3,
    changes: [false, true],
    available: true,
  });
  availability.lost();
  await availability.whenAvailable();
  expect(changes).toEqual([false, true, false, true]);
});

test("stop lets go of those who wait, ends the probes and stays", async () => {
  let probes = 0;
  const { availability, changes } = watched(async () => {
    probes++;
    throw new Error("away");
  });
  availability.lost();
  const waiting = availability.whenAvailable();
  availability.stop();
  await waiting;
  await availability.whenAvailable();
  expect({ available: availability.available, stopped: availability.stopped }).toEqual({
    available: false,
    stopped: true,
  });
  await Bun.sleep(250);
  expect({ probes, changes }).toEqual({ probes: 1, changes: [false] });
});

test("a loss after stop changes nothing", () => {
  const { availability, changes } = watched(() => Promise.reject(new Error("away")));
  availability.stop();
  availability.lost();
  expect({ available: availability.available, changes }).toEqual({ available: true, changes: [] });
});
