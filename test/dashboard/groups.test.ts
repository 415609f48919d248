import { describe, expect, test } from "bun:test";
import { DETECTORS } from "../../src/detect/registry.ts";
import { mintProject } from "../support/projects.ts";
import { callerOf, fire, groupSuite, HOUR_MS, MINUTE_MS, NOW_MS, type Reply } from "./group-fixtures.ts";

/** The dashboard's routes of failure groups, on a real database, with firings as detection stores them. */

const suite = groupSuite();
const { at, viewer } = suite;
const bulk = (body: unknown): Promise<Reply> =>
  callerOf(suite.sql, "member")("POST", `/projects/${suite.project.projectId}/groups/bulk`, body);

interface Item {
  id: string;
  class: string;
  state: string;
  regressed: boolean;
  severity: string;
  count: number;
  excerpt: string;
  activity: number[];
  merged_group_ids: string[];
  sample_execution_ids: string[];
  ignored_until: string | null;
}
interface List {
  items: Item[];
  next_cursor: string | null;
  facets: {
    state: Record<string, number>;
    class: Record<string, number>;
    severity: Record<string, number>;
  } | null;
  activity: { start_at: string; bucket_s: number };
}

async function list(query = ""): Promise<List> {
  const reply = await viewer(`/groups${query}`);
  expect(reply.status).toBe(200);
  return reply.json as List;
}
const ids = async (query: string) => (await list(query)).items.map((item) => item.id);

describe("who may", () => {
  test("look: anybody signed in; act: members and owners", async () => {
    const id = await at({ signature: "a" });
    const path = `/projects/${suite.project.projectId}/groups`;
    const body = { ids: [id], action: "resolve" };
    expect((await callerOf(suite.sql, null)("GET", path)).status).toBe(401);
    expect((await callerOf(suite.sql, null)("POST", `${path}/bulk`, body)).status).toBe(401);
    expect((await callerOf(suite.sql, "viewer")("GET", path)).status).toBe(200);
    expect((await callerOf(suite.sql, "viewer")("POST", `${path}/bulk`, body)).status).toBe(403);
    expect((await list()).items[0]!.state).toBe("open");
    for (const role of ["member", "owner"] as const) {
      expect((await callerOf(suite.sql, role)("POST", `${path}/bulk`, body)).status).toBe(200);
    }
    expect((await callerOf(suite.sql, null)("GET", "/playbooks")).status).toBe(401);
  });

  test("not reach a group through another project", async () => {
    const id = await at({ signature: "a" });
    const other = await mintProject(suite.sql);
    const call = callerOf(suite.sql, "owner");
    for (const rest of ["", "/occurrences", "/detections", "/executions", "/deliveries"]) {
      expect((await call("GET", `/projects/${other.projectId}/groups/${id}${rest}`)).status).toBe(404);
      expect((await call("GET", `/projects/proj_none/groups/${id}${rest}`)).status).toBe(404);
      expect((await call("GET", `/projects/${suite.project.projectId}/groups/${id}${rest}`)).status).toBe(
        200,
      );
    }
    const reply = await call("POST", `/projects/${other.projectId}/groups/bulk`, {
      ids: [id],
      action: "resolve",
    });
    expect(reply.json).toMatchObject({ results: [{ id, ok: false, code: "group_not_found" }] });
    expect((await list()).items[0]!.state).toBe("open");
    expect(((await call("GET", `/projects/${other.projectId}/groups`)).json as List).items).toEqual([]);
  });
});

describe("the list", () => {
  test("is sorted by what is asked for and paged to its end, each group once", async () => {
    for (let n = 0; n < 7; n++) {
      await at({
        signature: `s${n}`,
        count: 1 + ((n * 3) % 7),
        severity: n % 2 === 0 ? "low" : "critical",
        agoMs: MINUTE_MS * (1 + (n % 3)),
      });
    }
    const all = (await list()).items;
    expect(all).toHaveLength(7);
    for (const sort of ["last_seen", "first_seen", "count", "severity"]) {
      const whole = await ids(`?sort=${sort}`);
      const paged: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: List = await list(`?sort=${sort}&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`);
        expect(page.facets === null).toBe(cursor !== "");
        paged.push(...page.items.map((item) => item.id));
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(whole);
      expect(new Set(paged).size).toBe(7);
    }
    expect((await list("?sort=count")).items.map((item) => item.count)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await list("?sort=severity")).items.map((item) => item.severity)).toEqual([
      ...Array(3).fill("critical"),
      ...Array(4).fill("low"),
    ]);
  });

  test("is filtered by state, class, severity and words, and the facets tell what each choice would leave", async () => {
    const loop = await at({ signature: "a", severity: "high", excerpt: "The TOOL ran 40% of _all_ times" });
    const regressed = await at({ signature: "b", severity: "low", agoMs: 2 * MINUTE_MS });
    const secret = await at({ class: "secret_exposure", signature: "c", severity: "critical" });
    const ignored = await at({
      class: "secret_exposure",
      signature: "d",
      severity: "low",
      ruleIds: ["secret/aws"],
    });
    await bulk({ ids: [regressed, secret], action: "resolve" });
    await bulk({ ids: [ignored], action: "ignore" });
    await fire(suite.sql, suite.project.projectNo, { signature: "b", severity: "low", atMs: Date.now() });

    expect((await ids("?state=open")).toSorted()).toEqual([loop, regressed].toSorted());
    expect(await ids("?state=regressed")).toEqual([regressed]);
    expect(await ids("?state=resolved")).toEqual([secret]);
    expect(await ids("?state=ignored")).toEqual([ignored]);
    expect((await ids("?class=secret_exposure")).toSorted()).toEqual([secret, ignored].toSorted());
    expect(await ids("?class=secret_exposure,tool_loop&severity=critical,high&state=open")).toEqual([loop]);
    expect(await ids(`?q=${loop}`)).toEqual([loop]);
    expect(await ids(`?q=${encodeURIComponent("tool 40% _ALL_")}`)).toEqual([loop]);
    expect(await ids(`?q=${encodeURIComponent("secret/aws")}`)).toEqual([ignored]);
    expect(await ids("?q=nothing%20of%20the%20kind")).toEqual([]);
    expect((await ids(`?q=${encodeURIComponent("\u0000")}`)).length).toBe(4);

    expect((await list()).facets).toEqual({
      state: { open: 2, regressed: 1, resolved: 1, ignored: 1 },
      class: { tool_loop: 2, secret_exposure: 2 },
      severity: { low: 2, medium: 0, high: 1, critical: 1 },
    });
    expect((await list("?state=open&class=secret_exposure")).facets).toEqual({
      state: { open: 0, regressed: 0, resolved: 1, ignored: 1 },
      class: { tool_loop: 2 },
      severity: { low: 0, medium: 0, high: 0, critical: 0 },
    });
  });

  test("of a range holds the groups seen in it", async () => {
    const old = await at({ signature: "old", agoMs: 30 * HOUR_MS });
    const recent = await at({ signature: "new", agoMs: MINUTE_MS });
    expect(await ids("?range=1h")).toEqual([recent]);
    expect((await ids("?range=7d")).toSorted()).toEqual([old, recent].toSorted());
    const iso = (agoMs: number) => new Date(NOW_MS - agoMs).toISOString();
    expect(await ids(`?from=${iso(40 * HOUR_MS)}&to=${iso(20 * HOUR_MS)}`)).toEqual([old]);
  });

  test("has a sparkline of the last day, or of the range, for each", async () => {
    await at({ signature: "a", count: 4, agoMs: MINUTE_MS });
    await at({ signature: "a", count: 2, agoMs: 12 * HOUR_MS });
    await at({ signature: "a", count: 9, agoMs: 60 * HOUR_MS });
    const day = await list();
    expect(day.items[0]!.count).toBe(15);
    expect(day.items[0]!.activity).toHaveLength(24);
    expect(day.activity.bucket_s).toBe(3600);
    expect(day.items[0]!.activity.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(day.items[0]!.activity.at(-1)).toBe(4);
    const drawn = (await list("?activity=30d")).items[0]!.activity;
    expect(drawn.reduce((sum, count) => sum + count, 0)).toBe(15);
    const week = (await list("?range=7d")).items[0]!.activity;
    expect(week.reduce((sum, count) => sum + count, 0)).toBe(15);
  });

  test("draws each group, with what was merged into it, from its firings alone", async () => {
    const agos = [1, 4, 6, 11, 61, 119, 350, 719, 1430, 2870, 9000, 20_000].map(
      (minutes) => minutes * MINUTE_MS,
    );
    const fired: { id: string; atMs: number; count: number }[] = [];
    for (const [place, signature] of ["a", "b", "c", "d"].entries()) {
      for (const [n, agoMs] of agos.entries()) {
        if (n % (place + 1) !== 0) continue;
        const count = 1 + ((n + place) % 3);
        fired.push({ id: await at({ signature, count, agoMs }), atMs: NOW_MS - agoMs, count });
      }
    }
    const [a, b, c, d] = [...new Set(fired.map(({ id }) => id))];
    await bulk({ ids: [b, c], action: "merge", into: a });
    for (const query of ["", "&activity=7d", "&activity=30d", "&range=1h", "&range=6h", "&range=30d"]) {
      const { items, activity } = await list(`?sort=count${query}`);
      expect(items.map((item) => [item.id, item.merged_group_ids.toSorted()])).toEqual([
        [a!, [b!, c!].toSorted()],
        [d!, []],
      ]);
      for (const item of items) {
        const drawn = item.activity.map(() => 0);
        for (const { id, atMs, count } of fired) {
          const bucket = Math.floor((atMs - Date.parse(activity.start_at)) / (activity.bucket_s * 1000));
          if ([item.id, ...item.merged_group_ids].includes(id) && bucket in drawn) drawn[bucket]! += count;
        }
        expect(item.activity).toEqual(drawn);
        expect(drawn.some((count) => count > 0)).toBe(true);
      }
    }
  });

  test("finds all words together in a group and what was merged into it, on every page and in the facets", async () => {
    const into = await at({
      signature: "a",
      severity: "low",
      excerpt: "Of LEDGER kind",
      executionId: "run-a",
    });
    const merged = await at({
      signature: "b",
      severity: "critical",
      excerpt: "of Another",
      executionId: "run-b",
    });
    const alone = await at({
      class: "no_progress",
      signature: "c",
      excerpt: "ledger and another",
      agoMs: 2 * MINUTE_MS,
    });
    const neither = await at({ signature: "d", excerpt: "ledger" });
    const search = `q=${encodeURIComponent("ledger ANOTHER")}`;
    expect(await ids(`?${search}`)).toEqual([alone]);
    await bulk({ ids: [merged], action: "merge", into });
    const found = await list(`?${search}`);
    expect(found.items.map((item) => item.id)).toEqual([into, alone]);
    expect(found.facets).toEqual({
      state: { open: 2, regressed: 0, resolved: 0, ignored: 0 },
      class: { tool_loop: 1, no_progress: 1 },
      severity: { low: 0, medium: 0, high: 1, critical: 1 },
    });
    const first = await list(`?${search}&limit=1`);
    const second = await list(`?${search}&limit=1&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items]).toEqual([...found.items]);
    expect([first.facets, second.facets, second.next_cursor]).toEqual([found.facets, null, null]);
    expect(await ids("?q=run-b")).toEqual([into]);
    expect(await ids(`?q=${neither}`)).toEqual([neither]);
    const nothing = await list("?q=neither-of-them&state=resolved");
    expect(nothing).toMatchObject({
      items: [],
      next_cursor: null,
      facets: { class: {}, state: { open: 0 } },
    });
  });

  test.each([
    "state=gone",
    "severity=worst",
    "class=Tool%20Loop",
    "sort=name",
    "cursor=abc",
    `cursor=1.fg_${"'".repeat(20)}`,
    `cursor=${"9".repeat(30)}.fg_${"a".repeat(20)}`,
    "limit=0",
    "limit=1000",
    "limit=ten",
    "range=2h",
    "range=1h&from=2026-01-01T00:00:00Z",
    "to=2026-01-01T00:00:00Z",
    "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
    "from=2026-02-29T00:00:00Z",
    "from=2001-01-02T00:00:00Z",
    "from=yesterday",
    `q=${"x".repeat(300)}`,
  ])("refuses ?%s", async (query) => {
    const { status } = await viewer(`/groups?${query}`);
    expect([400, 422]).toContain(status);
  });

  test("gives hostile texts back as they are", async () => {
    const hostile = `<script>alert(1)</script> '; drop table ats.failure_group; -- "\\ \u202e 🚀 %s {{7*7}}`;
    const id = await at({ signature: "x", excerpt: hostile, ruleIds: [hostile], executionId: hostile });
    const [item] = (await list(`?q=${encodeURIComponent("'; drop table")}`)).items;
    expect(item).toMatchObject({
      id,
      excerpt: hostile,
      rule_ids: [hostile],
      sample_execution_ids: [hostile],
    });
    const detections = (await viewer(`/groups/${id}/detections`)).json;
    expect(detections).toMatchObject({
      items: [{ excerpt: hostile, rule_ids: [hostile], execution_id: hostile }],
    });
  });
});

describe("acting on groups", () => {
  test("resolves, and what fires again is regressed", async () => {
    const id = await at({ signature: "a" });
    expect((await bulk({ ids: [id], action: "resolve" })).json).toEqual({ results: [{ id, ok: true }] });
    expect((await list()).items[0]).toMatchObject({ state: "resolved", regressed: false });
    await fire(suite.sql, suite.project.projectNo, { signature: "a", atMs: Date.now() });
    expect((await list()).items[0]).toMatchObject({ state: "open", regressed: true });
    await bulk({ ids: [id], action: "resolve" });
    await bulk({ ids: [id], action: "reopen" });
    expect((await list()).items[0]).toMatchObject({ state: "open", regressed: false });
  });

  test("ignores until a time, for a count, or for good", async () => {
    const id = await at({ signature: "a" });
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    await bulk({ ids: [id], action: "ignore", until });
    expect((await list()).items[0]).toMatchObject({ state: "ignored", ignored_until: until });
    await bulk({ ids: [id], action: "ignore", firings: 5 });
    expect((await list()).items[0]).toMatchObject({ ignored_until: null, ignored_firings_left: 5 });
    await bulk({ ids: [id], action: "ignore", until: null, firings: null });
    expect((await list()).items[0]).toMatchObject({ ignored_until: null, ignored_firings_left: null });
    const both = await bulk({ ids: [id], action: "ignore", until, firings: 5 });
    expect(both.json).toMatchObject({ results: [{ id, ok: false, code: "invalid" }] });
    for (const until of ["2020-01-01T00:00:00Z", "2100-02-29T00:00:00Z"])
      expect((await bulk({ ids: [id], action: "ignore", until })).status).toBe(400);
  });

  test("merges and unmerges, the sum and the parts staying true", async () => {
    const a = await at({ signature: "a", count: 2, severity: "low", agoMs: 3 * MINUTE_MS });
    const b = await at({
      signature: "b",
      count: 3,
      severity: "critical",
      excerpt: "of b",
      executionId: "run-2",
    });
    const c = await at({ class: "no_progress", signature: "c" });
    const merged = await bulk({ ids: [b, a, c], action: "merge", into: a });
    expect(merged.json).toMatchObject({
      results: [
        { id: b, ok: true },
        { id: a, ok: false, code: "invalid" },
        { id: c, ok: false, code: "invalid" },
      ],
    });
    const page = await list("?class=tool_loop");
    expect(page.items).toHaveLength(1);
    expect(page.items[0]).toMatchObject({
      id: a,
      count: 5,
      severity: "critical",
      excerpt: "of b",
      merged_group_ids: [b],
      sample_execution_ids: ["run-1", "run-2"],
    });
    expect(page.items[0]!.activity.at(-1)).toBe(5);
    expect(page.facets!.severity).toMatchObject({ low: 0, critical: 1 });
    expect(await ids(`?q=${b}`)).toEqual([a]);

    const detail = (await viewer(`/groups/${a}`)).json;
    expect(detail).toMatchObject({
      group: { id: a, count: 5 },
      merged_groups: [{ id: b, count: 3, excerpt: "of b" }],
      recent: { detections: 5, executions: 2 },
    });
    const detections = (await viewer(`/groups/${a}/detections`)).json as { items: { group_id: string }[] };
    expect(detections.items.map((item) => item.group_id)).toEqual([b, b, b, a, a]);
    expect((await viewer(`/groups/${b}`)).json).toMatchObject({ group: { merged_into: a, count: 3 } });

    expect((await bulk({ ids: [b], action: "unmerge" })).json).toEqual({ results: [{ id: b, ok: true }] });
    expect((await list("?class=tool_loop&sort=count")).items.map((item) => [item.id, item.count])).toEqual([
      [b, 3],
      [a, 2],
    ]);
    expect((await bulk({ ids: [b], action: "unmerge" })).json).toMatchObject({ results: [{ ok: false }] });
  });

  test.each([
    { ids: [], action: "resolve" },
    {
      ids: Array.from(
        { length: 201 },
        (_, n) =>
          `fg_${String(n)
            .padStart(20, "a")
            .replace(/[0189]/g, "b")}`,
      ),
      action: "resolve",
    },
    { ids: ["fg_x"], action: "resolve" },
    { ids: [`fg_${"a".repeat(20)}`, `fg_${"a".repeat(20)}`], action: "resolve" },
    { ids: [`fg_${"a".repeat(20)}`], action: "delete" },
    { ids: [`fg_${"a".repeat(20)}`], action: "merge" },
    { ids: [`fg_${"a".repeat(20)}`], action: "merge", into: "fg_'" },
    { ids: [`fg_${"a".repeat(20)}`], action: "ignore", firings: 0 },
    { ids: [`fg_${"a".repeat(20)}`], action: "ignore", until: "soon" },
    { action: "resolve" },
    "resolve",
  ])("refuses %j", async (body) => {
    const { status } = await bulk(body);
    expect([400, 422]).toContain(status);
  });

  test("is not done from a foreign page", async () => {
    const id = await at({ signature: "a" });
    const api = callerOf(suite.sql, "member", "https://evil.example");
    const reply = await api("POST", `/projects/${suite.project.projectId}/groups/bulk`, {
      ids: [id],
      action: "resolve",
    });
    expect(reply.status).toBe(403);
    expect((await list()).items[0]!.state).toBe("open");
  });
});

describe("playbooks", () => {
  test("every failure class has one, with its taxonomy", async () => {
    const call = callerOf(suite.sql, "viewer");
    const { items } = (await call("GET", "/playbooks")).json as { items: { failure_class: string }[] };
    expect(items.map((item) => item.failure_class)).toEqual(DETECTORS.map((each) => each.failureClass));
    for (const { failure_class } of items) {
      const reply = await call("GET", `/playbooks/${failure_class}`);
      expect(reply.json).toMatchObject({
        failure_class,
        summary: expect.any(String),
        taxonomy: { mast: expect.any(Array) },
        playbook: { meaning: expect.any(String), false_alarms: expect.any(Array) },
      });
    }
    expect((await call("GET", "/playbooks/no_such_class")).status).toBe(404);
  });
});

test("a class says in which projects it fired, the latest first, and leads to the group that counts", async () => {
  const into = await at({ class: "handoff_loop", signature: "v1:a", agoMs: 3 * MINUTE_MS });
  const alias = await at({ class: "handoff_loop", signature: "v1:b", agoMs: 2 * MINUTE_MS });
  expect((await bulk({ ids: [alias], action: "merge", into })).status).toBe(200);
  const later = await mintProject(suite.sql);
  const last = await fire(suite.sql, later.projectNo, {
    class: "handoff_loop",
    signature: "v1:c",
    atMs: NOW_MS,
  });
  const ask = (name: string) => callerOf(suite.sql, "viewer")("GET", `/playbooks/${name}/projects`);
  const { items } = (await ask("handoff_loop")).json as { items: { project_id: string; group_id: string }[] };
  expect(items.length).toBeLessThanOrEqual(6);
  expect(items.slice(0, 2).map(({ project_id, group_id }) => [project_id, group_id])).toEqual([
    [later.projectId, last],
    [suite.project.projectId, into],
  ]);
  expect((await ask("no_such")).status).toBe(404);
});
