/** The payload fields that the interface names: llm_call, egress, environment_declaration. */
import { describe, expect, test } from "bun:test";
import { problemOf, type Reply, refusal } from "../support/client.ts";
import { eventOfType, executionBody, type InterfaceEventType, newExecution } from "../support/fixtures.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();

async function send(type: InterfaceEventType, payload: unknown): Promise<Reply> {
  const run = await newExecution(suite.client);
  return suite.client.sendEvents([eventOfType(type, { execution_id: run, payload })]);
}

function expectPointedAt(reply: Reply, field: string): void {
  expect(refusal(reply)).toBe("400 invalid_request");
  const errors = problemOf(reply).errors ?? [];
  expect(errors.map((error) => error.index)).toContain(0);
  expect(errors.map((error) => error.pointer).join(" ")).toContain(field);
}

describe("llm_call", () => {
  const accepted: object[] = [
    {},
    { model: "m" },
    { model: "" },
    { tokens_in: 0, tokens_out: 0 },
    { model: "m", tokens_in: 2_147_483_648, tokens_out: 1 },
    { model: "m", anything: [1, { else: null }] },
  ];
  for (const payload of accepted) {
    test(`${JSON.stringify(payload)} is stored`, async () => {
      expect((await send("llm_call", payload)).json).toEqual({ accepted: 1, duplicates: 0 });
    });
  }
  const refused: [object, string][] = [
    [{ model: 4 }, "model"],
    [{ model: ["m"] }, "model"],
    [{ tokens_in: -1 }, "tokens_in"],
    [{ tokens_in: 1.5 }, "tokens_in"],
    [{ tokens_in: "12" }, "tokens_in"],
    [{ model: "m", tokens_out: -3 }, "tokens_out"],
    [{ model: "m", tokens_out: {} }, "tokens_out"],
  ];
  for (const [payload, field] of refused) {
    test(`${JSON.stringify(payload)} is refused`, async () =>
      expectPointedAt(await send("llm_call", payload), field));
  }
  test("the fields of llm_call are not checked on another type", async () => {
    expect(
      (await send("checkpoint", { model: 4, tokens_in: -1, destination: "http://x/y", mode: 3 })).status,
    ).toBe(200);
  });
});

describe("egress", () => {
  const good = [
    "example.com",
    "example.com:443",
    "EXAMPLE.com",
    "a",
    "localhost:8080",
    "sub-domain.example.co.uk:65535",
    "xn--bcher-kva.example",
    "_service.example.com",
    "10.0.0.1",
    "10.0.0.1:80",
    "[::1]",
    "[::1]:8080",
    "[2001:db8::ff00:42:8329]:443",
    "[::ffff:10.0.0.1]",
  ];
  for (const destination of good) {
    test(`${destination} is stored`, async () => {
      expect((await send("egress", { destination })).json).toEqual({ accepted: 1, duplicates: 0 });
    });
  }

  const marker = "zq7marker";
  const bad: string[] = [
    `https://${marker}.example`,
    `http://${marker}.example/`,
    `ftp://${marker}`,
    `//${marker}.example`,
    `${marker}.example/path`,
    `${marker}.example/`,
    `${marker}.example?q=1`,
    `${marker}.example#frag`,
    `user@${marker}.example`,
    `user:secret@${marker}.example:443`,
    `${marker}.example:443/path`,
    `${marker}.example:99999`,
    `${marker}.example:`,
    `${marker}.example:http`,
    `${marker}.example:-1`,
    `${marker} .example`,
    ` ${marker}.example`,
    `${marker}.example\n`,
    `${marker}.example\\path`,
    `${marker}.example\u0000`,
    `mailto:${marker}@example.com`,
    `javascript:${marker}`,
    `2001:db8::${marker}`,
    `[::1${marker}]`,
    `[::1]${marker}`,
    `${marker.repeat(200)}.example`,
  ];
  for (const destination of bad) {
    const shown = destination.length > 60 ? `${destination.slice(0, 40)}…` : destination;
    test(`${JSON.stringify(shown)} is refused without an echo`, async () => {
      const reply = await send("egress", { destination });
      expectPointedAt(reply, "destination");
      expect(reply.text).not.toContain(marker);
    });
  }
  for (const destination of ["", "2001:db8::1", "::1", "[::1", "::1]", "[]", "[:::1]", "https:", ":80"]) {
    test(`${JSON.stringify(destination)} is refused`, async () =>
      expectPointedAt(await send("egress", { destination }), "destination"));
  }
  for (const payload of [{}, { destination: 5 }, { destination: null }, { protocol: "https" }]) {
    test(`${JSON.stringify(payload)} is refused`, async () =>
      expectPointedAt(await send("egress", payload), "destination"));
  }
  test("no refused destination reached a log or a row", async () => {
    expect(suite.service.output()).not.toContain(marker);
    const rows = await suite.database.sql`select 1 from events where payload::text like ${`%${marker}%`}`;
    expect(rows.length).toBe(0);
  });
});

describe("environment_declaration", () => {
  const declaration = (run: string, payload: object) =>
    eventOfType("environment_declaration", { execution_id: run, payload });
  const recordOf = async (run: string) =>
    (await suite.client.createExecution(executionBody({ execution_id: run }))).json;

  for (const payload of [{}, { mode: 3 }, { mode: null }, { declared_by: "ci" }]) {
    test(`${JSON.stringify(payload)} is refused`, async () =>
      expectPointedAt(await send("environment_declaration", payload), "mode"));
  }

  for (const mode of ["live", "simulation", "staging", "a mode of our own"]) {
    test(`mode ${mode} shows on the execution's record`, async () => {
      const run = await newExecution(suite.client);
      const payload = { mode, declared_by: "ci", note: "nightly" };
      expect((await suite.client.sendEvents([declaration(run, payload)])).status).toBe(200);
      expect((await recordOf(run))?.environment).toMatchObject(payload);
      const patched = await suite.client.patchExecution(run, { status: "completed" });
      expect(patched.json?.environment).toMatchObject(payload);
      const rows = await suite.database.sql`
        select environment::jsonb as environment from executions where execution_id = ${run}`;
      expect(rows[0]?.environment).toMatchObject(payload);
    });
  }

  test("none declared: no environment on the record", async () => {
    const run = await newExecution(suite.client);
    expect((await recordOf(run))?.environment ?? null).toBeNull();
  });

  test("the first wins over a later request, even when the later one bears an earlier timestamp and sequence", async () => {
    const run = await newExecution(suite.client);
    await suite.client.sendEvents([{ ...declaration(run, { mode: "simulation" }), sequence: 50 }]);
    const later = { ...declaration(run, { mode: "live" }), sequence: 1, timestamp: "2020-01-01T00:00:00Z" };
    expect((await suite.client.sendEvents([later])).json).toEqual({ accepted: 1, duplicates: 0 });
    expect((await recordOf(run))?.environment).toMatchObject({ mode: "simulation" });
  });

  test("the first of one batch wins, whatever its id", async () => {
    const run = await newExecution(suite.client);
    await suite.client.sendEvents(
      ["staging", "live", "simulation"].map((mode, index) => ({
        ...declaration(run, { mode }),
        event_id: `declaration-${9 - index}`,
      })),
    );
    expect((await recordOf(run))?.environment).toMatchObject({ mode: "staging" });
  });

  test("of many at once exactly one wins and stays", async () => {
    const run = await newExecution(suite.client);
    const modes = Array.from({ length: 12 }, (_, index) => `mode-${index}`);
    await Promise.all(modes.map((mode) => suite.client.sendEvents([declaration(run, { mode })])));
    const first = (await recordOf(run))?.environment as { mode: string };
    expect(modes).toContain(first.mode);
    await suite.client.sendEvents([declaration(run, { mode: "late" })]);
    expect((await recordOf(run))?.environment).toEqual(first);
    const rows = await suite.database.sql`select 1 from events where execution_id = ${run}`;
    expect(rows.length).toBe(13);
  });

  test("a refused batch declares nothing", async () => {
    const run = await newExecution(suite.client);
    await suite.client.sendEvents([declaration(run, { mode: "live" }), {}]);
    expect((await recordOf(run))?.environment ?? null).toBeNull();
  });

  test("text that PostgreSQL cannot hold does not stand in the way", async () => {
    const run = await newExecution(suite.client);
    const reply = await suite.client.sendEvents([declaration(run, { mode: "li\u0000ve", note: "\ud800" })]);
    expect(reply.status).toBe(200);
    expect((await recordOf(run))?.environment).toMatchObject({ mode: "li\ufffdve", note: "\ufffd" });
  });

  test("a declaration on a finished execution still shows", async () => {
    const run = await newExecution(suite.client);
    await suite.client.patchExecution(run, { status: "crashed" });
    await suite.client.sendEvents([declaration(run, { mode: "staging" })]);
    expect((await recordOf(run))?.environment).toMatchObject({ mode: "staging" });
  });
});
