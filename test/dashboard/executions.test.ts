import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Role } from "../../src/dashboard/api/guard.ts";
import { apiRoutes } from "../../src/dashboard/api/routes.ts";
import { eventTypeCode } from "../../src/ingest/event-types.ts";
import {
  type ExecutionFilter,
  type ExecutionPage,
  type ExecutionPosition,
  listExecutions,
} from "../../src/store/dashboard/executions.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject, type TestProject } from "../support/projects.ts";

/** Executions and their events as the dashboard's API tells them, on a real database. */

let database: TestDatabase;
let api: ReturnType<typeof apiRoutes>;
let role: Role | null = "viewer";
let project: TestProject;

beforeAll(async () => {
  database = await cloneDatabase();
  api = apiRoutes({
    sql: database.sql,
    appUrl: "http://dashboard.test",
    memberOf: async () => (role === null ? null : { id: "u1", email: "a@example.com", name: "A", role }),
  });
  await database.sql`select ats.ensure_event_partition(day::date)
    from generate_series(date '2026-03-01', date '2026-03-03', interval '1 day') as day`;
});
afterAll(() => database.drop());
beforeEach(async () => {
  role = "viewer";
  project = await mintProject(database.sql);
});

interface Execution {
  id: string;
  startedAt?: string;
  status?: string;
  language?: string | null;
  version?: string | null;
  mode?: string | null;
  crashSignature?: string | null;
  homeDay?: string;
}

async function addExecution(one: Execution): Promise<number> {
  const [row] = await database.sql<{ no: number }[]>`
    insert into ats.execution (project_no, execution_id, status, sdk_language, sdk_version, environment, crash_signature,
      started_at, home_day)
    values (${project.projectNo}, ${one.id}, ${one.status ?? "started"}, ${one.language ?? null}, ${one.version ?? null},
      ${one.mode === undefined || one.mode === null ? null : JSON.stringify({ mode: one.mode })}::text::json,
      ${one.crashSignature ?? null}, ${one.startedAt ?? "2026-03-01T10:00:00Z"}::text::timestamptz, ${one.homeDay ?? null}::text::date)
    returning execution_no::float8 as no`;
  return row!.no;
}

interface StoredEvent {
  id: string;
  type?: string;
  sequence?: number;
  timestamp?: string;
  payload?: string;
  receivedAt?: string;
}

async function addEvents(executionNo: number, events: readonly StoredEvent[]): Promise<void> {
  for (const [index, one] of events.entries()) {
    await database.sql`
      insert into ats.event (project_no, execution_no, event_id, event_type, sequence, "timestamp", payload, received_at, batch_no)
      values (${project.projectNo}, ${executionNo}, ${one.id},
        ${one.type === "claim" ? 0 : eventTypeCode(one.type ?? "tool_call")!}, ${one.sequence ?? index + 1},
        ${one.timestamp ?? "2026-03-01T10:00:01Z"}::text::timestamptz, ${one.payload ?? "{}"}, ${one.receivedAt ?? "2026-03-01T10:00:02Z"}, 1)`;
  }
}

async function addDetection(
  executionNo: number,
  one: { class: string; severity?: string; eventId?: string; signature?: string; key?: string },
): Promise<void> {
  const key = one.key ?? `${one.class}-${one.eventId ?? ""}`;
  await database.sql`
    insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature, severity, rule_ids, score,
      excerpt, event_id, evidence_event_ids, detector_version, detected_at)
    values (${project.projectNo}, ${executionNo}, ${one.class}, ${key}, ${`det_${executionNo}_${key}`},
      ${one.signature ?? "s"}, ${one.severity ?? "high"}, '{r/1}', 0.5, 'excerpt', ${one.eventId ?? null}, '{}', 1, now())`;
}

async function get(path: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const response = await api.handle(
    new Request(`http://dashboard.test/app/api/projects/${project.projectId}${path}`),
  );
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const NO_FILTER: ExecutionFilter = {
  statuses: null,
  from: null,
  to: null,
  sdkLanguage: null,
  sdkVersion: null,
  environment: null,
  failureClass: null,
  text: null,
};

/** 422 by the schema of the query, 400 by the route. */
const isRefusal = (status: number) => status === 400 || status === 422;

const idsOf = (body: { items: { execution_id: string }[] }) => body.items.map((item) => item.execution_id);

async function found(query: string): Promise<string[]> {
  const { status, body } = await get(`/executions?${query}`);
  expect(status).toBe(200);
  return idsOf(body);
}

/** Follows the cursors to the end. */
async function all(path: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await get(
      `${path}${path.includes("?") ? "&" : "?"}${cursor === null ? "" : `cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    ids.push(...body.items.map((item: Record<string, string>) => item.event_id ?? item.execution_id));
    cursor = body.next_cursor;
    await between();
  } while (cursor !== null);
  return ids;
}

describe("the list", () => {
  test("tells an execution's record and counts its detections by severity", async () => {
    const no = await addExecution({
      id: "run-1",
      status: "crashed",
      language: "python",
      version: "1.4.0",
      mode: "live",
      crashSignature: "sha256:abc",
      startedAt: "2026-03-01T10:00:00.123456Z",
    });
    await addDetection(no, { class: "tool_loop", severity: "medium" });
    await addDetection(no, { class: "tool_loop", severity: "medium", key: "again" });
    await addDetection(no, { class: "execution_crash", severity: "critical" });
    const { body } = await get("/executions");
    expect(body).toEqual({
      items: [
        {
          execution_id: "run-1",
          status: "crashed",
          sdk: { language: "python", version: "1.4.0" },
          environment: "live",
          started_at: "2026-03-01T10:00:00.123456Z",
          finished_at: null,
          duration_ms: null,
          tokens_in: null,
          tokens_out: null,
          crash_signature: "sha256:abc",
          detections: { low: 0, medium: 2, high: 0, critical: 1 },
        },
      ],
      next_cursor: null,
      searched_until: null,
    });
  });

  test("filters by status, time, SDK, environment and text, and by several at once", async () => {
    await addExecution({ id: "a-1", status: "completed", language: "python", version: "1.0", mode: "live" });
    await addExecution({
      id: "a-2",
      status: "crashed",
      language: "python",
      version: "2.0@beta",
      crashSignature: "sha256:feed01",
      startedAt: "2026-03-01T11:00:00Z",
    });
    await addExecution({
      id: "b_1%",
      language: "typescript",
      version: "1.0",
      mode: "simulation",
      startedAt: "2026-03-02T11:00:00Z",
    });
    expect(await found("")).toEqual(["b_1%", "a-2", "a-1"]);
    expect(await found("sort=started_at")).toEqual(["a-1", "a-2", "b_1%"]);
    expect(await found("status=crashed")).toEqual(["a-2"]);
    expect(await found("status=crashed,completed")).toEqual(["a-2", "a-1"]);
    expect(await found("from=2026-03-01T10:30:00Z&to=2026-03-02T11:00:00Z")).toEqual(["a-2"]);
    expect(await found("from=2026-03-02")).toEqual(["b_1%"]);
    expect(await found("sdk=python")).toEqual(["a-2", "a-1"]);
    expect(await found("sdk=python@2.0@beta")).toEqual(["a-2"]);
    expect(await found("environment=live")).toEqual(["a-1"]);
    expect(await found("environment=none")).toEqual(["a-2"]);
    expect(await found("q=a-")).toEqual(["a-2", "a-1"]);
    expect(await found("q=A-")).toEqual([]);
    expect(await found("q=b_1%25")).toEqual(["b_1%"]);
    expect(await found("q=%25")).toEqual([]);
    expect(await found("q=sha256:feed")).toEqual(["a-2"]);
    expect(await found("q=feed0")).toEqual(["a-2"]);
    expect(await found("q=a-&status=completed&sdk=python&environment=live&from=2026-03-01")).toEqual(["a-1"]);
    expect(await found("q=a-&sdk=typescript")).toEqual([]);
  });

  test("filters by failure class", async () => {
    const first = await addExecution({ id: "hit-1" });
    const second = await addExecution({ id: "hit-2", startedAt: "2026-03-01T09:00:00Z" });
    await addExecution({ id: "clean" });
    await addDetection(first, { class: "tool_loop", key: "1" });
    await addDetection(first, { class: "tool_loop", key: "2" });
    await addDetection(second, { class: "tool_loop" });
    await addDetection(second, { class: "no_progress" });
    expect(await found("class=tool_loop")).toEqual(["hit-1", "hit-2"]);
    expect(await found("class=no_progress")).toEqual(["hit-2"]);
    expect(await found("class=tool_loop&q=hit-2")).toEqual(["hit-2"]);
    expect(await found("class=unheard_of")).toEqual([]);
  });

  test("pages end, complete and without doubles, while executions arrive", async () => {
    const expected: string[] = [];
    for (let n = 0; n < 23; n++) {
      // Moments shared by several: the number of the execution decides.
      const startedAt = `2026-03-01T10:00:0${Math.floor(n / 7)}.000001Z`;
      await addExecution({ id: `run-${n}`, startedAt });
      expected.unshift(`run-${n}`);
    }
    let arrived = 0;
    const arrive = async () => {
      arrived += 1;
      await addExecution({ id: `late-${arrived}`, startedAt: "2026-03-02T00:00:00Z" });
    };
    for (const query of ["limit=4", "limit=4&status=started", "limit=4&q=run-"]) {
      const ids = await all(`/executions?${query}`, arrive);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => id.startsWith("run-"))).toEqual(expected);
    }
    expect(await all("/executions?limit=5&sort=started_at&q=run-")).toEqual(expected.toReversed());
  });

  test("says until when it searched, where a page ends before the range does", async () => {
    for (let n = 0; n < 12; n++)
      await addExecution({
        id: `run-${n}`,
        status: n === 1 ? "crashed" : "completed",
        startedAt: `2026-03-01T10:00:${10 + n}.000007Z`,
      });
    const filter = { ...NO_FILTER, statuses: ["crashed"] } as const;
    const ends: (string | null)[] = [];
    const ids: string[] = [];
    let after: ExecutionPosition | null = null;
    do {
      const page: ExecutionPage = await listExecutions(database.sql, {
        ...{ projectNo: project.projectNo, filter, newestFirst: true, limit: 2, scannedMax: 5, after },
      });
      ids.push(...idsOf(page));
      ends.push(page.searchedUntil);
      after = page.next;
    } while (after !== null);
    expect(ids).toEqual(["run-1"]);
    expect(ends).toEqual(["2026-03-01T10:00:17.000007Z", "2026-03-01T10:00:12.000007Z", null]);
  });

  test("names what there is to filter by", async () => {
    await addExecution({ id: "1", language: "python", version: "1.0", mode: "live" });
    await addExecution({ id: "2", language: "python", version: "1.1", mode: "staging" });
    await addExecution({ id: "3", language: "go" });
    for (const each of ["tool_loop", "no_progress"])
      await database.sql`insert into ats.failure_group
        (project_no, group_id, class, signature, severity, firing_count, first_seen_at, last_seen_at, sample_execution_ids)
        values (${project.projectNo}, ${`fg_${each}`}, ${each}, 's', 'low', 1, now(), now(), '{}')`;
    expect((await get("/execution-facets")).body).toEqual({
      sdks: [
        { language: "go", versions: [] },
        { language: "python", versions: ["1.0", "1.1"] },
      ],
      environments: ["live", "staging"],
      failure_classes: ["no_progress", "tool_loop"],
    });
  });
});

describe("who may not", () => {
  test("see: nobody signed in, and nothing of another project", async () => {
    await addExecution({ id: "mine" });
    const paths = ["/executions", "/executions/mine", "/executions/mine/events", "/executions/mine/graph"];
    const mine = project;
    project = await mintProject(database.sql);
    for (const path of paths.slice(1)) {
      const { status, body } = await get(path);
      expect([status, body.code]).toEqual([404, "execution_not_found"]);
    }
    expect((await get("/executions")).body.items).toEqual([]);
    project = { ...mine, projectId: "proj_unknown" };
    for (const path of paths) expect((await get(path)).body.code).toBe("project_not_found");
    project = mine;
    role = null;
    for (const path of [...paths, "/execution-facets"]) expect((await get(path)).status).toBe(401);
  });

  test("ask: bad cursors and bad input", async () => {
    const no = await addExecution({ id: "x" });
    await addEvents(no, [{ id: "e1" }, { id: "e2" }]);
    await addExecution({ id: "y" });
    const cursor: string = (await get("/executions?limit=1")).body.next_cursor;
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const cursors = [
      "%20",
      "zz",
      "null",
      encoded(null),
      encoded([]),
      encoded([1, 2, 3]),
      encoded(["2026-02-31T00:00:00.000000Z", 1, 1]),
      encoded(["2026-03-01T00:00:00.000000Z", 1.5, 1]),
      encoded(["2026-03-01T00:00:00.000000Z'; drop", 1, 1]),
      encoded([1e9 * 4, "2026-03-01T00:00:00.000000Z", "e"]),
      encoded([1, "2026-03-01T00:00:00.000000Z", "\u0000"]),
    ];
    for (const bad of [...cursors, `${cursor}&sort=started_at`])
      expect((await get(`/executions?cursor=${bad}`)).body.code).toBe("invalid_cursor");
    for (const bad of cursors)
      expect((await get(`/executions/x/events?cursor=${bad}`)).body.code).toBe("invalid_cursor");
    for (const query of [
      "status=gone",
      "limit=0",
      "limit=1000",
      "limit=x",
      "from=yesterday",
      "to=2026-13-01",
      "sort=cost",
      "q=%00",
      `q=${"x".repeat(300)}`,
      "class=%00",
    ])
      expect([query, isRefusal((await get(`/executions?${query}`)).status)]).toEqual([query, true]);
    for (const query of [
      "type=claim",
      "type=tool_call,x",
      "from_sequence=-1",
      "limit=501",
      "received_from=x",
    ])
      expect([query, isRefusal((await get(`/executions/x/events?${query}`)).status)]).toEqual([query, true]);
    for (const path of ["/executions/%00", "/executions/none", "/executions/x/events/%00"])
      expect((await get(path)).status).toBe(404);
  });
});

describe("an execution", () => {
  test("adds up its events, and marks what was detected on them", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01", mode: "live" });
    await addEvents(no, [
      { id: "l1", type: "llm_call", payload: `{"tokens_in":100,"tokens_out":20,"cost_usd":0.25}` },
      {
        id: "l2",
        type: "llm_call",
        payload: `{"gen_ai.usage.input_tokens":7,"tokens_out":"many","cost":0.5}`,
      },
      { id: "l3", type: "llm_call", payload: `{"tokens_in":1e300,"text":"\\u0000"}` },
      { id: "t1", payload: `{"tool_name":"search","tokens_in":999}`, timestamp: "2026-03-01T10:00:09.5Z" },
    ]);
    await addDetection(no, { class: "tool_loop", severity: "medium", eventId: "t1", signature: "alias" });
    await addDetection(no, { class: "execution_timeout", severity: "critical" });
    for (const [id, signature, into] of [
      ["fg_main", "main", null],
      ["fg_alias", "alias", "fg_main"],
    ] as const)
      await database.sql`insert into ats.failure_group
        (project_no, group_id, class, signature, severity, firing_count, first_seen_at, last_seen_at, sample_execution_ids, merged_into)
        values (${project.projectNo}, ${id}, 'tool_loop', ${signature}, 'low', 1, now(), now(), '{}', ${into})`;
    const { body } = await get("/executions/run");
    expect(body).toMatchObject({
      execution_id: "run",
      environment: { mode: "live", declared_by: null, note: null },
      totals: {
        events: 4,
        complete: true,
        by_type: [
          { event_type: "llm_call", count: 3 },
          { event_type: "tool_call", count: 1 },
        ],
        first_event_at: "2026-03-01T10:00:01.000000Z",
        last_event_at: "2026-03-01T10:00:09.500000Z",
        usage: { llm_calls: 3, tokens_in: 107, tokens_out: 20, cost: 0.75, complete: false },
      },
      detections: {
        complete: true,
        items: [
          {
            class: "execution_timeout",
            severity: "critical",
            event_id: null,
            sequence: null,
            group_id: null,
          },
          { class: "tool_loop", event_id: "t1", sequence: 4, group_id: "fg_main", group_state: "open" },
        ],
      },
    });
  });

  test("finds events of other days, before and behind its home day, and no claims", async () => {
    const no = await addExecution({ id: "long", homeDay: "2026-03-02" });
    await addEvents(no, [
      { id: "home", sequence: 2, timestamp: "2026-03-02T23:59:59.999999Z" },
      { id: "before", sequence: 1, timestamp: "2026-03-01T01:00:00Z" },
      { id: "before", type: "claim", timestamp: "2026-03-02T00:00:00Z" },
      { id: "behind", sequence: 3, timestamp: "2026-03-03T01:00:00Z" },
      { id: "behind", type: "claim", timestamp: "2026-03-02T00:00:00Z" },
      { id: "stray", sequence: 4, timestamp: "1999-01-01T00:00:00Z" },
    ]);
    expect(await all("/executions/long/events?limit=1")).toEqual(
      ["home", "before", "behind", "stray"].toSorted(
        (a, b) =>
          ["before", "home", "behind", "stray"].indexOf(a) - ["before", "home", "behind", "stray"].indexOf(b),
      ),
    );
    expect((await get("/executions/long")).body.totals.events).toBe(4);
    expect((await get("/executions/long/events/behind")).body.sequence).toBe(3);

    // A home day without a partition shares the default one with other days, and they claim nothing of each other.
    const stray = await addExecution({ id: "stray", homeDay: "1999-01-01" });
    await addEvents(stray, [
      { id: "s1", timestamp: "1999-01-01T00:00:00Z" },
      { id: "s2", timestamp: "1998-01-01T00:00:00Z" },
    ]);
    expect(await all("/executions/stray/events")).toEqual(["s1", "s2"]);
    await addExecution({ id: "empty" });
    expect((await get("/executions/empty")).body.totals).toMatchObject({
      events: 0,
      by_type: [],
      first_event_at: null,
    });
  });

  test("gives its events in order either way, by type, from a sequence, and what came lately", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    await addEvents(no, [
      { id: "c", sequence: 5, timestamp: "2026-03-01T10:00:03Z", type: "llm_call" },
      { id: "b", sequence: 5, timestamp: "2026-03-01T10:00:02Z" },
      { id: "a", sequence: 1, timestamp: "2026-03-01T10:00:09Z", receivedAt: "2026-03-01T10:05:00Z" },
      { id: "e", sequence: 9 },
      { id: "d", sequence: 9, type: "exception" },
    ]);
    expect(await all("/executions/run/events?limit=2")).toEqual(["a", "b", "c", "d", "e"]);
    expect(await all("/executions/run/events?type=llm_call,exception")).toEqual(["c", "d"]);
    expect(await all("/executions/run/events?received_from=2026-03-01T10:04:00Z")).toEqual(["a"]);
    const middle = (await get("/executions/run/events?from_sequence=5&limit=2")).body;
    expect(middle.items.map((item: { event_id: string }) => item.event_id)).toEqual(["b", "c"]);
    const back = (await get(`/executions/run/events?direction=backward&limit=1&cursor=${middle.last_cursor}`))
      .body;
    expect(back.items.map((item: { event_id: string }) => item.event_id)).toEqual(["b"]);
    const start = (await get(`/executions/run/events?direction=backward&cursor=${middle.first_cursor}`)).body;
    expect([start.items[0].event_id, start.next_cursor]).toEqual(["a", null]);
  });

  test("draws who handed to whom, and who used what", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    await addEvents(no, [
      { id: "1", type: "llm_call" },
      { id: "2", type: "agent_handoff", payload: `{"from_agent":"planner","to_agent":"writer"}` },
      { id: "3", payload: `{"tool_name":"search","error":"no"}` },
      { id: "4", payload: `{"tool_name":"search","agent":"planner"}` },
      { id: "5", type: "mcp_call", payload: `{"server":"files","tool_name":"read"}` },
      { id: "6", type: "agent_handoff", payload: `{"from_agent":"writer","to_agent":"planner"}` },
      { id: "7", type: "agent_handoff", payload: `{"from_agent":["x"],"to_agent":null}` },
    ]);
    const { body } = await get("/executions/run/graph");
    expect(body.complete).toBe(true);
    expect(body.nodes).toContainEqual({
      id: "tool:search",
      kind: "tool",
      name: "search",
      count: 2,
      failed_count: 1,
    });
    expect(
      body.edges.map((e: Record<string, unknown>) => [e.from, e.to, e.kind, e.count, e.failed_count]),
    ).toEqual([
      ["agent:planner", "agent:writer", "handoff", 1, 0],
      ["agent:writer", "tool:search", "call", 1, 1],
      ["agent:planner", "tool:search", "call", 1, 0],
      ["agent:writer", "mcp_server:files", "call", 1, 0],
      ["agent:writer", "agent:planner", "handoff", 1, 0],
    ]);
    expect(body.handoffs).toHaveLength(3);
  });
});

describe("hostile payloads", () => {
  const deep = `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`;
  const hostile: Record<string, string> = {
    html: `{"tool_name":"<img src=x onerror=alert(1)>","result":"</script><script>alert(1)</script>"}`,
    proto: `{"__proto__":{"tool_name":"bent"},"constructor":{"prototype":{"x":1}}}`,
    huge: `{"latency_ms":1e400,"n":-1e400,"tiny":1e-400}`,
    wide: `{"n":9223372036854775808,"m":0.1000000000000000055511151231257827,"z":1.0}`,
    nul: `{"error":"a\\u0000b","\\u0000":1}`,
    twice: `{"a":1,"a":2}`,
    odd: `{"tool_name":{"x":1},"duration_ms":"-5","error":{"message":7},"result":[[[[[[[[]]]]]]]]}`,
    deep: `{"result":${deep},"tool_name":"t"}`,
    long: `{"result":"${"\\u00e9x".repeat(262_144)}"}`,
    emoji: `{"result":"${"\u{1f600}".repeat(300)}"}`,
  };

  test("come back exactly, and break no list, sum or graph", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    await addEvents(
      no,
      Object.entries(hostile).map(([id, payload]) => ({
        id,
        payload,
        type: id === "wide" ? "llm_call" : "tool_call",
      })),
    );
    for (const [id, payload] of Object.entries(hostile)) {
      const { status, body } = await get(`/executions/run/events/${id}`);
      expect(status).toBe(200);
      expect(body.payload === payload).toBe(true);
    }
    const { body } = await get("/executions/run/events");
    const items = new Map(body.items.map((item: { event_id: string }) => [item.event_id, item])) as Map<
      string,
      {
        payload: string | null;
        preview: string | null;
        summary: Record<string, unknown>;
        payload_bytes: number;
      }
    >;
    expect([...items.keys()]).toEqual(Object.keys(hostile));
    expect(items.get("wide")!.payload).toBe(hostile.wide!);
    expect(items.get("html")!.summary.title).toBe("<img src=x onerror=alert(1)>");
    expect(items.get("proto")!.summary.title).toBeNull();
    expect(items.get("huge")!.summary.duration_ms).toBeNull();
    expect(items.get("deep")!).toMatchObject({ payload: null, summary: { title: "t" } });
    expect(items.get("long")!).toMatchObject({ payload: null, payload_bytes: hostile.long!.length });
    expect(items.get("long")!.preview).toBe(hostile.long!.slice(0, 1024));
    expect((await get("/executions/run")).body.totals.events).toBe(items.size);
    expect((await get("/executions/run/graph")).body.nodes.length).toBeGreaterThan(1);
  });
});
