import { describe, expect, test } from "bun:test";
import {
  describeAnyDetector,
  event,
  play,
  type Scenario,
  START_MS,
} from "../../../test/support/detector-harness.ts";
import { executionTimeout } from "./execution-timeout.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const at = (
  type: Parameters<typeof event>[0],
  sequence: number,
  minute: number,
  payload: Record<string, unknown>,
) => {
  const timestampMs = START_MS + minute * MINUTE_MS;
  return event(type, sequence, payload, { timestampMs, receivedMs: timestampMs });
};
const tool = (sequence: number, minute: number, payload: Record<string, unknown>) =>
  at("tool_call", sequence, minute, { tool_name: "work", result: "ok", ...payload });
const checkpoint = (sequence: number, minute: number, payload: Record<string, unknown>) =>
  at("checkpoint", sequence, minute, payload);
const iso = (minute: number) => new Date(START_MS + minute * MINUTE_MS).toISOString();
const rules = (scenario: Scenario) => play(executionTimeout, scenario).flatMap(({ ruleIds }) => ruleIds);
const after = (minutes: number, ...events: ReturnType<typeof event>[]) =>
  rules({ events, finished: { status: "completed", durationMs: minutes * MINUTE_MS } });

describe("a run that tells of its own limit", () => {
  const limits: [string, ReturnType<typeof event>][] = [
    ["of what it starts", tool(1, 0, { arguments: { tasks: 5, timeout_s: 10_800 } })],
    ["arguments in JSON", tool(1, 0, { arguments: '{"tasks": 5, "timeout_seconds": 10800}' })],
    ["an estimate", tool(1, 0, { result: { job: "r-98", estimate_min: 180 } })],
    ["an estimate within", tool(1, 0, { result: { job: { estimatedDurationMinutes: 180 } } })],
    ["a state", checkpoint(1, 0, { name: "config", state: { max_runtime_h: 3 } })],
    ["in words", checkpoint(1, 0, { name: "plan", state: { time_limit: "3h" } })],
    ["in ISO", checkpoint(1, 0, { name: "plan", state: { timeout: "PT180M" } })],
    ["its framework", at("llm_call", 1, 0, { model: "m", output: "on", max_execution_time: 10_800 })],
    ["its environment", at("environment_declaration", 1, 0, { mode: "live", run_timeout_minutes: 180 })],
    ["milliseconds", tool(1, 0, { arguments: { timeout: 10_800_000 } })],
    ["seconds", tool(1, 0, { arguments: { timeout: 10_799 } })],
  ];
  test.each(limits)("%s: is held to that and an hour", (_, told) => {
    expect(after(200, told)).toEqual([]);
    expect(after(241, told)).toEqual(["execution_timeout/finished"]);
    expect(rules({ events: [told], tickAfterMs: 239 * MINUTE_MS })).toEqual([]);
    expect(rules({ events: [told], tickAfterMs: 241 * MINUTE_MS })).toEqual(["execution_timeout/running"]);
  });

  test.each([
    ["a page's", { arguments: { timeout: 30_000 } }],
    ["a call's", { arguments: { timeout_s: 600 } }],
    ["sizes", { arguments: { limit: 10_800, max_tokens: 10_800, estimate: 10_800 } }],
    ["money", { result: { estimated_total: 10_800, eta: 10_800 } }],
    ["what passed", { result: { duration_s: 10_800, elapsed_min: 180 } }],
    ["no end", { arguments: { timeout_s: 1e12 } }],
  ])("%s is none", (_, payload) => {
    expect(after(61, tool(1, 0, payload))).toEqual(["execution_timeout/finished"]);
  });

  test("a limit that the project set holds", () => {
    const [, told] = limits[0]!;
    const thresholds = { durationMinutesMax: 60 };
    expect(rules({ events: [told], thresholds, tickAfterMs: 61 * MINUTE_MS })).toHaveLength(1);
  });
});

describe("a run that says what it waits for", () => {
  describeAnyDetector(executionTimeout, () => ({
    events: [checkpoint(1, 1, { name: "awaiting_human" }), tool(2, 300, {})],
    tickAfterMs: 362 * MINUTE_MS,
  }));

  const waits: [string, ReturnType<typeof event>][] = [
    [
      "a person's approval",
      checkpoint(1, 5, { name: "awaiting_human", state: { po: 7, approver: "head of sales" } }),
    ],
    ["input", checkpoint(1, 5, { name: "step", state: { status: "input_required" } })],
    ["somebody", checkpoint(1, 5, { name: "hold", state: { waiting_for: "Ms Ito" } })],
    ["an interrupt", checkpoint(1, 5, { name: "human_interrupt" })],
    ["in German", checkpoint(1, 5, { name: "wartet auf Freigabe" })],
    ["in Spanish", checkpoint(1, 5, { name: "en espera de aprobación" })],
    ["in Chinese", checkpoint(1, 5, { name: "等待人工审批" })],
    ["a time", checkpoint(1, 5, { name: "sleep_until", state: { until: iso(900) } })],
    ["its turn", checkpoint(1, 5, { name: "paused", state: { resume_at: iso(900) } })],
    ["an answer that says so", tool(1, 5, { result: { po: 7, state: "awaiting_approval" } })],
    ["a tool that asks", at("tool_call", 1, 5, { tool_name: "request_approval", arguments: { po: 7 } })],
  ];
  test.each(waits)("%s: does not run meanwhile", (_, wait) => {
    const later = tool(2, 900, {});
    expect(after(920, wait, later)).toEqual([]);
    expect(after(980, wait, later)).toEqual(["execution_timeout/finished"]);
    expect(rules({ events: [wait], tickAfterMs: 600 * MINUTE_MS })).toEqual([]);
    expect(rules({ events: [wait], tickAfterMs: 5 * 24 * HOUR_MS })).toEqual(["execution_timeout/running"]);
  });

  test("until the time that it named, and an hour", () => {
    const wait = checkpoint(1, 5, { name: "sleep_until", state: { until: iso(300) } });
    expect(rules({ events: [wait], tickAfterMs: 410 * MINUTE_MS })).toEqual([]);
    expect(rules({ events: [wait], tickAfterMs: 430 * MINUTE_MS })).toEqual(["execution_timeout/running"]);
  });

  test("a person's answer tells that it was waited for, and so does the time that a waiting tool took", () => {
    const approve = at("human_intervention", 2, 900, { action: "approve" });
    expect(after(920, tool(1, 5, {}), approve)).toEqual([]);
    const stop = at("human_intervention", 2, 900, { action: "stop", note: "hangs" });
    expect(after(920, tool(1, 5, {}), stop)).toHaveLength(1);
    const slept = tool(1, 300, { tool_name: "sleep", arguments: { hours: 5 }, latency_ms: 5 * HOUR_MS });
    expect(after(310, slept)).toEqual([]);
    expect(after(310, tool(1, 300, { tool_name: "search", latency_ms: 5 * HOUR_MS }))).toHaveLength(1);
  });

  test.each([
    ["a step like others", checkpoint(1, 5, { name: "batch_done", state: { done: 4 } })],
    [
      "a tool that does not answer",
      checkpoint(1, 5, { name: "waiting", state: { waiting_for: "tool response" } }),
    ],
    ["a page", tool(1, 5, { tool_name: "browser_wait_for_selector", latency_ms: 9 * HOUR_MS })],
    ["a state of business", tool(1, 5, { result: { state: "shipped" } })],
  ])("%s is no wait", (_, none) => {
    expect(after(920, none, tool(2, 900, {}))).toEqual(["execution_timeout/running"]);
  });

  test("a limit that the project set holds", () => {
    const events = [waits[0]![1]];
    expect(
      rules({ events, thresholds: { durationMinutesMax: 60 }, tickAfterMs: 61 * MINUTE_MS }),
    ).toHaveLength(1);
  });
});

describe("a framework that says in the answer's place that time ran out", () => {
  const answer = (output: unknown) => at("llm_call", 2, 2, { model: "m", output, finish_reason: "stop" });
  test.each([
    ["Agent stopped due to iteration limit or time limit."],
    ["Agent stopped due to time limit."],
    ["Timeout of 120 seconds reached"],
    ["Max execution time 600s reached."],
    ["Maximum execution time exceeded"],
    ["Task execution timed out after 300 seconds"],
    ["The agent timed out after 90 s."],
    ["Agent exceeded the maximum execution time of 180 seconds"],
    ["Der Agent hat das Zeitlimit überschritten."],
    ["El agente superó el límite de tiempo."],
  ])("%s", (said) => {
    expect(after(3, tool(1, 1, {}), answer(said))).toEqual(["execution_timeout/cut-off"]);
    expect(after(3, tool(1, 1, {}), answer([{ role: "assistant", content: said }]))).toHaveLength(1);
    expect(after(3, answer(said), tool(3, 2.5, {}))).toEqual([]);
  });

  test.each([
    ["Agent stopped due to max iterations."],
    ["The job on runner 4 exceeded the maximum execution time of 360 minutes, so the build failed."],
    ["Your session timed out after 30 minutes. Please sign in again."],
    ["Did the agent time out?"],
    ["The agent finished within its time limit."],
    ["A travel agent can extend the deadline for you."],
  ])("%s says nothing of this run", (said) => {
    expect(after(3, tool(1, 1, {}), answer(said))).toEqual([]);
  });
});

describe("a run that tells how far it is", () => {
  const epochs = (...minutes: number[]) =>
    minutes.map((minute, i) =>
      checkpoint(i + 1, minute, { name: "heartbeat", state: { epoch: i + 1, of: 8 } }),
    );

  test("may take half as long again as all of it takes at that pace", () => {
    const events = epochs(10, 20, 30, 40, 50, 60);
    expect(after(85, ...events)).toEqual([]);
    expect(after(121, ...events)).toEqual(["execution_timeout/finished"]);
    const percent = [25, 50].map((minute, i) => tool(i + 1, minute, { result: { percent: 20 * (i + 1) } }));
    expect(after(180, ...percent)).toEqual([]);
    expect(after(190, ...percent)).toEqual(["execution_timeout/finished"]);
  });

  test("is held to the usual limit where nothing grows, or in its first minutes alone", () => {
    const stands = [10, 40, 55].map((minute, i) => checkpoint(i + 1, minute, { state: { epoch: 2, of: 8 } }));
    expect(after(61, ...stands)).toEqual(["execution_timeout/finished"]);
    expect(after(61, ...epochs(1, 2, 3))).toEqual(["execution_timeout/finished"]);
  });
});
