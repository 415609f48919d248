import { describe, expect, test } from "bun:test";
import {
  type ExecutionPage,
  type ExecutionPosition,
  listExecutions,
} from "../../src/store/dashboard/executions.ts";
import { mintProject } from "../support/projects.ts";
import { executionSuite } from "./support/execution-suite.ts";
import { NO_FILTER } from "./support/no-filter.ts";

/** The list of executions as the dashboard's API gives it, and who may not have it. */

const suite = executionSuite();
const { addExecution, addEvents, addDetection, get, all } = suite;

/** 422 by the schema of the query, 400 by the route. */
const isRefusal = (status: number) => status === 400 || status === 422;

const idsOf = (body: { items: { execution_id: string }[] }) => body.items.map((item) => item.execution_id);

async function found(query: string): Promise<string[]> {
  const { status, body } = await get(`/executions?${query}`);
  expect(status).toBe(200);
  return idsOf(body);
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
      const page: ExecutionPage = await listExecutions(suite.database.sql, {
        ...{ projectNo: suite.project.projectNo, filter, newestFirst: true, limit: 2, scannedMax: 5, after },
      });
      ids.push(...idsOf(page));
      ends.push(page.searchedUntil);
      after = page.next;
    } while (after !== null);
    expect(ids).toEqual(["run-1"]);
    expect(ends).toEqual(["2026-03-01T10:00:17.000007Z", "2026-03-01T10:00:12.000007Z", null]);
  });

  test("goes on exactly where it stopped, whether the last one tested matched or not", async () => {
    const crashed = [0, 1, 4, 5, 6, 9];
    for (let n = 0; n < 10; n++)
      await addExecution({
        id: `run-${n}`,
        status: crashed.includes(n) ? "crashed" : "completed",
        startedAt: "2026-03-01T10:00:00Z",
      });
    const expected = crashed.map((n) => `run-${n}`);
    const filter = { ...NO_FILTER, statuses: ["crashed"] } as const;
    for (const newestFirst of [true, false])
      for (let scannedMax = 1; scannedMax <= 11; scannedMax++)
        for (let limit = 1; limit <= 7; limit++) {
          const ids: string[] = [];
          let after: ExecutionPosition | null = null;
          do {
            const page: ExecutionPage = await listExecutions(suite.database.sql, {
              ...{ projectNo: suite.project.projectNo, filter, newestFirst, limit, scannedMax, after },
            });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            ids.push(...idsOf(page));
            after = page.next;
          } while (after !== null);
          expect(newestFirst ? ids.toReversed() : ids).toEqual(expected);
        }
  });

  test("a page of a class is the same however far it is searched at first, and by scan or by probe", async () => {
    const fired = [0, 1, 4, 5, 6, 9];
    for (let n = 0; n < 10; n++) {
      const no = await addExecution({
        id: `run-${n}`,
        status: n === 5 ? "crashed" : "completed",
        startedAt: `2026-03-01T10:00:0${n % 3}Z`,
      });
      await addDetection(no, { class: "no_progress" });
      if (fired.includes(n)) await addDetection(no, { class: "tool_loop" });
    }
    // Too many to be looked up by class.
    const last = await addExecution({ id: "often", startedAt: "2026-03-01T09:00:00Z" });
    await suite.database
      .sql`insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature,
        severity, rule_ids, score, excerpt, evidence_event_ids, detector_version, detected_at)
      select ${suite.project.projectNo}, ${last}, 'tool_loop', n::text, 'often_' || n, 's', 'low', '{}', 0.5, '', '{}', 1, now()
      from generate_series(1, 4001) n`;
    const newest = ["run-5", "run-4", "run-1", "run-9", "run-6", "run-0", "often"];
    const filter = { ...NO_FILTER, failureClass: "tool_loop", from: "2026-03-01T00:00:00.000Z" };
    for (const newestFirst of [true, false])
      for (const joinedMax of [0, 3, 40_000])
        for (const [firstScannedMax, scannedMax] of [
          [1, 4],
          [3, 20],
          [20, 20],
        ] as const)
          for (const limit of [1, 2, 7]) {
            const ids: string[] = [];
            let after: ExecutionPosition | null = null;
            do {
              const page: ExecutionPage = await listExecutions(suite.database.sql, {
                ...{ projectNo: suite.project.projectNo, filter, newestFirst, limit, after },
                ...{ scannedMax, firstScannedMax, joinedMax },
              });
              ids.push(...idsOf(page));
              after = page.next;
            } while (after !== null);
            expect(ids).toEqual(newestFirst ? newest : newest.toReversed());
          }
    const page = await listExecutions(suite.database.sql, {
      ...{ projectNo: suite.project.projectNo, newestFirst: true, limit: 5, after: null },
      ...{ filter: { ...filter, statuses: ["crashed"] }, scannedMax: 20, firstScannedMax: 2 },
    });
    expect(idsOf(page)).toEqual(["run-5"]);
  });

  test("finds an environment however its text is escaped", async () => {
    await addExecution({ id: "plain", mode: "live" });
    await addExecution({ id: "quoted", mode: 'a "b" \\c\n' });
    const escaped = await addExecution({ id: "escaped" });
    await suite.database.sql`update ats.execution set environment = ${'{"mode":"l\\u0069ve"}'}::text::json
      where project_no = ${suite.project.projectNo} and execution_no = ${escaped}`;
    const named = await addExecution({ id: "named elsewhere" });
    await suite.database
      .sql`update ats.execution set environment = ${'{"mode":"test","note":"live"}'}::text::json
      where project_no = ${suite.project.projectNo} and execution_no = ${named}`;
    expect((await found("environment=live")).toSorted()).toEqual(["escaped", "plain"]);
    expect(await found(`environment=${encodeURIComponent('a "b" \\c\n')}`)).toEqual(["quoted"]);
    expect((await get("/execution-facets")).body.environments.toSorted()).toEqual([
      'a "b" \\c\n',
      "live",
      "test",
    ]);
  });

  test("filters by a class that is too frequent to be looked up, and by one that is not, alike", async () => {
    const numbers: number[] = [];
    for (let n = 0; n < 6; n++)
      numbers.push(await addExecution({ id: `run-${n}`, startedAt: `2026-03-01T10:00:0${n}Z` }));
    await suite.database
      .sql`insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature,
        severity, rule_ids, score, excerpt, evidence_event_ids, detector_version, detected_at)
      select ${suite.project.projectNo}, ${numbers[2]!}, 'tool_loop', n::text, 'many_' || n, 's', 'low', '{}', 0.5, '', '{}', 1, now()
      from generate_series(1, 4001) n`;
    await addDetection(numbers[4]!, { class: "tool_loop" });
    await addDetection(numbers[4]!, { class: "no_progress" });
    await addDetection(numbers[4]!, { class: "no_progress", key: "again" });
    expect(await found("class=tool_loop")).toEqual(["run-4", "run-2"]);
    expect(await found("class=tool_loop&q=run-2")).toEqual(["run-2"]);
    expect(await found("class=no_progress")).toEqual(["run-4"]);
    expect(await found("class=no_progress&q=run-")).toEqual(["run-4"]);
    expect(await found("class=no_progress&q=run-2")).toEqual([]);
  });

  test("names what there is to filter by", async () => {
    await addExecution({ id: "1", language: "python", version: "1.0", mode: "live" });
    await addExecution({ id: "2", language: "python", version: "1.1", mode: "staging" });
    await addExecution({ id: "3", language: "go" });
    for (const each of ["tool_loop", "no_progress"])
      await suite.database.sql`insert into ats.failure_group
        (project_no, group_id, class, signature, severity, firing_count, first_seen_at, last_seen_at, sample_execution_ids)
        values (${suite.project.projectNo}, ${`fg_${each}`}, ${each}, 's', 'low', 1, now(), now(), '{}')`;
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
    const mine = suite.project;
    suite.project = await mintProject(suite.database.sql);
    for (const path of paths.slice(1)) {
      const { status, body } = await get(path);
      expect([status, body.code]).toEqual([404, "execution_not_found"]);
    }
    expect((await get("/executions")).body.items).toEqual([]);
    suite.project = { ...mine, projectId: "proj_unknown" };
    for (const path of paths) expect((await get(path)).body.code).toBe("project_not_found");
    suite.project = mine;
    suite.role = null;
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
      "from=2026-02-30",
      "from=2026-02-30T00:00:00Z",
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
