import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DETECTORS } from "../../src/detect/registry.ts";
import { cloneDatabase } from "../support/database.ts";
import { mintProject } from "../support/projects.ts";
import { type ApiReply, settingsApi } from "./settings-api.ts";

const database = await cloneDatabase();
afterAll(() => database.drop());
const { sql } = database;
const as = settingsApi(sql);
const [member, viewer] = [as("member"), as("viewer")];
const refused = (reply: ApiReply) => `${reply.status} ${reply.json?.code} ${reply.json?.field ?? ""}`.trim();

interface Shown {
  class: string;
  family: string;
  enabled: boolean;
  customised: boolean;
  thresholds: { name: string; value: number; default: number; min: number; max: number; chosen: boolean }[];
  allow_entries: string | null;
  allow: string[];
  firings_24h: number;
  problems: { field: string }[];
}

async function newProject() {
  const project = await mintProject(sql);
  const path = `/projects/${project.projectId}/detectors`;
  const list = async (): Promise<Shown[]> => (await viewer("GET", path)).json.items;
  const one = async (failureClass: string) =>
    (await list()).find((detector) => detector.class === failureClass)!;
  const stored = async () =>
    (await sql`select detector_settings from ats.project where project_no = ${project.projectNo}`)[0]!
      .detector_settings;
  return { ...project, path, list, one, stored };
}

test("every class is shown with its thresholds, at their defaults", async () => {
  const { list } = await newProject();
  const shown = await list();
  expect(shown.map((detector) => detector.class)).toEqual(DETECTORS.map((detector) => detector.failureClass));
  for (const detector of shown) {
    expect(detector).toMatchObject({
      enabled: true,
      customised: false,
      allow: [],
      firings_24h: 0,
      problems: [],
    });
    for (const threshold of detector.thresholds) {
      expect(threshold).toMatchObject({ value: threshold.default, chosen: false });
    }
  }
});

test("a class is switched, tuned and put back, and nothing else moves", async () => {
  const { path, one, stored } = await newProject();
  const { name, min: chosen, default: byDefault } = (await one("tool_loop")).thresholds[0]!;
  await member("PATCH", `${path}/sandbox_escape`, { allow: [" a.example ", "*.b.example", "a.example"] });
  const off = await member("PATCH", `${path}/tool_loop`, { enabled: false, thresholds: { [name]: chosen } });
  expect(off.json).toMatchObject({ class: "tool_loop", enabled: false, customised: true });
  expect(off.json.thresholds[0]).toMatchObject({ name, value: chosen, chosen: true });
  expect(await stored()).toEqual({
    sandbox_escape: { allow: ["a.example", "*.b.example"] },
    tool_loop: { enabled: false, thresholds: { [name]: chosen } },
  });
  await member("PATCH", `${path}/tool_loop`, { thresholds: { [name]: null } });
  expect(await stored()).toMatchObject({ tool_loop: { enabled: false } });
  // The number is the project's choice, whatever the default is in a later build.
  const same = await member("PATCH", `${path}/tool_loop`, {
    enabled: true,
    thresholds: { [name]: byDefault },
  });
  expect(same.json).toMatchObject({ enabled: true, customised: true });
  expect(same.json.thresholds[0]).toMatchObject({ name, value: byDefault, chosen: true });
  await member("PATCH", `${path}/tool_loop`, { enabled: false });
  expect(await stored()).toMatchObject({ tool_loop: { enabled: false, thresholds: { [name]: byDefault } } });
  // Nothing is kept of a class that says nothing of its own.
  const on = await member("PATCH", `${path}/tool_loop`, { enabled: true, thresholds: { [name]: null } });
  expect(on.json).toMatchObject({ enabled: true, customised: false });
  expect(await stored()).toEqual({ sandbox_escape: { allow: ["a.example", "*.b.example"] } });
  const reset = await member("POST", `${path}/sandbox_escape/reset`);
  expect(reset.json).toMatchObject({ class: "sandbox_escape", allow: [], customised: false });
  expect(await stored()).toEqual({});
});

test("what a detector does not take is refused by the name of its field, and nothing is stored", async () => {
  const { path, one, stored } = await newProject();
  const { name, min, max } = (await one("tool_loop")).thresholds[0]!;
  const cases: [body: unknown, answer: string][] = [
    [{ thresholds: { [name]: min - 1 } }, `422 invalid_request thresholds.${name}`],
    [{ thresholds: { [name]: max + 1 } }, `422 invalid_request thresholds.${name}`],
    [{ thresholds: { [name]: max } }, `422 invalid_request thresholds.${name}`],
    [{ thresholds: { no_such: 3 } }, "422 invalid_request thresholds.no_such"],
    [{ thresholds: { constructor: 3 } }, "422 invalid_request thresholds.constructor"],
    [{ thresholds: { [name]: "3" } }, `422 invalid_request thresholds.${name}`],
    [{ enabled: "maybe" }, "422 invalid_request enabled"],
    [{ allow: [""] }, "422 invalid_request allow[0]"],
    [{ allow: ["fine", "x".repeat(257)] }, "422 invalid_request allow[1]"],
    [{ allow: ["nul\u0000"] }, "422 invalid_request allow[0]"],
    [{ allow: ["half \ud800"] }, "422 invalid_request allow[0]"],
    [{ allow: Array.from({ length: 501 }, (_, n) => `tool-${n}`) }, "422 invalid_request allow"],
    [{ allow: Array.from({ length: 3_000 }, (_, n) => `tool-${n}`) }, "422 invalid_request allow"],
  ];
  for (const [body, answer] of cases) {
    expect([body, refused(await member("PATCH", `${path}/tool_loop`, body))]).toEqual([body, answer]);
  }
  expect(await stored()).toEqual({});
  for (const failureClass of ["no_such", "__proto__", "%00"]) {
    expect(refused(await member("PATCH", `${path}/${failureClass}`, { enabled: false }))).toBe(
      "404 detector_not_found",
    );
    expect(refused(await member("POST", `${path}/${failureClass}/reset`))).toBe("404 detector_not_found");
  }
});

test("what was written wrongly into the table is told, and gone once the class is saved", async () => {
  const { path, one, projectNo, stored } = await newProject();
  await sql`
    update ats.project
    set detector_settings = '{"tool_loop": {"thresholds": {"no_such": 1}, "allow": ["poll"]}, "lost": {"enabled": false}}'
    where project_no = ${projectNo}`;
  expect(await one("tool_loop")).toMatchObject({
    allow: ["poll"],
    problems: [{ field: "thresholds.no_such" }],
  });
  expect((await member("PATCH", `${path}/tool_loop`, { enabled: false })).json.problems).toEqual([]);
  expect(await stored()).toEqual({
    tool_loop: { enabled: false, allow: ["poll"] },
    lost: { enabled: false },
  });
});

test("firings of the last 24 hours are counted, of this project alone", async () => {
  const [mine, other] = [await newProject(), await newProject()];
  const fired = (projectNo: number, count: number, hoursAgo: number, severity = "low") => sql`
    insert into ats.detection_rollup (project_no, step, slot_at, class, severity, detection_count)
    values (${projectNo}, 60, date_trunc('minute', now()) - ${hoursAgo} * interval '1 hour', 'tool_loop', ${severity}, ${count})`;
  await fired(mine.projectNo, 3, 1);
  await fired(mine.projectNo, 2, 1, "high");
  await fired(mine.projectNo, 4, 23);
  await fired(mine.projectNo, 8, 25);
  await fired(other.projectNo, 16, 1);
  expect((await mine.one("tool_loop")).firings_24h).toBe(9);
  expect((await mine.one("no_progress")).firings_24h).toBe(0);
});

test("an allow-list is offered for exactly the classes whose detector looks at one", async () => {
  const { list } = await newProject();
  const offered = (await list()).filter((detector) => detector.allow_entries !== null);
  const folder = join(import.meta.dir, "../../src/detect/detectors");
  const looking = DETECTORS.filter(({ failureClass }) =>
    /settings\.allow\b/.test(readFileSync(join(folder, `${failureClass.replaceAll("_", "-")}.ts`), "utf8")),
  );
  expect(offered.map((detector) => detector.class)).toEqual(looking.map((detector) => detector.failureClass));
});
