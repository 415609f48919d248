import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { fire } from "../dashboard/group-fixtures.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type CliRun, runCli } from "./run-cli.ts";

/** `group` and `detection` as somebody woken by a notification uses them. */

let database: TestDatabase;
let project: TestProject;
const cli = (...args: string[]): Promise<CliRun> =>
  runCli([...args, "--project", project.projectId], {
    DATABASE_URL: database.url,
    APP_URL: "https://app.example.com/",
  });

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  project = await mintProject(database.sql);
});

const START_MS = Date.UTC(2026, 0, 1);

interface GroupJson {
  id: string;
  state: string;
  regressed: boolean;
  count: number;
  sample_execution_ids: string[];
  ignored_until: string | null;
  playbook_url: string;
  latest_detections: { execution_id: string; signature: string; score: number; excerpt: string }[];
}

test("show counts, samples and lists what was merged into a group, and says where to read on", async () => {
  const at = { atMs: START_MS, class: "tool_loop" };
  const into = await fire(database.sql, project.projectNo, { ...at, signature: "v1:a", executionId: "both" });
  for (const executionId of ["both", "other"])
    await fire(database.sql, project.projectNo, {
      ...at,
      signature: "v1:b",
      executionId,
      excerpt: "merged away",
    });
  const merged = (await cli("group", "list", "--json")).json<GroupJson[]>().find(({ id }) => id !== into);
  expect((await cli("group", "merge", merged!.id, "--into", into)).code).toBe(0);
  const group = (await cli("group", "show", into, "--json")).json<GroupJson>();
  expect(group.count).toBe(3);
  expect(group.sample_execution_ids.toSorted()).toEqual(["both", "other"]);
  expect(group.latest_detections.map((found) => found.signature).toSorted()).toEqual([
    "v1:a",
    "v1:b",
    "v1:b",
  ]);
  expect(group.playbook_url).toBe("https://app.example.com/app/playbooks/tool_loop");
  const human = (await cli("group", "show", into)).stdout;
  expect(human).toContain("merged away");
  expect(human).toContain(group.playbook_url);
});

test("a score is shown as it was given, not as its nearest float", async () => {
  await fire(database.sql, project.projectNo, { atMs: START_MS, signature: "v1:a" });
  await database.sql`update ats.detection set score = 0.95 where project_no = ${project.projectNo}`;
  expect((await cli("detection", "list", "--json")).json<{ score: number }[]>()[0]!.score).toBe(0.95);
});

test("a group that fires after it was resolved is listed as regressed", async () => {
  const id = await fire(database.sql, project.projectNo, { atMs: START_MS, signature: "v1:a" });
  expect((await cli("group", "list", "--state", "regressed", "--json")).json<GroupJson[]>()).toEqual([]);
  await cli("group", "resolve", id);
  // By a clock that is behind the database's, by which it was resolved.
  await fire(database.sql, project.projectNo, { atMs: Date.now() - 30_000, signature: "v1:a" });
  const [group] = (await cli("group", "list", "--state", "regressed", "--json")).json<GroupJson[]>();
  expect(group).toMatchObject({ id, state: "open", regressed: true });
  expect((await cli("group", "list")).stdout).toMatch(/ regressed +2 /);
  const shown = (await cli("group", "show", id)).stdout;
  expect(shown).toMatch(/^state +regressed$/m);
  expect(shown).not.toMatch(/^regressed /m);
  expect(shown).toMatch(/^merged_group_ids +-$/m);
});

test("a regressed group stays one until it is resolved anew; ignored for a while it is ignored", async () => {
  const seen = { atMs: START_MS, signature: "v1:a" };
  const id = await fire(database.sql, project.projectNo, seen);
  const state = async () => {
    const { state: stored, regressed } = (await cli("group", "show", id, "--json")).json<GroupJson>();
    const [, shown] = (await cli("group", "show", id)).stdout.match(/^state +(.+)$/m) ?? [];
    return [stored, regressed, shown];
  };
  const listedAs = async (name: string) =>
    (await cli("group", "list", "--state", name, "--json")).json<GroupJson[]>().length;
  await cli("group", "resolve", id);
  await cli("group", "reopen", id);
  // Nothing came back: somebody took their word back.
  expect(await state()).toEqual(["open", false, "open"]);
  await cli("group", "resolve", id);
  await fire(database.sql, project.projectNo, { ...seen, atMs: Date.now() });
  expect(await state()).toEqual(["open", true, "regressed"]);
  expect([await listedAs("open"), await listedAs("regressed")]).toEqual([1, 1]);
  await cli("group", "ignore", id, "--count", "1");
  expect(await state()).toEqual(["ignored", false, "ignored"]);
  await fire(database.sql, project.projectNo, { ...seen, atMs: Date.now(), count: 2 });
  expect(await state()).toEqual(["open", true, "regressed"]);
  await cli("group", "ignore", id);
  await cli("group", "reopen", id);
  expect(await state()).toEqual(["open", true, "regressed"]);
  await cli("group", "resolve", id);
  expect(await state()).toEqual(["resolved", false, "resolved"]);
  expect([await listedAs("open"), await listedAs("regressed")]).toEqual([0, 0]);
});

test("who did something with a group last, and when, is shown; merged groups are found by their state", async () => {
  const at = { atMs: START_MS, class: "tool_loop" };
  const into = await fire(database.sql, project.projectNo, { ...at, signature: "v1:a" });
  const alias = await fire(database.sql, project.projectNo, { ...at, signature: "v1:b" });
  const untouched = (await cli("group", "show", into, "--json")).json<object>();
  expect(untouched).toMatchObject({ acted_at: null, acted_by: null });
  await cli("group", "merge", alias, "--into", into);
  const [merged, ...others] = (await cli("group", "list", "--state", "merged", "--json")).json<object[]>();
  expect(others).toEqual([]);
  expect(merged).toMatchObject({
    id: alias,
    merged_into: into,
    acted_at: expect.any(String),
    acted_by: null,
  });
  expect((await cli("group", "list", "--state", "merged")).stdout).toMatch(
    new RegExp(`^${alias} .* merged into ${into} .* an operator command +v1:b$`, "m"),
  );
  await database.sql`update ats.failure_group set acted_by = 'ann@example.com' where group_id = ${alias}`;
  expect((await cli("group", "show", alias)).stdout).toMatch(/^acted_by +ann@example.com$/m);
});

test("what a group does not allow as it is now has failed, and was not typed wrongly", async () => {
  const at = { atMs: START_MS };
  const id = await fire(database.sql, project.projectNo, { ...at, class: "tool_loop", signature: "v1:a" });
  const into = await fire(database.sql, project.projectNo, { ...at, class: "tool_loop", signature: "v1:b" });
  const crash = await fire(database.sql, project.projectNo, {
    ...at,
    class: "execution_crash",
    signature: "v1:c",
  });
  const failed = async (...args: string[]) => {
    const { code, stderr } = await cli("group", ...args);
    expect([code, stderr.includes("Usage:")]).toEqual([1, false]);
    return stderr;
  };
  expect(await failed("unmerge", id)).toContain("is not merged");
  expect(await failed("merge", id, "--into", crash)).toContain("only groups of one class");
  expect((await cli("group", "merge", id, "--into", into)).code).toBe(0);
  expect(await failed("resolve", id)).toContain(`is merged into ${into}`);
  expect(await failed("merge", into, "--into", id)).toContain("is itself merged");
  expect((await cli("group", "merge", id, "--into", id)).code).toBe(2);
});

test("a short list begins with the group whose merged one fired last", async () => {
  const of = { class: "tool_loop" };
  const into = await fire(database.sql, project.projectNo, { ...of, atMs: START_MS, signature: "v1:a" });
  const alias = await fire(database.sql, project.projectNo, { ...of, atMs: START_MS + 1, signature: "v1:b" });
  for (const [ms, signature] of [
    [2, "v1:c"],
    [3, "v1:d"],
  ] as const)
    await fire(database.sql, project.projectNo, { ...of, atMs: START_MS + ms, signature });
  await cli("group", "merge", alias, "--into", into);
  await fire(database.sql, project.projectNo, { ...of, atMs: START_MS + 4, signature: "v1:b" });
  const [first, ...others] = (await cli("group", "list", "--limit", "1", "--json")).json<GroupJson[]>();
  expect([first?.id, first?.count, others]).toEqual([into, 3, []]);
  expect((await cli("group", "list", "--class", "tool_loop", "--json")).json<GroupJson[]>()).toHaveLength(3);
  expect((await cli("group", "list", "--state", "resolved", "--json")).json<GroupJson[]>()).toEqual([]);
});

test("what lies beyond a limit is reached by time, both ends included, and by group", async () => {
  const of = { class: "tool_loop" };
  const time = (ms: number) => new Date(START_MS + ms).toISOString();
  const ids: string[] = [];
  for (const [at, signature] of ["v1:a", "v1:b", "v1:c"].entries())
    ids.push(await fire(database.sql, project.projectNo, { ...of, atMs: START_MS + at * 1000, signature }));
  const [first = "", second = "", third = ""] = ids;
  const listed = async (noun: string, ...args: string[]) =>
    (await cli(noun, "list", ...args, "--json")).json<{ id: string; signature: string }[]>();
  const groups = async (...args: string[]) => (await listed("group", ...args)).map(({ id }) => id);
  const found = async (...args: string[]) =>
    (await listed("detection", ...args)).map(({ signature }) => signature);
  expect(await groups("--until", time(1000))).toEqual([second, first]);
  expect(await groups("--since", time(1000))).toEqual([third, second]);
  expect(await groups("--since", time(1000), "--until", time(1000))).toEqual([second]);
  expect(await found("--until", time(999))).toEqual(["v1:a"]);
  expect(await found("--since", time(1001))).toEqual(["v1:c"]);
  expect(await found("--group", second)).toEqual(["v1:b"]);
  await cli("group", "merge", first, "--into", second);
  expect((await found("--group", second)).toSorted()).toEqual(["v1:a", "v1:b"]);
  expect(await found("--group", second, "--until", time(0))).toEqual(["v1:a"]);
  await fire(database.sql, project.projectNo, { ...of, atMs: START_MS + 5000, signature: "v1:a" });
  // By the latest of what counts into it.
  expect(await groups("--since", time(4000))).toEqual([second]);
  expect(await groups("--until", time(1500))).toEqual([]);
  expect((await cli("group", "list", "--until", time(0))).stdout).toBe("No such failure groups.\n");
  expect((await cli("detection", "list", "--group", "fg_none")).code).toBe(1);
  for (const args of [
    ["group", "list", "--since", "yesterday"],
    ["detection", "list", "--until", "2027-02-30T00:00:00Z"],
    ["delivery", "list", "--since", time(1), "--until", time(0)],
    ["detection", "list", "--group", second, "--class", "tool_loop"],
  ])
    expect([args, (await cli(...args)).code]).toEqual([args, 2]);
});

test("a list that its limit ends says so, on standard error", async () => {
  for (const signature of ["v1:a", "v1:b"])
    await fire(database.sql, project.projectNo, { atMs: START_MS, signature });
  const cut = await cli("group", "list", "--limit", "1", "--json");
  expect(cut.json<GroupJson[]>()).toHaveLength(1);
  expect(cut.stderr).toContain("--limit");
  expect((await cli("detection", "list", "--limit", "1")).stderr).toContain("--limit");
  expect((await cli("group", "list")).stderr).toBe("");
});

test("a long answer goes whole through a pipe, and ends quietly where the pipe is closed", async () => {
  await fire(database.sql, project.projectNo, {
    atMs: START_MS,
    signature: "v1:a",
    excerpt: "x".repeat(200),
    count: 2_000,
  });
  // A program that reads JSON is given all; somebody who reads, a page.
  const long = await cli("detection", "list", "--json");
  expect(long.stdout.length).toBeGreaterThan(600_000);
  expect(long.json<unknown[]>()).toHaveLength(2_000);
  expect((await cli("detection", "list")).stdout.trim().split("\n")).toHaveLength(1 + 100);
  const child = Bun.spawn(
    [
      "sh",
      "-c",
      `"${process.execPath}" src/cli/main.ts detection list --limit 10000 --project ${project.projectId} | head -n 1`,
    ],
    { env: { ...process.env, DATABASE_URL: database.url }, stdout: "pipe", stderr: "pipe" },
  );
  expect((await new Response(child.stdout).text()).split("\n")[0]).toStartWith("CLASS");
  expect(await new Response(child.stderr).text()).toBe("");
  expect(await child.exited).toBe(0);
});

test.if(existsSync("/dev/full"))("an answer that cannot be written is no success", async () => {
  const child = Bun.spawn(
    ["sh", "-c", `"${process.execPath}" src/cli/main.ts project list --json > /dev/full`],
    {
      env: { ...process.env, DATABASE_URL: database.url },
      stderr: "pipe",
    },
  );
  expect(await new Response(child.stderr).text()).toMatch(/^The answer could not be written: ENOSPC/);
  expect(await child.exited).toBe(1);
});

test("a run or a webhook that is not there is told, not answered with nothing found", async () => {
  await fire(database.sql, project.projectNo, { atMs: START_MS, signature: "v1:a", executionId: "-run" });
  expect((await cli("detection", "list", "--execution=-run", "--json")).json<unknown[]>()).toHaveLength(1);
  const quiet = await cli("detection", "list", "--execution=-run", "--class", "no_progress");
  expect([quiet.code, quiet.stdout]).toEqual([0, "Nothing was detected.\n"]);
  for (const args of [
    ["detection", "list", "--execution", "rnu"],
    ["delivery", "list", "--webhook", "wh_none"],
  ]) {
    const run = await cli(...args);
    expect([args, run.code, run.stdout]).toEqual([args, 1, ""]);
    expect(run.stderr).toMatch(/^No (?:execution|webhook) with the id /);
  }
});

test("what can match nothing is told, not answered with an empty list", async () => {
  const id = await fire(database.sql, project.projectNo, { atMs: START_MS, signature: "v1:a" });
  const wrong = [
    ["group", "list", "--class", "tool_lop"],
    ["group", "list", "--state", "shut"],
    ["group", "list", "--limit", "0"],
    ["group", "list", "--limit", "10001"],
    ["detection", "list", "--class", "tool_lop"],
    ["detection", "list", "--severity", "hgih"],
    ["detection", "list", "--limit", "0"],
    ["group", "ignore", id, "--until", "tomorrow"],
    ["group", "ignore", id, "--until", "5"],
    ["group", "ignore", id, "--until", "2100-02-29T00:00:00Z"],
    ["group", "ignore", id, "--until", "2020-01-01T00:00:00Z"],
    ["group", "ignore", id, "--until", "+275760-01-01T00:00:00Z"],
    ["group", "ignore", id, "--count", "0"],
  ];
  for (const args of wrong) {
    const run = await cli(...args);
    expect([args, run.code, run.stdout]).toEqual([args, 2, ""]);
  }
  expect((await cli("detection", "list", "--class", "tool_lop")).stderr).toContain("tool_loop");
  // A class without a detector in this build, whose groups are stored all the same.
  await fire(database.sql, project.projectNo, { atMs: START_MS, class: "of_old", signature: "v1:o" });
  expect((await cli("group", "list", "--class", "of_old", "--json")).json<GroupJson[]>()).toHaveLength(1);
  expect((await cli("group", "list", "--class", "no_progress")).stdout).toBe("No such failure groups.\n");
  expect((await cli("group", "list", "--state", "resolved")).stdout).toBe("No such failure groups.\n");
  const until = (
    await cli("group", "ignore", id, "--until", "2100-01-01T02:00:00+02:00", "--json")
  ).json<GroupJson>();
  expect(until).toMatchObject({ state: "ignored", ignored_until: "2100-01-01T00:00:00.000Z" });
});
