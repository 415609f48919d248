import { expect, test } from "bun:test";
import { Availability, type Reach, type ReachChange } from "./availability.ts";

function watched(probe: () => Promise<void>) {
  const changes: Reach[] = [];
  return { changes, availability: new Availability({ probe, onChange: ({ to }) => changes.push(to) }) };
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
  availability.lost(new Error("cut"));
  availability.lost(new Error("cut"));
  expect(availability.available).toBe(false);
  let woken = 0;
  await Promise.all([1, 2, 3].map(() => availability.whenAvailable().then(() => woken++)));
  expect({ woken, probes, changes, available: availability.available }).toEqual({
    woken: 3,
    probes: 3,
    changes: ["doubted", "away", "available"],
    available: true,
  });
});

test("a loss of a PostgreSQL that answers the first probe is doubt, and its end says what it was", async () => {
  const changes: ReachChange[] = [];
  const availability = new Availability({
    probe: async () => {},
    onChange: (change) => changes.push(change),
  });
  const reason = new Error("a statement takes long");
  availability.lost(reason);
  expect(availability.available).toBe(false);
  await availability.whenAvailable();
  expect(changes).toEqual([
    { from: "available", to: "doubted", reason },
    { from: "doubted", to: "available", reason },
  ]);
});

test("stop lets go of those who wait, ends the probes and stays", async () => {
  let probes = 0;
  const { availability, changes } = watched(async () => {
    probes++;
    throw new Error("away");
  });
  availability.lost(new Error("cut"));
  const waiting = availability.whenAvailable();
  availability.stop();
  await waiting;
  await availability.whenAvailable();
  expect({ available: availability.available, stopped: availability.stopped }).toEqual({
    available: false,
    stopped: true,
  });
  await Bun.sleep(250);
  expect({ probes, changes }).toEqual({ probes: 1, changes: ["doubted"] });
});

test("a loss after stop changes nothing", () => {
  const { availability, changes } = watched(() => Promise.reject(new Error("away")));
  availability.stop();
  availability.lost(new Error("cut"));
  expect({ available: availability.available, changes }).toEqual({ available: true, changes: [] });
});

test("the first question is asked at the start, on a connection that is cut with the others", async () => {
  const asked = Promise.withResolvers<void>();
  const availability = new Availability({
    probe: async () => asked.resolve(),
    onChange: () => {},
    pulseEveryMs: 60_000,
  });
  availability.start();
  await asked.promise;
  availability.stop();
});

test("a server that falls silent is lost without anybody asking; whoever waits for it is told, and a refusal is no silence", async () => {
  const hangs = Promise.withResolvers<void>();
  let probe: () => Promise<void> = () => Promise.reject(new Error("refused"));
  const changes: Reach[] = [];
  const told: string[] = [];
  const lost = Promise.withResolvers<unknown>();
  const availability = new Availability({
    probe: () => probe(),
    onChange: ({ to, reason }) => {
      changes.push(to);
      if (to === "away") lost.resolve(reason);
    },
    onSilence: () => {
      told.push("probe");
      // The next connection is answered.
      probe = () => hangs.promise;
    },
    pulseEveryMs: 1,
    silentMs: 20,
  });
  const takeBack = availability.onSilence(() => told.push("taken back"));
  takeBack();
  availability.onSilence(() => told.push("waiting"));
  availability.start();
  await Bun.sleep(50);
  expect(changes).toEqual([]);
  probe = () => new Promise(() => {});
  expect(await lost.promise).toMatchObject({ message: "no answer for 20 ms" });
  expect(told).toEqual(["probe", "waiting"]);
  hangs.resolve();
  await availability.whenAvailable();
  expect(changes).toEqual(["doubted", "away", "available"]);
  availability.stop();
});

test("a server that takes no connection any more is lost without anybody asking; one that closed the probe's alone, lets it wait, or says itself why not, is none", async () => {
  const failure = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
  const closed = failure("CONNECTION_CLOSED");
  const refused = failure("ECONNREFUSED");
  const full = failure("53300", { severity: "FATAL" });
  const waits = failure("CONNECT_TIMEOUT");
  const answers: (Error | null)[] = [closed, null, full, full, waits, waits, closed, null];
  answers.push(refused, refused, refused);
  const changes: unknown[] = [];
  const away = Promise.withResolvers<void>();
  const availability = new Availability({
    probe: async () => {
      const answer = answers.shift();
      if (answer) throw answer;
    },
    onChange: ({ to, reason }) => {
      changes.push([to, answers.length, reason]);
      if (to === "away") away.resolve();
    },
    pulseEveryMs: 1,
  });
  availability.start();
  await away.promise;
  await availability.whenAvailable();
  availability.stop();
  expect(changes).toEqual([
    ["doubted", 1, refused],
    ["away", 0, refused],
    ["available", 0, refused],
  ]);
});

test("some time after a silence it is told how long ago that began; a refusal is none, and nothing is told after it", async () => {
  let probe: () => Promise<void> = () => new Promise(() => {});
  const over = Promise.withResolvers<number>();
  let times = 0;
  const availability = new Availability({
    probe: () => probe(),
    onChange: () => {},
    onSilence: () => {
      probe = async () => {};
    },
    onSilenceOver: (silentMs) => {
      times++;
      over.resolve(silentMs);
    },
    silentMs: 20,
    catchUpMs: 30,
  });
  availability.lost(new Error("cut"));
  await availability.whenAvailable();
  expect(times).toBe(0);
  expect(await over.promise).toBeGreaterThanOrEqual(48);
  probe = () => Promise.reject(new Error("refused"));
  availability.lost(new Error("cut"));
  await Bun.sleep(50);
  probe = async () => {};
  await availability.whenAvailable();
  await Bun.sleep(60);
  expect(times).toBe(1);
  availability.stop();
});
