import { expect, test } from "bun:test";
import {
  MEMORY_KEY_CHARS_MAX,
  MEMORY_KEYS_MAX,
  MEMORY_VALUE_CHARS_MAX,
  ProjectMemories,
  ReplayMemory,
  UnfitMemory,
} from "./project-memories.ts";

const ALL = new Set([1]);

function memories(): ProjectMemories {
  const made = new ProjectMemories();
  made.load(1, [{ class: "tool_loop", key: "kept", value: "7" }]);
  return made;
}

test("what was set is a change until it is committed", () => {
  const made = memories();
  const memory = made.of(1, "tool_loop");
  expect([memory.get("kept"), memory.size]).toEqual([7, 1]);
  const value = { seen: 1 };
  memory.set("new", value);
  value.seen = 2;
  expect(memory.get("new")).toEqual({ seen: 1 });
  expect(made.changes(ALL)).toEqual([{ projectNo: 1, class: "tool_loop", key: "new", value: '{"seen":1}' }]);
  made.committed(ALL);
  expect(made.changes(ALL)).toEqual([]);
});

test("a full memory forgets the key set longest ago", () => {
  const made = memories();
  const memory = made.of(1, "tool_loop");
  for (let n = 1; n < MEMORY_KEYS_MAX; n++) memory.set(`k${n}`, n);
  made.committed(ALL);
  memory.set("kept", 8);
  memory.set("one more", 0);
  expect([memory.size, memory.get("k1"), memory.get("kept")]).toEqual([MEMORY_KEYS_MAX, undefined, 8]);
  expect(made.changes(ALL).map(({ key, value }) => [key, value])).toEqual([
    ["kept", "8"],
    ["k1", null],
    ["one more", "0"],
  ]);
});

test("what changed is told in the order in which it was last set", () => {
  const made = memories();
  const memory = made.of(1, "tool_loop");
  for (const key of ["a", "b", "a"]) memory.set(key, 1);
  expect([...memory.keys()]).toEqual(["kept", "b", "a"]);
  expect(made.changes(ALL).map(({ key }) => key)).toEqual(["b", "a"]);
});

test("changes, and what becomes of them, are a project's own", () => {
  const made = memories();
  made.load(2, []);
  made.of(1, "tool_loop").set("mine", 1);
  made.of(2, "tool_loop").set("other", 2);
  expect(made.changes(ALL).map(({ key }) => key)).toEqual(["mine"]);
  made.committed(ALL);
  expect([made.changes(ALL), made.changes(new Set([2])).length]).toEqual([[], 1]);
  made.forgetChanges(ALL);
  expect([made.isLoaded(1), made.isLoaded(2)]).toEqual([true, true]);
  made.forgetChanges(new Set([2]));
  expect([made.isLoaded(1), made.isLoaded(2)]).toEqual([true, false]);
});

test("a replay reads what is kept and what it set itself, and changes nothing", () => {
  const made = memories();
  const kept = made.of(1, "tool_loop");
  const replay = new ReplayMemory(kept);
  const value = { seen: 1 };
  replay.set("new", value);
  replay.set("kept", 8);
  value.seen = 2;
  expect([replay.get("new"), replay.get("kept"), replay.size]).toEqual([{ seen: 1 }, 8, 2]);
  expect([kept.get("new"), kept.get("kept"), made.changes(ALL)]).toEqual([undefined, 7, []]);
  expect([[...replay.keys()].sort(), [...kept.keys()]]).toEqual([["kept", "new"], ["kept"]]);
});

test.each<[string, string, unknown]>([
  ["a key with U+0000", "a\0b", 1],
  ["a key with half a surrogate pair", "a\ud83d", 1],
  ["a key too long", "k".repeat(MEMORY_KEY_CHARS_MAX + 1), 1],
  ["a value too long", "k", "v".repeat(MEMORY_VALUE_CHARS_MAX)],
  ["a value that is not JSON", "k", undefined],
])("%s is refused, and nothing is remembered of it", (_, key, value) => {
  const made = memories();
  expect(() => made.of(1, "tool_loop").set(key, value)).toThrow(UnfitMemory);
  expect(made.of(1, "tool_loop").size).toBe(1);
  expect(made.changes(ALL)).toEqual([]);
  const replay = new ReplayMemory(made.of(1, "tool_loop"));
  expect(() => replay.set(key, value)).toThrow(UnfitMemory);
  expect(replay.get(key)).toBeUndefined();
});

test.each([
  ["the longest", "k".repeat(MEMORY_KEY_CHARS_MAX)],
  ["a whole pair", "😀"],
  ["other odd characters", "\ufffd\n"],
])("%s is a key", (_, key) => {
  const made = memories();
  made.of(1, "tool_loop").set(key, "v".repeat(MEMORY_VALUE_CHARS_MAX - 2));
  expect(made.changes(ALL)).toHaveLength(1);
});
