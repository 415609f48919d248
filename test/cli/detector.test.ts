import { afterAll, expect, test } from "bun:test";
import { createProject } from "../../src/store/projects/projects.ts";
import { cloneDatabase } from "../support/database.ts";
import { runCli } from "./run-cli.ts";

const database = await cloneDatabase();
afterAll(() => database.drop());

test("list names the thresholds that configure takes", async () => {
  const { stdout } = await runCli(["detector", "list"], {});
  expect(stdout).toMatch(/^tool_loop .* repeats=3 windowCalls=12 {2}/m);
  expect(stdout).toMatch(/^sandbox_escape .* - {2}/m);
  // The long texts come last: what is behind them wraps out of sight.
  expect(stdout.split("\n")[0]).toMatch(/THRESHOLDS +SUMMARY$/);
});

test("a project turns a class off, sets a threshold and an allow-list, and goes back to the defaults", async () => {
  const project = await createProject(database.sql, { name: "detectors" });
  if (!project.ok) throw new Error(project.detail);
  const { id } = project.value;
  const configure = (...args: string[]) =>
    runCli(["detector", "configure", ...args, "--project", id, "--json"], { DATABASE_URL: database.url });
  const settings = async () =>
    (
      await runCli(["detector", "settings", "--project", id, "--json"], { DATABASE_URL: database.url })
    ).json();

  expect(await settings()).toEqual({});
  expect((await configure("tool_loop", "--enabled", "off")).code).toBe(0);
  expect((await configure("sandbox_escape", "--allow", "a.example, *.b.example")).code).toBe(0);
  expect((await configure("runaway_tokens", "--threshold", "no_such=3")).code).toBe(2);
  // Neither would ever match, and the alarms would go on.
  expect((await configure("sandbox_escape", "--allow", "https://a.example/path")).stderr).toContain(
    "hosts (",
  );
  const many = Array.from({ length: 501 }, (_, at) => `h${at}.example`).join(",");
  const refused = await configure("sandbox_escape", "--allow", many);
  expect([refused.code, refused.stderr.split("\n")[0]]).toEqual([
    2,
    "sandbox_escape.allow: at most 500 entries are taken.",
  ]);
  expect((await configure("prompt_injection", "--allow", "read_mail")).stderr).toContain("no allow-list");
  expect((await configure("no_such_class", "--enabled", "on")).code).toBe(2);
  expect((await configure("tool_loop")).code).toBe(2);
  for (const odd of ["repeats", "repeats=5,,windowCalls", "repeats=5,repeats=6", ""])
    expect((await configure("tool_loop", "--threshold", odd)).stderr).toStartWith(
      `--threshold ${JSON.stringify(odd)}: expected NAME=NUMBER`,
    );
  // One of the two would be lost without a word.
  const twice = await configure("tool_loop", "--threshold", "repeats=5", "--threshold", "windowCalls=20");
  expect([twice.code, twice.stderr.split("\n")[0]]).toEqual([2, "--threshold is given more than once."]);
  const both = await configure("tool_loop", "--reset", "--allow", "poll");
  expect([both.code, both.stderr.split("\n")[0]]).toEqual([2, "--reset and --allow exclude each other."]);
  expect(await settings()).toEqual({
    tool_loop: { enabled: false },
    sandbox_escape: { allow: ["a.example", "*.b.example"] },
  });
  expect((await configure("tool_loop", "--reset")).code).toBe(0);
  expect(await settings()).toEqual({ sandbox_escape: { allow: ["a.example", "*.b.example"] } });

  // A number stays the project's choice though it is the default of this build; nothing is kept of what is no
  // choice.
  expect((await configure("tool_loop", "--enabled", "on")).code).toBe(0);
  expect((await configure("tool_loop", "--threshold", "repeats=3,windowCalls=20")).code).toBe(0);
  expect((await configure("sandbox_escape", "--allow", "")).code).toBe(0);
  expect(await settings()).toEqual({ tool_loop: { thresholds: { repeats: 3, windowCalls: 20 } } });
  expect((await configure("tool_loop", "--threshold", "windowCalls=default")).code).toBe(0);
  expect(await settings()).toEqual({ tool_loop: { thresholds: { repeats: 3 } } });
  expect((await configure("tool_loop", "--threshold", "repeats=default")).code).toBe(0);
  expect(await settings()).toEqual({});
  const plain = async (...args: string[]) =>
    (await runCli(["detector", ...args, "--project", id], { DATABASE_URL: database.url })).stdout;
  expect(await plain("configure", "tool_loop", "--reset")).toBe("tool_loop: defaults\n");
  await configure("tool_loop", "--enabled", "off");
  await configure("tool_loop", "--threshold", "repeats=5, windowCalls=20");
  await configure("tool_loop", "--allow", "poll, wait, poll");
  expect(await plain("settings")).toMatch(
    /^tool_loop +enabled=off repeats=5 windowCalls=20 allow=poll,wait$/m,
  );
  // Neither is set where one of them is out of range.
  expect((await configure("tool_loop", "--threshold", "repeats=6,windowCalls=-1")).code).toBe(2);
  expect(await plain("settings")).toContain("repeats=5 windowCalls=20");
  await database.sql`
    update ats.project set detector_settings = '{"tool_loop": null, "no_such": {"allow": "x"}}' where project_id = ${id}`;
  expect(await plain("settings")).toMatch(/^tool_loop +null \(left out: tool_loop\)$/m);
  const stranger = await runCli(["detector", "settings", "--project", "proj_none"], {
    DATABASE_URL: database.url,
  });
  expect(stranger.code).toBe(1);
});
