import { describe, expect, test } from "bun:test";
import { type ActionNames, namesOf } from "../../src/store/dashboard/executions-graph.ts";
import { executionSuite } from "./support/execution-suite.ts";

/** One execution and its events as the dashboard's API tells them. */

const suite = executionSuite();
const { addExecution, addEvents, addDetection, get, all } = suite;

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
      await suite.database.sql`insert into ats.failure_group
        (project_no, group_id, class, signature, severity, firing_count, first_seen_at, last_seen_at, sample_execution_ids, merged_into)
        values (${suite.project.projectNo}, ${id}, 'tool_loop', ${signature}, 'low', 1, now(), now(), '{}', ${into})`;
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
        usage: { llm_calls: 3, tokens_in: 1e15 + 107, tokens_out: 20, cost: 0.75, complete: true },
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

  test("adds up the first model calls, where their payloads are too many bytes for all", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    const filler = "x".repeat(3 * 1024 * 1024);
    await addEvents(
      no,
      [1, 20, 300, 4000].map((tokens) => ({
        id: `l${tokens}`,
        type: "llm_call",
        payload: `{"tokens_in":${tokens},"tokens_out":${tokens * 2},"output":"${filler}"}`,
      })),
    );
    const { usage } = (await get("/executions/run")).body.totals;
    expect(usage).toEqual({ llm_calls: 4, tokens_in: 21, tokens_out: 42, cost: null, complete: false });
  });

  test("adds up in several pieces, costs to the digit, and nothing of what is no JSON", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    const filler = "x".repeat(400 * 1024);
    await addEvents(
      no,
      Array.from({ length: 10 }, (_, place) => ({
        id: `l${place}`,
        type: "llm_call",
        payload: `{"tokens_in":${place},"gen_ai.usage.output_tokens":1,"total_cost":0.1,"output":"${filler}"}`,
      })),
    );
    const usageOf = async () => (await get("/executions/run")).body.totals.usage;
    expect(await usageOf()).toEqual({
      llm_calls: 10,
      tokens_in: 45,
      tokens_out: 10,
      cost: 1,
      complete: true,
    });
    await addEvents(no, [{ id: "bad", type: "llm_call", payload: "no JSON" }]);
    const { llm_calls, complete } = await usageOf();
    expect({ llm_calls, complete }).toEqual({ llm_calls: 11, complete: false });
  });

  test("adds up no usage where no model was called", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    await addEvents(no, [{ id: "t", payload: `{"tokens_in":9}` }]);
    const { usage } = (await get("/executions/run")).body.totals;
    expect(usage).toEqual({ llm_calls: 0, tokens_in: 0, tokens_out: 0, cost: null, complete: true });
  });

  test("finds events of other days, before and behind its home day, and no stand-ins", async () => {
    const no = await addExecution({ id: "long", homeDay: "2026-03-02" });
    await addEvents(no, [
      { id: "home", sequence: 2, timestamp: "2026-03-02T23:59:59.999999Z" },
      { id: "before", sequence: 1, timestamp: "2026-03-01T01:00:00Z" },
      { id: "behind", sequence: 3, timestamp: "2026-03-03T01:00:00Z" },
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

    // A home day without a partition shares the default one with other days.
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
    expect(middle.has_earlier).toBe(true);
    for (const place of [
      "from_sequence=1",
      "from_sequence=5&type=llm_call,exception",
      "from_sequence=10",
      "",
    ])
      expect((await get(`/executions/run/events?${place}`)).body.has_earlier).toBe(false);
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

  test("reads the same names of a payload as PostgreSQL does, whatever a client sent in their place", async () => {
    const values = [
      '"a"',
      '""',
      "null",
      "5",
      "1.50",
      "1e2",
      "12345678901234567890",
      "true",
      "false",
      "[]",
      '{"a": [1.0]}',
    ];
    const texts = ['"x\\u0041\\n\\ud83d\\ude00"', `"${"é".repeat(119)}😀😀"`, `"${"n".repeat(130)}"`];
    const fields = [
      "agent",
      "agent_name",
      "gen_ai.agent.name",
      "from_agent",
      "to_agent",
      "tool_name",
      "gen_ai.tool.name",
    ];
    const payloads = [...values, ...texts].flatMap((value) => [
      ...[...fields, "server", "error"].map((field) => `{"other": 1, "${field}": ${value}}`),
      `{"agent": ${value}, "agent_name": "second", "tool_name": null, "gen_ai.tool.name": ${value}}`,
      `{"agent": "first", "agent_name": ${value}, "agent": "last"}`,
      `{"nested": {"agent": "not this"}, "server": ${value}, "error": {"message": ${value}}}`,
    ]);
    const { sql } = suite.database;
    const text = (name: string) => sql.unsafe(`left(f."${name}" #>> '{}', 120)`);
    const expected = await sql`
      select coalesce(${text("agent")}, ${text("agent_name")}, ${text("gen_ai.agent.name")}) as agent,
        ${text("from_agent")} as from_agent, ${text("to_agent")} as to_agent,
        coalesce(${text("tool_name")}, ${text("gen_ai.tool.name")}) as tool, ${text("server")} as server,
        coalesce(json_typeof(f.error) <> 'null' and f.error::text not in ('false', '""'), false) as failed
      from unnest(${payloads}::text[]) with ordinality as p (payload, place)
      cross join lateral json_to_record(p.payload::json) as f (agent json, agent_name json, "gen_ai.agent.name" json,
        from_agent json, to_agent json, tool_name json, "gen_ai.tool.name" json, server json, error json)
      order by p.place`;
    expect(await namesOf(sql, payloads)).toEqual([...expected] as ActionNames[]);
    expect(await namesOf(sql, [])).toEqual([]);
  });

  test("draws long payloads as short ones, up to the bytes that it reads", async () => {
    const no = await addExecution({ id: "run", homeDay: "2026-03-01" });
    const call = (id: string, length: number) => ({
      id,
      payload: `{"tool_name":"${id}","agent":"a","result":"${"x".repeat(length)}"}`,
    });
    await addEvents(no, [call("short", 1), call("long", 5_000), call("huge", 3_000_000)]);
    const before = (await get("/executions/run/graph")).body;
    expect(before.complete).toBe(true);
    expect(before.edges.map((e: Record<string, unknown>) => e.to)).toEqual([
      "tool:short",
      "tool:long",
      "tool:huge",
    ]);
    await addEvents(no, [{ ...call("beyond", 3_000_000), sequence: 9 }]);
    const after = (await get("/executions/run/graph")).body;
    expect(after.complete).toBe(false);
    expect(after.edges).toEqual(before.edges);
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
