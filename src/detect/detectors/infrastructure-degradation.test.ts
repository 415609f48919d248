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
});
