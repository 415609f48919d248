import { about, after, by, call, each, mcp, type Runs, rounds, say } from "./run-steps.ts";

const LIST = {
  items: [
    { id: "R-1", net: 210 },
    { id: "R-2", net: 88 },
    { id: "R-3", net: 14 },
  ],
};
const RED = "FAILED tests/test_tz.py::test_spring - assert 23 == 24\n1 failed, 40 passed";
const FOUND = "1. Returns within 30 days. 2. Shipping takes four days. 3. Gift cards cannot be returned.";

/** Runs that make calls which bring nothing any more. */
export const CALLS_IN_CIRCLES: Runs = {
  "each page is the first": rounds(9, (i) => [call("list_invoices", { year: 2025, page: i + 1 }, LIST)]),
  "a job that failed for good is asked again": rounds(8, (i) => [
    after(
      about(61_000, i),
      call("get_job", { id: "j-9" }, { id: "j-9", status: "failed", reason: "bad input" }),
    ),
  ]),
  "a job that was done long ago": rounds(9, (i) => [
    after(about(15_000, i), call("job_status", { id: 5 }, { status: "completed", rows: 900 })),
    ...(i % 3 === 0 ? [say(20)] : []),
  ]),
  "each patch leaves the same test red": rounds(7, (i) => [
    call("apply_patch", { file: "tz.py", diff: `-a${i}\n+b${i}` }, "patched"),
    call("run_tests", { path: "tests/test_tz.py" }, RED),
  ]),
  "one search, five times": rounds(5, () => [
    call("search", { q: "warranty of model K2" }, []),
    say("Let me search for the warranty."),
  ]),
  "only a nonce differs": rounds(7, (i) => [
    call(
      "stock",
      { sku: "40-1", nonce: (i * 48_271) % 9_973, ts: 1_767_614_400 + i * 3 },
      { sku: "40-1", free: 0 },
    ),
  ]),
  "one question in other words": each(
    [
      "refund policy",
      "refund policies",
      "policy on refunds",
      "what is the refund policy",
      "refunds policy rules",
      "rules for refund",
      "refund policy info",
      "info refund policy",
    ],
    (q) => [call("search_docs", { query: q }, FOUND)],
  ),
  "three calls in turn and a thought between": rounds(4, (i) => [
    call("open_page", { url: "/list" }, "Offers: A, B"),
    call("open_page", { url: "/a" }, "Offer A: sold out"),
    say(`Let me go back and look again (${i}).`),
    call("go_back", {}, "Offers: A, B"),
  ]),
  "five calls in turn": rounds(4, () =>
    each(["menu", "cart", "coupon", "checkout", "error"], (page) => [call("goto", { page }, `page ${page}`)]),
  ),
  "a note of another word before each repeat": rounds(8, (i) => [
    call("think", { thought: `maybe the file is there now, look no. ${i}` }, "ok"),
    call("read_file", { path: "out/report.md" }, "no such file"),
  ]),
  "lanes that all repeat": rounds(6, () =>
    each(["l1", "l2", "l3", "l4", "l5"], (lane) => [
      call("fetch_quote", { lane, symbol: "ABC" }, { lane, error: "market closed" }),
    ]),
  ),
  "the edit never matches": rounds(4, () => [
    call("read_file", { path: "a.go" }, "package a\n\tdefault:"),
    call("edit", { path: "a.go", old: "    default:", new: "    case" }, undefined, {
      error: "old text not found",
    }),
  ]),
  "the record is there already": rounds(6, () => [
    call("create_user", { mail: "ito@firm.example" }, { error: "already exists" }),
  ]),
  "a login that is refused": rounds(5, (i) => [
    after(about(2_000, i), call("login", { user: "bot" }, undefined, { error: "401 wrong password" })),
  ]),
  "the button does nothing": rounds(6, () => [
    call("click", { ref: "e12" }, "Page: sign-up form, 3 fields, button Continue. Nothing is filled in."),
  ]),
  "not found, however the cache is evaded": rounds(6, (i) => [
    call(
      "fetch",
      { url: "https://shop.example/p/9", cache_buster: i * 31 },
      { status: 404, body: "not found" },
    ),
  ]),
  "two tools in turn": rounds(5, () => [
    call("list_tables", { db: "main" }, ["a", "b"]),
    call("describe", { table: "orders" }, "no such table"),
  ]),
  "the offset is not heeded": rounds(8, (i) => [
    call(
      "read_log",
      { path: "x.log", offset: i * 100 },
      `boot ok; mounted /; started sshd; ready. ${"-".repeat(60)}`,
    ),
  ]),
  "one resource over MCP": rounds(5, () => [
    mcp(
      "docs",
      "read_resource",
      { uri: "doc://handbook" },
      { content: [{ type: "text", text: "Handbook" }] },
    ),
    say(30),
  ]),
  "answers that differ in their clock alone": rounds(7, (i) => [
    call(
      "weather",
      { city: "Graz" },
      {
        city: "Graz",
        celsius: 4,
        fetched_at: new Date(1_767_614_400_000 + i * 4_600).toISOString(),
        request_id: `q-${(i * 7_919) % 997}`,
      },
    ),
  ]),
  "asked for in the answers, without results": rounds(6, (i) => [
    say("", {
      output: {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: `c${i}`, type: "function", function: { name: "find_hotel", arguments: '{"city":"Oslo"}' } },
        ],
      },
    }),
  ]),
  "forbidden stays forbidden": each([2_000, 4_000, 8_000, 16_000, 32_000], (wait) => [
    after(
      wait,
      call("delete_branch", { name: "main" }, undefined, { error: "403 Forbidden: branch is protected" }),
    ),
  ]),
  "one query with other spaces": each(["a,b", "a, b", "a ,b", " a,b", "a,  b", "a,b "], (columns) => [
    call("sql", { query: `SELECT ${columns} FROM order` }, 'syntax error at or near "order"'),
  ]),
  "the same city in other letters": each(["Paris", "paris", "PARIS", " Paris", "Paris ", "pariS"], (city) => [
    call("find_flights", { city }, { flights: [] }),
  ]),
  "agents that each repeat it": rounds(5, (i) => [
    by(["ana", "bo"][i % 2]!, call("get_order", { id: 31 }, { error: "backend not reachable" })),
    say(18),
  ]),
  "six calls in turn": rounds(4, () =>
    each(["a", "b", "c", "d", "e", "f"], (id) => [call("get_item", { id }, { id, price: null })]),
  ),
};
