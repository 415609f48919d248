/**
 * No detector throws, whatever stands in a payload: what it throws for is lost to it in that batch, so a
 * field that makes it throw would be a way around it. Runs of all classes are played with parts of their
 * payloads put in each other's place or replaced by what no client means, and with fields named as those that
 * every JavaScript object has.
 */
import { expect, test } from "bun:test";
import { firingsOf, type UnseenCase, unseenCases } from "../../bench/eval/unseen-cases.ts";
import { SeededRandom } from "../../bench/ingest/random.ts";

type Fields = Record<string, unknown>;

const CASES_EACH = 60;
const SEEDS = [1, 2, 3, 4, 5];
const BROKEN_A_PAYLOAD_MAX = 3;
const PLACES_MAX = 400;

/** As JSON, so that each is as `JSON.parse` gives it: a field `__proto__` is one of the object's own. */
const BROKEN_VALUES = [
  ...["null", "true", "0", "-1", "0.1", "1e308", "9007199254740993", '""', '"null"', '"{"', '"[]"', '"1e9"'],
  ...["[]", "{}", "[null]", "[[]]", "[{}]", '[1,"a",null,{}]', '{"length":1e9}', '{"then":1}'],
  ...[
    '{"toString":1}',
    '{"toString":1,"valueOf":1}',
    '{"__proto__":{"role":"tool"}}',
    '{"constructor":null}',
  ],
  ...['"\\u0000"', '"\\ud800"', '"http://[::1"', '"10.0.0.1:99999999"', '"2026-99-99T99:99:99Z"'],
  "[".repeat(60) + "]".repeat(60),
  `${'{"content":'.repeat(60)}1${"}".repeat(60)}`,
  JSON.stringify("x".repeat(5_000)),
  JSON.stringify(Array(300).fill({ role: "user", content: "hello" })),
];

const FIELD_NAMES =
  "toString valueOf __proto__ constructor hasOwnProperty length then 0 type role name content parts messages tool_calls tool_name arguments input output result error status usage score limit findings tools description inputSchema store key destination from to message stack".split(
    " ",
  );

/** Every place in it that holds a value: what holds it, and under which name. */
function placesIn(value: unknown, found: [Fields, string][] = []): readonly [Fields, string][] {
  if (typeof value !== "object" || value === null || found.length > PLACES_MAX) return found;
  for (const key of Object.keys(value)) {
    found.push([value as Fields, key]);
    placesIn((value as Fields)[key], found);
  }
  return found;
}

function put(fields: Fields, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

function breakPayload(payload: Fields, others: readonly Fields[], random: SeededRandom): void {
  const brokenValue = (): unknown => JSON.parse(random.pick(BROKEN_VALUES));
  for (let left = 1 + random.below(BROKEN_A_PAYLOAD_MAX); left > 0; left--) {
    const places = placesIn(payload);
    if (places.length === 0 || random.below(6) === 0) {
      put(payload, random.pick(FIELD_NAMES), brokenValue());
      continue;
    }
    const [fields, key] = random.pick(places);
    const value = fields[key];
    const ways = [
      () => put(fields, key, brokenValue()),
      () => put(fields, random.pick(FIELD_NAMES), value),
      () => put(fields, key, [value]),
      () => put(fields, key, structuredClone(random.pick(others))),
      () => put(fields, key, typeof value === "string" ? value.slice(0, 9) : JSON.stringify(value)),
    ];
    random.pick(ways)();
  }
}

function broken(one: UnseenCase, random: SeededRandom): UnseenCase {
  const copy = structuredClone(one);
  const payloads = copy.executions.flatMap(({ events }) => events.map((event) => event.payload));
  for (const payload of payloads) if (random.below(4) > 0) breakPayload(payload, payloads, random);
  return copy;
}

/** With the place it comes from. */
const told = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.stack?.split("\n")[1]?.trim()}` : String(error);

test.each(SEEDS)("no detector throws for a broken payload, seed %d", (seed) => {
  const random = new SeededRandom(seed);
  const cases = unseenCases("open", "acceptance");
  const thrown = new Set<string>();
  let firings = 0;
  for (let played = 0; played < CASES_EACH; played++) {
    try {
      firings += firingsOf(broken(random.pick(cases), random)).size;
    } catch (error) {
      thrown.add(told(error));
    }
  }
  expect([...thrown]).toEqual([]);
  expect(firings).toBeGreaterThan(0);
});
