import { describe, expect, test } from "bun:test";
import type { LiveEvent } from "../../../live/live-event.ts";
import { LiveFeed, ROWS_MAX } from "./live-feed.ts";

const event = (no: number): LiveEvent => ({
  event_id: `e${no}`,
  execution_id: "run",
  event_type: "checkpoint",
  sequence: no,
  timestamp: "2026-11-21T07:00:00.000000Z",
  received_at: "2026-11-21T07:00:00.000000Z",
  payload_preview: "{}",
  payload_bytes: 2,
});
const events = (from: number, count: number) =>
  Array.from({ length: count }, (_unused, i) => event(from + i));

/** Resolves when the feed has told React of what came. */
async function flushed(feed: LiveFeed): Promise<void> {
  const before = feed.view();
  await new Promise<void>((resolve) => {
    const stop = feed.subscribe(() => {
      if (feed.view() === before) return;
      stop();
      resolve();
    });
  });
}

async function give(feed: LiveFeed, list: readonly LiveEvent[]): Promise<void> {
  const told = flushed(feed);
  feed.onEvents(list);
  await told;
}

const ids = (feed: LiveFeed) => feed.view().rows.map((row) => row.event_id);

describe("live feed", () => {
  test("shows what comes, the newest last, and each event once", async () => {
    const feed = new LiveFeed();
    await give(feed, events(1, 3));
    await give(feed, events(2, 3));
    expect(ids(feed)).toEqual(["e1", "e2", "e3", "e4"]);
  });

  test("keeps the latest rows only", async () => {
    const feed = new LiveFeed();
    await give(feed, events(1, ROWS_MAX));
    await give(feed, events(ROWS_MAX + 1, 5));
    expect(feed.view().rows).toHaveLength(ROWS_MAX);
    expect(ids(feed)[0]).toBe("e6");
  });

  test("held, the rows stand still and what comes waits; released, it follows in order", async () => {
    const feed = new LiveFeed();
    await give(feed, events(1, 2));
    feed.hold("paused");
    await give(feed, events(3, 2));
    expect(ids(feed)).toEqual(["e1", "e2"]);
    expect(feed.view().waiting).toBe(2);
    feed.release();
    expect(ids(feed)).toEqual(["e1", "e2", "e3", "e4"]);
    expect(feed.view()).toMatchObject({ waiting: 0, hold: null, dropped: 0 });
  });

  test("what waits is bounded, and what went is counted", async () => {
    const feed = new LiveFeed();
    feed.hold("paused");
    await give(feed, events(1, ROWS_MAX + 30));
    expect(feed.view()).toMatchObject({ waiting: ROWS_MAX, dropped: 30 });
    feed.release();
    expect(ids(feed)[0]).toBe("e31");
    // What went may come again: it was not shown.
    await give(feed, events(1, 1));
    expect(ids(feed).at(-1)).toBe("e1");
  });

  test("scrolling away does not undo a pause, and clearing forgets", async () => {
    const feed = new LiveFeed();
    await give(feed, events(1, 2));
    feed.hold("paused");
    feed.hold("scrolled");
    expect(feed.view().hold).toBe("paused");
    feed.clear();
    expect(feed.view().rows).toEqual([]);
    feed.release();
    await give(feed, events(1, 1));
    expect(ids(feed)).toEqual(["e1"]);
  });

  test("counts what was left out until it is acknowledged", () => {
    const feed = new LiveFeed();
    feed.onDropped(3);
    feed.onRate({ stored: 500, skipped: 40, seconds: 2 });
    feed.onRate({ stored: 100, skipped: 2, seconds: 1 });
    expect(feed.view()).toMatchObject({ dropped: 3, skipped: 42, rates: [250, 100] });
    feed.acknowledge();
    expect(feed.view()).toMatchObject({ dropped: 0, skipped: 0, rates: [250, 100] });
  });
});
