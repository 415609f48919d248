import { afterAll, describe, expect, test } from "bun:test";
import { cloneDatabase } from "../support/database.ts";
import { mintProject } from "../support/projects.ts";
import { type ApiReply, settingsApi } from "./settings-api.ts";

const database = await cloneDatabase();
afterAll(() => database.drop());
const { sql } = database;
const as = settingsApi(sql);
const [owner, member, viewer] = [as("owner"), as("member"), as("viewer")];
const project = await mintProject(sql);
const stranger = await mintProject(sql);
const at = (path: string) => `/projects/${project.projectId}${path}`;
const refused = (reply: ApiReply) => `${reply.status} ${reply.json?.code} ${reply.json?.field ?? ""}`.trim();
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function newWebhookId(url = "https://example.org/hook"): Promise<string> {
  const created = await member("POST", at("/webhooks"), { url });
  expect(created.status).toBe(201);
  return created.json.id;
}

describe("roles", () => {
  const changes: readonly [method: string, path: string, body?: unknown][] = [
    ["PATCH", at(""), { name: "other" }],
    ["POST", at("/keys"), {}],
    ["POST", at(`/keys/${project.keyId}/revoke`)],
    ["POST", at("/webhooks"), { url: "https://example.org" }],
    ["PATCH", at("/webhooks/wh_x"), { enabled: false }],
    ["DELETE", at("/webhooks/wh_x")],
    ["POST", at("/webhooks/wh_x/rotate")],
    ["POST", at("/webhooks/wh_x/test")],
    ["POST", at("/webhooks/wh_x/redeliver")],
    ["POST", at("/webhooks/wh_x/deliveries/dlv_x/redeliver")],
    ["PATCH", at("/detectors/tool_loop"), { enabled: false }],
    ["POST", at("/detectors/tool_loop/reset")],
  ];

  test("a viewer changes nothing, and nobody signed out sees or changes anything", async () => {
    for (const [method, path, body] of changes) {
      expect([path, refused(await viewer(method, path, body))]).toEqual([path, "403 role_too_low"]);
      expect([path, refused(await as(null)(method, path, body))]).toEqual([path, "401 signed_out"]);
    }
    for (const path of [
      "/projects",
      at(""),
      at("/keys"),
      at("/webhooks"),
      at("/detectors"),
      at("/first-event"),
    ]) {
      expect([path, (await viewer("GET", path)).status]).toEqual([path, 200]);
      expect([path, refused(await as(null)("GET", path))]).toEqual([path, "401 signed_out"]);
    }
  });

  test("only an owner makes projects", async () => {
    expect(refused(await member("POST", "/projects", { name: "mine" }))).toBe("403 role_too_low");
    const created = await owner("POST", "/projects", { name: "Support agents", cooldown_seconds: 60 });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      name: "Support agents",
      rate_burst: 100,
      cooldown_seconds: 60,
      alert_scope: "class",
      open_groups: 0,
      last_event_at: null,
    });
    expect(created.json.created_at).toMatch(isoTime);
    const listed = await viewer("GET", "/projects");
    expect(listed.json.items).toContainEqual(created.json);
  });
});

describe("projects", () => {
  test("a change of some fields leaves the others", async () => {
    const before = (await viewer("GET", at(""))).json;
    const changed = await member("PATCH", at(""), {
      rate_burst: 7,
      alert_scope: "group",
      retention_days: 30,
    });
    expect(changed.json).toEqual({ ...before, rate_burst: 7, alert_scope: "group", retention_days: 30 });
    expect((await viewer("GET", at(""))).json).toEqual(changed.json);
    const kept = await member("PATCH", at(""), { retention_days: null });
    expect(kept.json).toEqual({ ...changed.json, retention_days: null });
  });

  test("what may not be stored is refused by the name of its field", async () => {
    const cases: [body: unknown, answer: string][] = [
      [{ rate_burst: 0 }, "422 invalid_request rate_burst"],
      [{ rate_burst: 1.5 }, "422 invalid_request rate_burst"],
      [{ rate_burst: "many" }, "422 invalid_request rate_burst"],
      [{ rate_per_second: 1_000_001 }, "422 invalid_request rate_per_second"],
      [{ cooldown_seconds: -1 }, "422 invalid_request cooldown_seconds"],
      [{ cooldown_seconds: 31_536_001 }, "422 invalid_request cooldown_seconds"],
      [{ retention_days: 0 }, "422 invalid_request retention_days"],
      [{ retention_days: 3_651 }, "422 invalid_request retention_days"],
      [{ retention_days: "7" }, "422 invalid_request retention_days"],
      [{ alert_scope: "world" }, "422 invalid_request alert_scope"],
      [{ name: "" }, "422 invalid_request name"],
      [{ name: "two\nlines" }, "422 invalid_request name"],
      [{ name: "nul\u0000" }, "422 invalid_request name"],
      [{ name: "half \ud800" }, "422 invalid_request name"],
      [{ name: "x".repeat(201) }, "422 invalid_request name"],
      [{ name: "x".repeat(2_000) }, "422 invalid_request name"],
      [{ name: { $gt: "" } }, "422 invalid_request name"],
      [{}, "422 invalid_request"],
      ["{not json", "400 invalid_request"],
    ];
    for (const [body, answer] of cases) {
      expect([body, refused(await member("PATCH", at(""), body))]).toEqual([body, answer]);
    }
    expect(refused(await owner("POST", "/projects", { rate_burst: 5 }))).toBe("422 invalid_request name");
    expect(refused(await owner("POST", "/projects", { name: " " }))).toBe("422 invalid_request name");
  });

  test("a name full of markup is kept as it is", async () => {
    const name = `<img src=x onerror=alert(1)>'; drop table ats.project; -- “ü” 日本 👩‍👧`;
    expect((await member("PATCH", at(""), { name })).json.name).toBe(name);
    expect((await viewer("GET", at(""))).json.name).toBe(name);
  });

  test("that a project had events is known when the rows of their flushes are gone", async () => {
    const { projectId, projectNo } = await mintProject(sql);
    const path = `/projects/${projectId}/first-event`;
    const none = { received: false, execution_id: null, event_id: null, received_at: null };
    await sql`
      insert into ats.execution (project_no, execution_id, home_day, started_at) values
        (${projectNo}, 'silent', null, '2026-01-01T00:00:00Z'), (${projectNo}, 'first', '2026-01-02', '2026-01-02T00:00:00Z'),
        (${projectNo}, 'second', '2026-01-03', '2026-01-03T00:00:00Z')`;
    await sql`
      insert into ats.outcome_rollup (project_no, step, slot_at, key_id, outcome, reason, event_count, last_at)
      values (${projectNo}, 3600, '2026-01-02T00:00:00Z', 'k', 'rejected', 'x', 1, '2026-01-02T00:00:05Z')`;
    expect((await viewer("GET", path)).json).toEqual(none);
    await sql`
      insert into ats.outcome_rollup (project_no, step, slot_at, key_id, outcome, reason, event_count, last_at)
      values (${projectNo}, 3600, '2026-01-02T00:00:00Z', 'k', 'accepted', '', 1, '2026-01-02T00:00:07Z')`;
    expect((await viewer("GET", path)).json).toEqual({ ...none, received: true, execution_id: "first" });
    expect((await viewer("GET", `/projects/${projectId}`)).json.last_event_at).toBe(
      "2026-01-02T00:00:07.000Z",
    );
  });

  test("an unknown project is 404 on every route", async () => {
    for (const path of ["", "/keys", "/webhooks", "/detectors", "/first-event"]) {
      expect(refused(await owner("GET", `/projects/proj_none${path}`))).toBe("404 project_not_found");
      expect(refused(await owner("GET", `/projects/proj%00${path}`))).toBe("404 project_not_found");
    }
  });
});

describe("keys", () => {
  test("a key is told once, by the answer that made it", async () => {
    const created = await member("POST", at("/keys"), { name: "ci" });
    expect(created.status).toBe(201);
    expect(created.json.key).toMatch(/^service_sk_[a-z2-7]{32}$/);
    const listed = await viewer("GET", at("/keys"));
    expect(listed.text).not.toContain(created.json.key);
    const entry = listed.json.items.find((key: { id: string }) => key.id === created.json.id);
    expect(entry).toEqual({
      id: created.json.id,
      name: "ci",
      hint: created.json.key.slice(-4),
      created_at: expect.stringMatching(isoTime),
      last_used_at: null,
      revoked_at: null,
    });
    const revoked = await member("POST", at(`/keys/${created.json.id}/revoke`));
    expect(revoked.json).toEqual({ ...entry, revoked_at: expect.stringMatching(isoTime) });
    expect((await member("POST", at(`/keys/${created.json.id}/revoke`))).json).toEqual(revoked.json);
  });

  test("a key of another project is not there, and stays as it was", async () => {
    for (const id of [stranger.keyId, "key_none", "%00", "%F0%9F%91%A9", "x".repeat(300)]) {
      expect([id, refused(await owner("POST", at(`/keys/${id}/revoke`)))]).toEqual([id, "404 key_not_found"]);
    }
    const [key] = await sql`select revoked_at from ats.api_key where key_id = ${stranger.keyId}`;
    expect(key!.revoked_at).toBeNull();
  });

  test("a name with control characters is refused", async () => {
    expect(refused(await member("POST", at("/keys"), { name: "a\tb" }))).toBe("422 invalid_request name");
    expect(refused(await member("POST", at("/keys"), { name: 7 }))).toBe("422 invalid_request name");
  });
});

describe("webhooks", () => {
  test("a secret is told by creation and by rotation, and by nothing else", async () => {
    const created = await member("POST", at("/webhooks"), {
      url: "https://hooks.slack.com/services/T0/B0/x",
    });
    expect([created.json.secret.slice(0, 6), created.json.format]).toEqual(["whsec_", "slack"]);
    const path = at(`/webhooks/${created.json.id}`);
    const shown = await viewer("GET", path);
    expect(shown.json).toEqual({
      id: created.json.id,
      url: "https://hooks.slack.com/services/T0/B0/x",
      format: "slack",
      created_at: expect.stringMatching(isoTime),
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      failed_lately_at: null,
      held_until: null,
      previous_secret_until: null,
      delivered_24h: 0,
      failed_24h: 0,
      cancelled_24h: 0,
      pending: 0,
      last_notification_at: null,
    });
    const rotated = await member("POST", `${path}/rotate`);
    expect(rotated.json.secret).not.toBe(created.json.secret);
    const overlapMs = Date.parse(rotated.json.previous_secret_until) - Date.now();
    expect(Math.round(overlapMs / 3_600_000)).toBe(24);
    const [again, listed] = [await viewer("GET", path), await viewer("GET", at("/webhooks"))];
    expect(again.json.previous_secret_until).toBe(rotated.json.previous_secret_until);
    for (const secret of [created.json.secret, rotated.json.secret]) {
      expect(again.text + listed.text).not.toContain(secret);
    }
  });

  test("it is switched off and on, moved and deleted", async () => {
    const path = at(`/webhooks/${await newWebhookId()}`);
    const off = await member("PATCH", path, { enabled: false });
    expect(off.json).toMatchObject({
      disabled_at: expect.stringMatching(isoTime),
      disabled_reason: "switched off by kim@example.com",
    });
    expect((await member("PATCH", path, { enabled: false })).json).toEqual(off.json);
    const on = await member("PATCH", path, { enabled: true, url: "http://example.net" });
    expect(on.json).toMatchObject({ disabled_at: null, disabled_reason: null, url: "http://example.net/" });
    expect((await member("DELETE", path)).status).toBe(200);
    expect(refused(await viewer("GET", path))).toBe("404 webhook_not_found");
    expect(refused(await member("DELETE", path))).toBe("404 webhook_not_found");
  });

  test("it says until when it is sent nothing because its receiver asked for a pause", async () => {
    const id = await newWebhookId();
    await sql`update ats.webhook set held_until = now() + interval '50 s' where webhook_id = ${id}`;
    expect((await viewer("GET", at(`/webhooks/${id}`))).json.held_until).toMatch(isoTime);
    await member("PATCH", at(`/webhooks/${id}`), { enabled: false });
    expect((await viewer("GET", at(`/webhooks/${id}`))).json.held_until).toBeNull();
  });

  test("switching it off cancels what it is owed", async () => {
    const id = await newWebhookId();
    const test = await member("POST", at(`/webhooks/${id}/test`));
    await sql`
      update ats.delivery set event = 'failure_group.first_occurrence' where delivery_id = ${test.json.delivery_id}`;
    expect((await viewer("GET", at(`/webhooks/${id}`))).json.pending).toBe(1);
    const off = await member("PATCH", at(`/webhooks/${id}`), { enabled: false });
    expect(off.json).toMatchObject({ failed_24h: 0, cancelled_24h: 1, pending: 0 });
    const log = await viewer("GET", at(`/webhooks/${id}/deliveries`));
    expect(log.json.items).toMatchObject([{ id: test.json.delivery_id, status: "cancelled" }]);
    const again = await member("POST", at(`/webhooks/${id}/deliveries/${test.json.delivery_id}/redeliver`));
    expect(refused(again)).toBe("409 webhook_disabled");
    expect(refused(await member("POST", at(`/webhooks/${id}/redeliver`)))).toBe("409 webhook_disabled");
    await member("PATCH", at(`/webhooks/${id}`), { enabled: true });
    const missed = await member("POST", at(`/webhooks/${id}/redeliver`));
    expect([missed.status, missed.json]).toEqual([202, { queued: 1, next_cursor: null }]);
    expect((await viewer("GET", at(`/webhooks/${id}`))).json.pending).toBe(1);
  });

  test("an address that is none is refused by creation and by change alike", async () => {
    const id = await newWebhookId();
    const bad = [
      "",
      "example.org",
      "ftp://example.org/",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://user:pass@example.org/",
      `https://example.org/${"x".repeat(2_100)}`,
      `https://example.org/${"x".repeat(9_000)}`,
      7,
      null,
    ];
    for (const url of bad) {
      expect([url, refused(await member("POST", at("/webhooks"), { url }))]).toEqual([
        url,
        "422 invalid_request url",
      ]);
      expect([url, refused(await member("PATCH", at(`/webhooks/${id}`), { url }))]).toEqual([
        url,
        "422 invalid_request url",
      ]);
    }
    const odd = await member("POST", at("/webhooks"), { url: "https://example.org/<script>?a=\u0000%00" });
    expect(odd.json.url).toBe("https://example.org/%3Cscript%3E?a=%00%00");
  });

  test("a webhook and a delivery of another project, or of another webhook, are not there", async () => {
    const foreign = await member("POST", `/projects/${stranger.projectId}/webhooks`, {
      url: "https://example.org",
    });
    const foreignPath = `/projects/${stranger.projectId}/webhooks/${foreign.json.id}`;
    const delivery = (await member("POST", `${foreignPath}/test`)).json.delivery_id;
    const own = await newWebhookId();
    const calls: [method: string, path: string, body?: unknown][] = [
      ["GET", `/webhooks/${foreign.json.id}`],
      ["PATCH", `/webhooks/${foreign.json.id}`, { enabled: false }],
      ["DELETE", `/webhooks/${foreign.json.id}`],
      ["POST", `/webhooks/${foreign.json.id}/rotate`],
      ["POST", `/webhooks/${foreign.json.id}/test`],
      ["POST", `/webhooks/${foreign.json.id}/redeliver`],
      ["GET", `/webhooks/${foreign.json.id}/deliveries`],
      ["GET", `/webhooks/${foreign.json.id}/deliveries/${delivery}`],
      ["POST", `/webhooks/${foreign.json.id}/deliveries/${delivery}/redeliver`],
      ["GET", `/webhooks/${own}/deliveries/${delivery}`],
      ["POST", `/webhooks/${own}/deliveries/${delivery}/redeliver`],
      ["GET", `/webhooks/${own}/deliveries/%00`],
      ["GET", "/webhooks/%00/deliveries"],
    ];
    for (const [method, path, body] of calls) {
      expect([method, path, (await owner(method, at(path), body)).status]).toEqual([method, path, 404]);
    }
    expect((await viewer("GET", foreignPath)).json.disabled_at).toBeNull();
    expect((await viewer("GET", `${foreignPath}/deliveries/${delivery}`)).json.status).toBe("pending");
  });
});

describe("the delivery log", () => {
  test("is paged to its end, by status too, without a delivery twice", async () => {
    const id = await newWebhookId();
    const path = at(`/webhooks/${id}/deliveries`);
    for (let n = 0; n < 7; n++) await member("POST", at(`/webhooks/${id}/test`));
    // Three of them in the same microsecond: the id decides.
    await sql`
      update ats.delivery set created_at = '2026-03-01T12:00:00.123456Z'
      where delivery_id in (select delivery_id from ats.delivery where webhook_id = ${id} limit 3)`;
    await sql`
      update ats.delivery set status = 'failed', finished_at = now()
      where delivery_id in (select delivery_id from ats.delivery where webhook_id = ${id} order by delivery_id limit 4)`;
    const walk = async (query: string): Promise<string[]> => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: ApiReply = await viewer(
          "GET",
          `${path}?limit=2${query}${cursor ? `&cursor=${cursor}` : ""}`,
        );
        expect(page.status).toBe(200);
        seen.push(...page.json.items.map((item: { id: string }) => item.id));
        cursor = page.json.next_cursor;
      } while (cursor !== null);
      return seen;
    };
    const all = await walk("");
    expect([all.length, new Set(all).size]).toEqual([7, 7]);
    const failed = await walk("&status=failed");
    expect(failed.length).toBe(4);
    expect(failed).toEqual(all.filter((each) => failed.includes(each)));
    expect(await walk("&status=delivered")).toEqual([]);
  });

  test("a cursor, status or limit that is none is refused", async () => {
    const path = at(`/webhooks/${await newWebhookId()}/deliveries`);
    const forged = ["2026-13-99T99:99:99", "2026-02-31T00:00:00", "0000-01-01T00:00:00"].map((moment) =>
      Buffer.from(`${moment}.000000Z x`).toString("base64url"),
    );
    for (const cursor of ["x", "", ...forged, "y".repeat(500)]) {
      expect(refused(await viewer("GET", `${path}?cursor=${cursor}`))).toBe("422 invalid_request cursor");
      const redelivery = await member(
        "POST",
        `${path.replace("/deliveries", "/redeliver")}?cursor=${cursor}`,
      );
      expect(refused(redelivery)).toBe("422 invalid_request cursor");
    }
    expect(refused(await viewer("GET", `${path}?status=lost`))).toBe("422 invalid_request status");
    for (const limit of ["0", "201", "x", "1.5"]) {
      expect(refused(await viewer("GET", `${path}?limit=${limit}`))).toStartWith("422 invalid_request");
    }
  });

  test("a delivery shows what was sent and what came back", async () => {
    const id = await newWebhookId("https://discord.com/api/webhooks/1/x");
    const { delivery_id } = (await member("POST", at(`/webhooks/${id}/test`))).json;
    await sql`
      insert into ats.delivery_attempt (project_no, delivery_id, attempt_no, started_at, duration_ms, status_code,
        error_class, remote_address, response_excerpt, request_headers)
      values (${project.projectNo}, ${delivery_id}, 1, '2026-03-01T12:00:00.5Z', 31, 500, 'status', '93.184.216.34',
        '<script>alert(1)</script>', '{"Content-Type":"application/json"}'),
        (${project.projectNo}, ${delivery_id}, 2, '2026-03-01T12:00:06Z', 4, 200, 'connection_lost', '93.184.216.34',
        'hal', '{}')`;
    const shown = await viewer("GET", at(`/webhooks/${id}/deliveries/${delivery_id}`));
    expect(shown.json).toMatchObject({
      id: delivery_id,
      event: "webhook.test",
      status: "pending",
      format: "discord",
      attempts: [
        {
          attempt: 1,
          started_at: "2026-03-01T12:00:00.500Z",
          duration_ms: 31,
          status_code: 500,
          error_class: "status",
          remote_address: "93.184.216.34",
          response_excerpt: "<script>alert(1)</script>",
          request_headers: { "Content-Type": "application/json" },
          outcome: "500",
        },
        // Its status would read as a success.
        { attempt: 2, status_code: 200, error_class: "connection_lost", outcome: "connection_lost" },
      ],
    });
    expect(JSON.parse(shown.json.request_body)).toMatchObject({ allowed_mentions: { parse: [] } });
    const again = await member("POST", at(`/webhooks/${id}/deliveries/${delivery_id}/redeliver`));
    expect([again.status, again.json]).toEqual([202, { delivery_id }]);
    await sql`update ats.delivery set status = 'delivering' where delivery_id = ${delivery_id}`;
    expect(refused(await member("POST", at(`/webhooks/${id}/deliveries/${delivery_id}/redeliver`)))).toBe(
      "409 in_progress",
    );
  });
});
