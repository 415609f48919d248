import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { infrastructureDegradation } from "./infrastructure-degradation.ts";

const report = (sequence: number, payload: Record<string, unknown>) =>
  event("infrastructure_event", sequence, payload);
const model = (sequence: number, error?: unknown) =>
  event("llm_call", sequence, { model: "m", provider: "p", error });
const severity = (payload: Record<string, unknown>) =>
  play(infrastructureDegradation, { events: [report(1, { component: "node-3", ...payload })] }).map(
    (one) => one.severity,
  )[0];

describe("infrastructure_degradation", () => {
  describeAnyDetector(infrastructureDegradation, () => ({
    events: [
      report(1, { component: "worker-3", kind: "oom", code: "OOMKilled", message: "container killed" }),
    ],
  }));

  test("grave trouble is high, passing trouble low", () => {
    const grave = [
      { kind: "oom" },
      { kind: "pod_evicted" },
      { code: 503 },
      { kind: "disk_full" },
      { message: "service unavailable" },
    ];
    for (const payload of grave) expect(severity(payload)).toBe("high");
    for (const message of [
      "finished without errors",
      "backup done, 0 failures",
      "ended with no further errors",
    ])
      expect(severity({ kind: "backup", message })).toBeUndefined();
    const passing = [
      { kind: "rate_limited" },
      { kind: "timeout" },
      { code: "429" },
      { message: "connection reset by peer" },
    ];
    for (const payload of passing) expect(severity(payload)).toBe("low");
  });

  test("passing trouble that is over is no trouble, grave trouble stays", () => {
    expect(
      severity({ kind: "rate_limit", code: "429", message: "recovered after 2 retries" }),
    ).toBeUndefined();
    expect(severity({ kind: "timeout", message: "second try succeeded" })).toBeUndefined();
    expect(severity({ kind: "rate_limit", message: "not recovered after 2 retries" })).toBe("low");
    expect(severity({ kind: "timeout", message: "waiting until it is resolved" })).toBe("low");
    expect(severity({ kind: "oom", message: "recovered by a restart" })).toBe("high");
  });

  test("a wait told with its figure is trouble from a second on", () => {
    expect(severity({ kind: "latency", code: "p95", message: "answer after 229 ms" })).toBeUndefined();
    expect(severity({ kind: "latency", message: "0.4 s, at most 812.5 ms" })).toBeUndefined();
    expect(severity({ kind: "latency", message: "answer after 8200 ms" })).toBe("low");
    expect(severity({ kind: "latency", message: "answer after 4 seconds" })).toBe("low");
    expect(severity({ kind: "latency", message: "229 ms, degraded" })).toBe("low");
    expect(severity({ kind: "latency_spike", message: "229 ms" })).toBe("low");
    expect(severity({ kind: "latency" })).toBe("low");
  });

  test("news that is no trouble is passed over", () => {
    const news = [
      { kind: "scaled_up" },
      { kind: "deployment", message: "rolled out without error" },
      { kind: "recovered", message: "database was unavailable" },
      { kind: "recovered_from_outage" },
      { kind: "started" },
      { kind: "healthy" },
      { kind: "" },
      {},
    ];
    for (const payload of news) expect(severity(payload)).toBeUndefined();
    expect(severity({ kind: "unhealthy" })).toBe("high");
    expect(severity({ kind: "disconnected" })).toBe("low");
  });

  test("fires once a component and kind, with its numbers masked in the group", () => {
    const events = [1, 2, 3].map((at) => report(at, { component: `worker-${at}`, kind: "oom" }));
    const detections = play(infrastructureDegradation, { events: [...events, ...events] });
    expect(detections).toHaveLength(3);
    expect(new Set(detections.map((one) => one.signatureParts.join())).size).toBe(1);
    expect(play(infrastructureDegradation, { events, allow: ["worker-1", "worker-2", "worker-3"] })).toEqual(
      [],
    );
  });

  test("three failed model calls of six fire once, two do not", () => {
    const failing = [
      model(1),
      model(2, "429 too many"),
      model(3),
      model(4, { message: "overloaded" }),
      model(5, true),
      model(6, "x"),
    ];
    const detections = play(infrastructureDegradation, { events: failing });
    expect(detections.map((one) => one.ruleIds)).toEqual([["infrastructure_degradation/provider-errors"]]);
    expect(play(infrastructureDegradation, { events: [model(1, "x"), model(2), model(3, "x")] })).toEqual([]);
    const rare = Array.from({ length: 60 }, (_, i) => model(i + 1, i % 5 === 0 ? "x" : undefined));
    expect(play(infrastructureDegradation, { events: rare })).toEqual([]);
  });

  test("failing providers are one group a provider and kind of trouble, whatever the numbers and ids", () => {
    const group = (...errors: unknown[]) =>
      play(infrastructureDegradation, { events: errors.map((error, at) => model(at + 1, error)) })[0]
        ?.signatureParts;
    const limited = (wait: number) => `Error code: 429 - Rate limit reached: used ${wait}, try in ${wait}ms`;
    expect(group(limited(1), limited(2), limited(3))).toEqual(["model-provider", "p", "rate-limit"]);
    expect(group(limited(500), limited(6), "Request timed out. req_9f2")).toEqual([
      "model-provider",
      "p",
      "rate-limit",
    ]);
    const kinds: [string, unknown][] = [
      ["timeout", "openai.APITimeoutError: Request timed out. (request id req_9850c)"],
      ["timeout", "请求超时: Read timed out. (read timeout=60)"],
      ["unavailable", "HTTP 504 (GatewayTimeout): upstream request timeout"],
      ["unavailable", "503 Service Unavailable: overloaded, trace d95cb4d9"],
      ["unavailable", { status: 529, type: "overloaded_error", message: "Overloaded" }],
      ["name-resolution", "ConnectError: [Errno -3] Temporary failure in name resolution (attempt 3)"],
      ["name-resolution", "getaddrinfo EAI_AGAIN api.example.com"],
      ["refused", "dial tcp 10.1.0.18:443: connect: connection refused"],
      ["connection-lost", "peer closed connection without sending complete message body"],
      ["quota", { code: "insufficient_quota", message: "You exceeded your current quota" }],
      ["credentials", "401 Unauthorized: invalid key"],
      ["request", "400 Bad Request: maximum context length is 128000"],
      ["odd thing <n>", "odd thing 17"],
    ];
    for (const [kind, error] of kinds)
      expect(group(error, error, error)).toEqual(["model-provider", "p", kind]);
  });

  test("work that is announced, or may come, is no trouble yet", () => {
    for (const payload of [
      { kind: "maintenance_scheduled", message: "Sunday 02:00, timeouts possible then" },
      { kind: "planned_outage", message: "replica moves" },
      { kind: "failover_drill", message: "primary killed" },
      { kind: "notice", message: "the database will be unavailable on Sunday" },
      { kind: "calendar", message: "Wartungsfenster am Samstag, Dienst nicht erreichbar: timeout" },
      { kind: "news", message: "计划内维护 期间 timeout" },
    ])
      expect(severity(payload)).toBeUndefined();
    expect(severity({ kind: "unplanned_outage", message: "rack 7" })).toBe("high");
    expect(severity({ kind: "timeout", message: "during the maintenance window" })).toBe("low");
    expect(severity({ kind: "oom", message: "scheduled restart follows" })).toBe("high");
    expect(severity({ kind: "news", message: "connection lost, retry will be attempted" })).toBe("low");
  });

  describe("what stands behind a tool and cannot be reached", () => {
    const failing = (sequence: number, error?: unknown, more: Record<string, unknown> = {}) =>
      event("tool_call", sequence, {
        tool_name: "send_mail",
        arguments: { to: `u${sequence}` },
        ...(error === undefined ? { result: "ok" } : { error }),
        ...more,
      });
    const found = (events: ReturnType<typeof event>[]) => play(infrastructureDegradation, { events });
    const relay = (at: number) =>
      `Net::OpenTimeout: Failed to open TCP connection to relay-${at}.example.internal:587`;

    test("three calls of six, once a tool, in one group whatever the host", () => {
      const events = [1, 2, 3, 4, 5].map((at) => failing(at, at % 2 === 0 ? undefined : relay(at)));
      const [detection, ...more] = found([...events, failing(7, relay(7))]);
      expect(detection?.signatureParts).toEqual(["tool-service", "send_mail", "timeout"]);
      expect(detection?.ruleIds).toEqual(["infrastructure_degradation/tool-unreachable"]);
      expect(more).toEqual([]);
      expect(found(events.slice(0, 4))).toEqual([]);
      const rare = Array.from({ length: 30 }, (_, at) => failing(at, at % 4 === 0 ? relay(at) : undefined));
      expect(found(rare)).toEqual([]);
    });

    test("a server of tools whose connection closes", () => {
      const closed = (sequence: number, tool_name: string) =>
        event("mcp_call", sequence, {
          server: "github",
          method: "tools/call",
          tool_name,
          arguments: {},
          error: { code: -32_000, message: `Connection closed (pid ${sequence})` },
        });
      expect(found([closed(1, "search"), closed(2, "get"), closed(3, "search")])[0]?.signatureParts).toEqual([
        "tool-service",
        "github",
        "connection-lost",
      ]);
    });

    test("faults of the request, hosts that the call names and what probes are none", () => {
      const thrice = (error: unknown, more: Record<string, unknown> = {}) =>
        found([1, 2, 3].map((at) => failing(at, error, more)));
      expect(thrice("Connection refused")).toHaveLength(1);
      for (const error of ["404 Not Found", "500 Internal Server Error", "permission denied", "timed out"])
        expect(thrice(error)).toEqual([]);
      expect(thrice("Connection refused", { arguments: { url: "https://a.example/x" } })).toEqual([]);
      for (const tool_name of ["bash", "browse_page", "ping_host", "check_port", "run_sql_script"])
        expect(thrice("Connection refused", { tool_name })).toEqual([]);
    });

    test("trouble that the client reports itself is told once", () => {
      const told = report(1, { component: "relay", kind: "connection_refused" });
      const detections = found([told, ...[2, 3, 4].map((at) => failing(at, relay(at)))]);
      expect(detections.map(({ ruleIds }) => ruleIds)).toEqual([["infrastructure_degradation/reported"]]);
    });

    test("trouble that the client reports afterwards is found in its calls, whatever arrives first", () => {
      const told = report(9, { component: "relay", kind: "connection_refused" });
      const calls = [1, 2, 3].map((at) => failing(at, relay(at)));
      const rules = (events: ReturnType<typeof event>[]) =>
        found(events)
          .flatMap(({ ruleIds }) => ruleIds)
          .toSorted();
      const both = ["infrastructure_degradation/reported", "infrastructure_degradation/tool-unreachable"];
      expect(rules([...calls, told])).toEqual(both);
      expect(rules([told, ...calls])).toEqual(both);
      expect(rules([told, ...calls.toReversed()])).toEqual(both);
    });
  });

  describe("a model that becomes slow", () => {
    const row = (latencies: readonly number[], more: (at: number) => Record<string, unknown> = () => ({})) =>
      play(infrastructureDegradation, {
        events: latencies.map((latency_ms, at) =>
          event("llm_call", at + 1, {
            model: "gpt-4o",
            provider: "openai",
            tokens_in: 700 + 40 * at,
            tokens_out: 25,
            latency_ms,
            ...more(at),
          }),
        ),
      });
    const slowing = [1_040, 2_726, 1_310, 12_972, 29_310, 44_180, 65_800, 70_000];

    test("fires once, at the third short answer in a row that takes ten times as long", () => {
      const [detection, ...rest] = row(slowing);
      expect(rest).toEqual([]);
      expect(detection).toMatchObject({
        severity: "low",
        ruleIds: ["infrastructure_degradation/model-slow"],
        signatureParts: ["model-provider", "openai", "slow"],
        eventId: "event-7",
        excerpt: "short answers of openai take 29.3, 44.2, 65.8 s, at first 1.3 s",
      });
    });

    test.each([
      ["two of them", slowing.slice(0, 6), () => ({})],
      ["a quick one between", [900, 1_200, 1_000, 25_000, 30_000, 1_100, 28_000, 31_000], () => ({})],
      ["slow from the start", Array(9).fill(30_000), () => ({})],
      ["not ten times", [6_000, 7_000, 5_000, 31_000, 33_000, 40_000], () => ({})],
      ["below twenty seconds", [500, 600, 550, 12_000, 15_000, 19_000], () => ({})],
      ["long answers", slowing, (at: number) => ({ tokens_out: at < 3 ? 25 : 2_400 })],
      ["long prompts", slowing, (at: number) => ({ tokens_in: at < 3 ? 700 : 90_000 })],
      ["a model that thinks", slowing, () => ({ model: "o3" })],
      ["thoughts that are counted", slowing, () => ({ usage: { reasoning_tokens: 2_000 } })],
      ["a search by the model", slowing, () => ({ model: "gpt-4o-search-preview" })],
      ["no counts of tokens", slowing, () => ({ tokens_out: undefined })],
    ] as const)("none: %s", (_, latencies, more) => {
      expect(row(latencies, more)).toEqual([]);
    });
  });
});
