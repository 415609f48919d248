import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type CliRun, runCli } from "./run-cli.ts";

/** The operator commands on a real, migrated database. */

let database: TestDatabase;
const cli = (...args: string[]): Promise<CliRun> => runCli(args, { DATABASE_URL: database.url });

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await database.drop();
});

interface ProjectJson {
  id: string;
  name: string;
  rate_burst: number;
  rate_per_second: number;
  cooldown_seconds: number;
  alert_scope: string;
  retention_days: number | null;
}

async function project(): Promise<string> {
  return (await cli("project", "create", "--name", "p", "--json")).json<ProjectJson>().id;
}

describe("project", () => {
  test("create takes every setting, and the defaults without", async () => {
    const plain = await cli("project", "create", "--name", "Plain", "--json");
    expect(plain.code).toBe(0);
    expect(plain.json<ProjectJson>()).toMatchObject({
      id: expect.stringMatching(/^proj_[a-z2-7]{20}$/),
      name: "Plain",
      rate_burst: 100,
      rate_per_second: 10,
      cooldown_seconds: 86_400,
      alert_scope: "class",
      retention_days: null,
    });
    const flags = [
      "--rate-burst",
      "7",
      "--rate-per-second=8",
      "--cooldown-seconds",
      "0",
      "--alert-scope",
      "group",
      "--retention-days=30",
    ];
    const full = (await cli("project", "create", "--name", "ünï 🚀", ...flags, "--json")).json<ProjectJson>();
    expect(full).toMatchObject({
      name: "ünï 🚀",
      rate_burst: 7,
      rate_per_second: 8,
      cooldown_seconds: 0,
      alert_scope: "group",
      retention_days: 30,
    });
    const listed = (await cli("project", "list", "--json")).json<ProjectJson[]>();
    expect(listed).toContainEqual(full);
  });

  test("update changes what is named and nothing else, and running services are told", async () => {
    const id = await project();
    const [before] = await database.sql`select version from ats.directory_version`;
    const updated = (await cli("project", "update", id, "--rate-burst", "500", "--json")).json<ProjectJson>();
    expect(updated).toMatchObject({ id, name: "p", rate_burst: 500, rate_per_second: 10 });
    const kept = (await cli("project", "update", id, "--retention-days", "90", "--json")).json<ProjectJson>();
    expect(kept.retention_days).toBe(90);
    const forEver = await cli("project", "update", id, "--retention-days", "0", "--json");
    expect(forEver.json<ProjectJson>().retention_days).toBeNull();
    const [after] = await database.sql`select version from ats.directory_version`;
    expect(after?.version).toBeGreaterThan(before?.version);
  });

  test.each([
    [["--rate-burst", "0"], '--rate-burst "0": expected 1 to 1000000.'],
    [["--rate-burst", "1000001"], "1 to 1000000"],
    [["--rate-per-second", "ten"], "expected an integer"],
    [["--rate-per-second", "1.5"], "expected an integer"],
    [["--cooldown-seconds=-1"], "0 to 31536000"],
    [["--retention-days=-1"], '--retention-days "-1": expected 0 to 3650, 0 for ever.'],
    [["--alert-scope", "everything"], '--alert-scope "everything": expected one of class, group.'],
    [["--name", ""], "1 to 200 characters"],
    [["--name", "n".repeat(201)], "1 to 200 characters"],
    [["--name", "two\nlines"], "control characters"],
    [["--colour", "red"], "no flag --colour"],
    [["-x"], "no flag -x; an id that begins with a dash comes last, behind --"],
    [["--cooldown-seconds", "-5"], "--cooldown-seconds=VALUE.\n"],
    [["--name", "a", "--name", "b"], "--name is given more than once"],
    [[], "Nothing to change"],
    [["--name"], "--name"],
    [["extra"], "Unexpected argument"],
  ])("update %j is typed wrongly: exit 2, the usage, nothing on standard output", async (flags, said) => {
    const id = await project();
    const run = await cli("project", "update", id, ...flags, "--json");
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(said);
    expect(run.stderr).toContain("Usage: bun run cli project update ID");
    expect(
      (await database.sql`select name, rate_burst from ats.project where project_id = ${id}`)[0],
    ).toEqual({
      name: "p",
      rate_burst: 100,
    });
  });

  test("update of a project that is not there: exit 1", async () => {
    const run = await cli("project", "update", "proj_missing", "--name", "x");
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("proj_missing");
  });
});

describe("key", () => {
  test("create shows the key once; only its hash is stored", async () => {
    const id = await project();
    const made = (await cli("key", "create", "--project", id, "--name", "ci", "--json")).json<{
      id: string;
      key: string;
    }>();
    expect(made.id).toMatch(/^key_[a-z2-7]{20}$/);
    expect(made.key).toMatch(/^service_sk_[a-z2-7]{32}$/);
    const hash = new Bun.CryptoHasher("sha256").update(made.key).digest("hex");
    const [stored] = await database.sql`
      select encode(key_hash, 'hex') as hash, to_jsonb(k)::text as everything from ats.api_key k where key_id = ${made.id}`;
    expect(stored?.hash).toBe(hash);
    expect(stored?.everything).not.toContain(made.key.slice("service_sk_".length));
    const listed = await cli("key", "list", "--project", id, "--json");
    expect(listed.json<unknown[]>()).toMatchObject([
      { id: made.id, hint: made.key.slice(-4), revoked_at: null },
    ]);
    expect(listed.stdout).not.toContain(made.key);
  });

  test("revoke, twice: the first time stands", async () => {
    const made = (await cli("key", "create", "--project", await project(), "--json")).json<{ id: string }>();
    const first = (await cli("key", "revoke", made.id, "--json")).json<{ revoked_at: string }>();
    expect(Date.parse(first.revoked_at)).toBeGreaterThan(0);
    expect((await cli("key", "revoke", made.id, "--json")).json<{ revoked_at: string }>()).toEqual(first);
    expect(await cli("key", "revoke", "key_missing")).toMatchObject({ code: 1, stdout: "" });
  });

  test("create for a project that is not there, or for none", async () => {
    expect(await cli("key", "create", "--project", "proj_missing", "--json")).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(await cli("key", "create", "--json")).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("webhook", () => {
  test("create, list, rotate, update, delete", async () => {
    const id = await project();
    const made = (
      await cli("webhook", "create", "--project", id, "--url", "https://example.org/hook?a=b", "--json")
    ).json<{ id: string; secret: string }>();
    expect(made.id).toMatch(/^wh_[a-z2-7]{20}$/);
    expect(Buffer.from(made.secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
    const listed = await cli("webhook", "list", "--project", id, "--json");
    expect(listed.json<unknown[]>()).toMatchObject([{ id: made.id, url: "https://example.org/hook?a=b" }]);
    expect(listed.stdout).not.toContain(made.secret);

    const rotated = (await cli("webhook", "rotate", made.id, "--json")).json<{ secret: string }>();
    expect(rotated.secret).not.toBe(made.secret);
    const [stored] = await database.sql`
      select secret, previous_secret, previous_secret_until > now() + interval '23 hours' as overlaps
      from ats.webhook where webhook_id = ${made.id}`;
    expect(stored).toEqual({ secret: rotated.secret, previous_secret: made.secret, overlaps: true });

    const moved = await cli("webhook", "update", made.id, "--url", "https://EXAMPLE.org:443/new", "--json");
    expect(moved.json<unknown>()).toEqual({ id: made.id, url: "https://example.org/new" });
    expect((await cli("webhook", "list", "--project", id)).stdout).toContain("https://example.org/new");
    expect(await cli("webhook", "update", made.id)).toMatchObject({ code: 2, stdout: "" });
    expect(await cli("webhook", "update", made.id, "--url", "nowhere")).toMatchObject({
      code: 2,
      stdout: "",
    });
    expect(await cli("webhook", "update", "wh_none", "--url", "https://example.org/")).toMatchObject({
      code: 1,
      stdout: "",
    });

    expect((await cli("webhook", "delete", made.id, "--json")).json<unknown>()).toEqual({
      id: made.id,
      deleted: true,
      deliveries_deleted: 0,
      pending_dropped: 0,
    });
    expect((await cli("webhook", "delete", made.id)).code).toBe(1);
  });

  test.each([
    ["http://10.0.0.5:8080/hook", "a private address"],
    ["http://169.254.169.254/", "a link-local address"],
    ["http://[::1]/", "a loopback address"],
  ])("%s is taken, with a note that it is refused as it stands", async (url, reason) => {
    const id = await project();
    const env = { DATABASE_URL: database.url };
    const create = ["webhook", "create", "--project", id, "--url", url, "--json"];
    const noted = await runCli(create, env);
    expect(noted.code).toBe(0);
    expect(noted.stderr).toContain(`The address is ${reason}: nothing is sent there`);
    expect(noted.stderr).toContain("WEBHOOK_ALLOWED_NETWORKS");
    const moved = await cli("webhook", "update", noted.json<{ id: string }>().id, "--url", url);
    expect(moved).toMatchObject({ code: 0, stderr: noted.stderr });
    const named = { ...env, WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8,169.254.0.0/16,::1/128" };
    expect(await runCli(create, named)).toMatchObject({ code: 0, stderr: "" });
    expect((await cli("webhook", "create", "--project", id, "--url", "https://localhost/")).stderr).toBe("");
  });

  test.each([
    "ftp://example.org/",
    "example.org/hook",
    "https://user:pass@example.org/",
    `https://h/${"a".repeat(2048)}`,
  ])("%s is no webhook URL: exit 2", async (url) => {
    const run = await cli("webhook", "create", "--project", await project(), "--url", url);
    expect(run).toMatchObject({ code: 2, stdout: "" });
  });
});

test("a webhook URL has its limit", async () => {
  const url = `https://example.org/${"a".repeat(2048)}`;
  const run = await cli("webhook", "create", "--project", await project(), "--url", url);
  expect(run).toMatchObject({ code: 2, stdout: "" });
});

describe("database", () => {
  test("url, status and migrate", async () => {
    expect((await cli("database", "url")).stdout).toBe(`${database.url}\n`);
    const status = (await cli("database", "status", "--json")).json<{
      source: string;
      migrations: { embedded: number; applied: number };
    }>();
    expect(status.source).toBe("DATABASE_URL");
    expect(status.migrations.applied).toBe(status.migrations.embedded);
    const { embedded } = status.migrations;
    expect((await cli("database", "migrate", "--json")).json<unknown>()).toEqual({
      before: embedded,
      after: embedded,
    });
  });

  test("mistakes in the environment: exit 2, as of the service", async () => {
    for (const [name, value] of [
      ["DATABASE_URL", "mysql://u:hunter2@127.0.0.1/db"],
      ["WEBHOOK_ALLOWED_NETWORKS", "10.0.0.0/99"],
    ] as const) {
      const run = await runCli(["project", "list", "--json"], { DATABASE_URL: database.url, [name]: value });
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain(name);
      expect(run.stderr).not.toContain("hunter2");
    }
  });

  test("not running: says so, and what to do", async () => {
    const environments: Record<string, string>[] = [
      { DATA_DIR: "/nonexistent/data" },
      { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/db" },
    ];
    for (const env of environments) {
      const run = await runCli(["project", "list", "--json"], env);
      expect(run).toMatchObject({ code: 1, stdout: "" });
      expect(run.stderr).toMatch(/Start the service first|cannot be reached/);
      expect(run.stderr).not.toContain("hunter2");
      expect(run.stderr).not.toContain("    at ");
    }
  });

  test.skipIf(process.getuid?.() !== 0 || Bun.which("setpriv") === null)(
    "of another user: says whose command it is, and not that there is none",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "ats-another-"));
      chownSync(dataDir, 65_534, 65_534);
      // Root that may not look into what is another's.
      const through = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"];
      try {
        const run = await runCli(["project", "list", "--json"], { DATA_DIR: dataDir }, through);
        expect(run).toMatchObject({ code: 1, stdout: "" });
        expect(run.stderr).toContain("Run this command as the user that runs the service");
      } finally {
        rmSync(dataDir, { recursive: true });
      }
    },
  );
});

test("a database that was never migrated: exit 1, and what to do", async () => {
  const empty = await cloneDatabase();
  try {
    await empty.sql.unsafe("set client_min_messages = error; drop schema ats cascade");
    const run = await runCli(["project", "list"], { DATABASE_URL: empty.url });
    expect(run).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "The database has no schema yet: run `database migrate`\n",
    });
  } finally {
    await empty.drop();
  }
});

describe("help", () => {
  test.each([
    [["--help"], /^Nouns:$/m],
    [["project", "--help"], /^Verbs:$/m],
    [["-h"], /^Nouns:$/m],
    [["project", "-h"], /^Verbs:$/m],
    [["project", "create", "-h"], /--rate-burst TOKENS/],
    [["demo", "-h"], /--seed/],
    [["project", "create", "--help"], /--rate-burst TOKENS .*, 1 to 1000000 \(default: 100\)$/m],
    [["account", "set-role", "--help"], /--role ROLE .*, one of viewer, member, owner \(required\)$/m],
    [["database", "migrate", "--help"], /--json/],
  ])("%j: exit 0, without a database", async (args, said) => {
    const run = await runCli(args, { DATA_DIR: "/nonexistent/data" });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toMatch(said);
  });

  test.each([[[]], [["nothing"]], [["project"]], [["project", "explode"]]])("%j: exit 2", async (args) => {
    expect(await runCli(args, {})).toMatchObject({ code: 2, stdout: "" });
  });
});
