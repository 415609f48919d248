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

describe("execution_timeout", () => {
  describeAnyDetector(executionTimeout, () => ({ events: [], tickAfterMs: 61 * MINUTE_MS }));

  test("a running execution fires by the clock, once its time is over", () => {
    expect(play(executionTimeout, { events: [], tickAfterMs: 60 * MINUTE_MS })).toEqual([]);
    const [detection] = play(executionTimeout, { events: [], tickAfterMs: 60 * MINUTE_MS + 1 });
    expect(detection).toMatchObject({ signatureParts: ["running"], eventId: null, dedupKey: "timeout" });
  });

  test("a finished one fires by its own duration, else by the service's clock", () => {
    const of = (finished: object) =>
      play(executionTimeout, { events: [], finished: { status: "completed", ...finished } });
    expect(of({ durationMs: 61 * MINUTE_MS })[0]?.signatureParts).toEqual(["finished"]);
    expect(of({ durationMs: 59 * MINUTE_MS, finishedMs: START_MS + 90 * MINUTE_MS })).toEqual([]);
    expect(of({ finishedMs: START_MS + 90 * MINUTE_MS })).toHaveLength(1);
  });

  test("the limit is the project's own", () => {
    const thresholds = { durationMinutesMax: 0.5 };
    expect(play(executionTimeout, { events: [], tickAfterMs: 31_000, thresholds })).toHaveLength(1);
    expect(play(executionTimeout, { events: [], tickAfterMs: 29_000, thresholds })).toEqual([]);
  });
});

/** What a run did before its end. */
const well = (sequence: number) =>
  event("tool_call", sequence, { tool_name: "search", result: "three rows" });
const said = (sequence: number) =>
  event("llm_call", sequence, { model: "m", output: "next", finish_reason: "stop" });
const vain = (sequence: number, tool_name = "query", error: unknown = "Request timed out") =>
  event("tool_call", sequence, { tool_name, error });
const thrown = (sequence: number, payload: Record<string, unknown>) => event("exception", sequence, payload);
const report = (sequence: number, payload: Record<string, unknown>) =>
  event("infrastructure_event", sequence, payload);
const LAMBDA = { component: "aws.lambda", kind: "error", message: "Task timed out after 900.00 seconds" };
const CRASHED = { status: "crashed", durationMs: MINUTE_MS } as const;
const COMPLETED = { status: "completed", durationMs: MINUTE_MS } as const;

const partsOf = (scenario: Scenario) => play(executionTimeout, scenario).map((one) => one.signatureParts);

describe("a time limit that ended a run", () => {
  describeAnyDetector(executionTimeout, () => ({
    events: [well(1), vain(2), vain(3), thrown(4, { type: "TimeoutError", handled: false })],
    finished: CRASHED,
  }));

  const ends: [string, ReturnType<typeof event>, string[]][] = [
    [
      "an exception",
      thrown(9, { type: "TimeoutError", message: "", handled: false }),
      ["cut-off", "TimeoutError"],
    ],
    [
      "an exception in other words",
      thrown(9, { type: "ServicioNoDisponible", message: "Se ha agotado el tiempo de espera" }),
      ["cut-off", "ServicioNoDisponible"],
    ],
    [
      "what an exception came of",
      thrown(9, {
        type: "AgentException",
        message: "step failed",
        stack:
          "AgentException: step failed\n at run(A.java:3)\nCaused by: java.net.SocketTimeoutException: Read timed out",
      }),
      ["cut-off", "AgentException"],
    ],
    [
      "a handled exception, when the run crashed",
      thrown(9, { type: "TimeoutError", handled: true }),
      ["cut-off", "TimeoutError"],
    ],
    ["the platform's report", report(9, LAMBDA), ["cut-off", "aws.lambda"]],
    ["a last call", vain(9), ["cut-off", "query"]],
    [
      "a last model call",
      event("llm_call", 9, { model: "m", error: "Request timed out." }),
      ["cut-off", "m"],
    ],
    [
      "a checkpoint's reason",
      event("checkpoint", 9, { name: "end", state: { stop_reason: "Timeout of 300 seconds reached" } }),
      ["cut-off", "checkpoint"],
    ],
    ["a checkpoint", event("checkpoint", 9, { name: "time_limit_exceeded" }), ["cut-off", "checkpoint"]],
    [
      "somebody who stopped it for that",
      event("human_intervention", 9, { action: "stop", note: "watchdog: exceeded its time budget" }),
      ["cut-off", "stopped"],
    ],
  ];
  test.each(ends)("%s", (_, last, parts) => {
    expect(partsOf({ events: [well(1), said(2), last], finished: CRASHED })).toEqual([parts]);
  });

  test("without an end it is told two minutes after the last word, with one at once", () => {
    const events = [well(1), report(2, LAMBDA)];
    expect(partsOf({ events, tickAfterMs: 2 * MINUTE_MS })).toEqual([]);
    expect(partsOf({ events, tickAfterMs: 2 * MINUTE_MS + 1 })).toEqual([["cut-off", "aws.lambda"]]);
    expect(partsOf({ events, finished: COMPLETED })).toEqual([["cut-off", "aws.lambda"]]);
  });

  test("calls that timed out before a crash of another name count from two on", () => {
    const other = thrown(6, { type: "error", message: "hil-test: no result", handled: false });
    const [detection] = play(executionTimeout, { events: [vain(3), vain(4), other], finished: CRASHED });
    expect(detection?.evidenceEventIds).toEqual(["event-3", "event-4"]);
    expect(partsOf({ events: [vain(4), other], finished: CRASHED })).toEqual([]);
    const cancelled = thrown(6, { type: "CancelledError", message: "context canceled" });
    expect(partsOf({ events: [vain(4), cancelled], finished: CRASHED })).toEqual([["cut-off", "query"]]);
  });

  test("a run that completed gave up if three calls at its end were waited for in vain", () => {
    const events = [well(1), vain(2), vain(3, "ping"), vain(4), said(5)];
    expect(partsOf({ events, finished: COMPLETED })).toEqual([["given-up", "query"]]);
    expect(partsOf({ events: events.slice(2), finished: COMPLETED })).toEqual([]);
  });

  test("calls told by the chat alone count as well, until an event tells of one", () => {
    const turn = (sequence: number, content: string) =>
      event("llm_call", sequence, {
        model: "m",
        input: [
          { role: "user", content: "rows?" },
          {
            role: "assistant",
            tool_calls: [{ id: `c${sequence}`, function: { name: "query", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: `c${sequence}`, content },
        ],
        output: "again",
      });
    const late = "Error: canceling statement due to statement timeout";
    const events = [turn(1, "7 rows"), turn(2, late), turn(3, late), turn(4, late)];
    expect(partsOf({ events, finished: COMPLETED })).toEqual([["given-up", "query"]]);
    expect(partsOf({ events: [well(0), ...events], finished: COMPLETED })).toEqual([]);
    expect(partsOf({ events: [...events, turn(5, "7 rows")], finished: COMPLETED })).toEqual([]);
  });

  const healthy: [string, Scenario][] = [
    ["work went on after it", { events: [report(1, LAMBDA), well(2)], finished: CRASHED }],
    [
      "the call was made again and went well",
      { events: [vain(1), vain(2), vain(3), well(4)], finished: COMPLETED },
    ],
    [
      "the model answered in the end",
      {
        events: [1, 2, 3]
          .map((n) => event("llm_call", n, { model: "m", error: "timed out" }))
          .concat(said(4)),
        finished: CRASHED,
      },
    ],
    [
      "it was caught, and the run completed",
      { events: [thrown(1, { type: "TimeoutError", handled: true })], finished: COMPLETED },
    ],
    [
      "the run died of something else",
      { events: [vain(1), event("tool_call", 2, { tool_name: "t", error: "401" })], finished: CRASHED },
    ],
    [
      "what timed out was idle",
      {
        events: [well(1), report(2, { ...LAMBDA, message: "container stopped: idle timeout reached" })],
        finished: COMPLETED,
      },
    ],
    [
      "a connection of the infrastructure, and the run completed",
      {
        events: [well(1), report(2, { component: "redis", message: "connection timed out" })],
        finished: COMPLETED,
      },
    ],
    ["memory ran out", { events: [report(1, { component: "k8s", kind: "OOMKilled" })], finished: CRASHED }],
    [
      "a person stopped a talk about timeouts",
      {
        events: [event("human_intervention", 1, { action: "stop", note: "timeout question answered" })],
        finished: COMPLETED,
      },
    ],
    [
      "the tool read of other people's timeouts",
      {
        events: [1, 2, 3].map((n) =>
          event("tool_call", n, { tool_name: "logs", result: { lines: ["upstream timed out"] } }),
        ),
        finished: CRASHED,
      },
    ],
  ];
  test.each(healthy)("none: %s", (_, scenario) => expect(partsOf(scenario)).toEqual([]));

  test("once an execution, whatever else it meets", () => {
    const events = [vain(1), vain(2), report(3, LAMBDA)];
    const finished = { ...CRASHED, durationMs: 61 * MINUTE_MS };
    expect(partsOf({ events, finished, tickAfterMs: MINUTE_MS })).toEqual([["finished"]]);
  });
});
