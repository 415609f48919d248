/** The snippets of the first-run page, run as they are copied, against a running service. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  KEY_PLACEHOLDER,
  LANGUAGES,
  type Language,
  snippetOf,
} from "../../src/dashboard/web/pages/start/snippets.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { testSuite } from "../support/suite.ts";
import { settingsApi } from "./settings-api.ts";

const suite = testSuite();
const folder = mkdtempSync(join(tmpdir(), "ats-snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runners: Record<Language, { file: string; program: string[] }> = {
  curl: { file: "hello.sh", program: ["sh"] },
  typescript: { file: "hello.ts", program: [process.execPath] },
  python: { file: "hello.py", program: ["python3"] },
};

async function run(language: Language, key: string) {
  const { file, program } = runners[language];
  const { code } = snippetOf(language, { address: suite.service.url, key });
  writeFileSync(join(folder, file), code);
  const child = Bun.spawn([...program, join(folder, file)], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

/** A project of its own for each language, once the running service knows its key. */
async function knownProject() {
  const project = await mintProject(suite.database.sql);
  const ask = () =>
    suite.anonymous.request("PATCH", "/executions/none", {
      headers: { authorization: `Bearer ${project.key}` },
      body: { status: "completed" },
    });
  await eventually("the key is known", async () => (await ask()).status !== 401);
  return project;
}

for (const language of LANGUAGES) {
  test(`${language}: as copied, it stores an execution with two events, and again when run again`, async () => {
    if (
      Bun.which(runners[language].program[0]!) === null ||
      (language === "curl" && Bun.which("curl") === null)
    ) {
      expect(process.env.CI ?? "").toBe("");
      return;
    }
    const project = await knownProject();
    const viewer = settingsApi(suite.database.sql)("viewer");
    const ran = await run(language, project.key);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    const first = await viewer("GET", `/projects/${project.projectId}/first-event`);
    expect(first.json).toMatchObject({ received: true, event_id: "e1" });
    const executions = await suite.database.sql`
      select execution_id, status, total_tokens_in::int as tokens, count(e)::int as events
      from ats.execution x join ats.event e using (project_no, execution_no)
      where project_no = ${project.projectNo} group by 1, 2, 3`;
    expect([...executions]).toEqual([
      { execution_id: first.json.execution_id, status: "completed", tokens: 412, events: 2 },
    ]);
    expect((await run(language, project.key)).code).toBe(0);
    const [counted] = await suite.database.sql`
      select count(*)::int as executions from ats.execution where project_no = ${project.projectNo}`;
    expect(counted!.executions).toBe(2);
  });
}

test("a key that is none is told so", async () => {
  for (const language of LANGUAGES) {
    if (Bun.which(runners[language].program[0]!) === null) continue;
    const { stdout, stderr } = await run(language, KEY_PLACEHOLDER);
    expect(stdout + stderr).toContain("401");
  }
});
