import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { unhandledException } from "../detectors/unhandled-exception.ts";
import { plainPayload } from "./plain-payload.ts";

/** An exception in the forms in which services of error reporting, serialisers and logs have it. */
type Payload = Readonly<Record<string, unknown>>;

const judged = (payload: Payload) =>
  play(unhandledException, { events: [event("exception", 1, plainPayload("exception", payload))] }).map(
    ({ severity, signatureParts, excerpt }) => [severity, ...signatureParts, excerpt],
  );

const PYTHON = `Traceback (most recent call last):
  File "/srv/app/agent.py", line 88, in run
    step()
KeyError: 'order'`;
const FRAMES = [
  { filename: "main.py", function: "main", lineno: 1 },
  { filename: "agent.py", function: "run", lineno: 3 },
];
const sentry = (...values: readonly Payload[]) => ({ exception: { values } });
const keyError = {
  type: "KeyError",
  value: "order",
  mechanism: { type: "generic", handled: false },
  stacktrace: { frames: FRAMES },
};
const KEY_ERROR = ["KeyError", "agent.py:run|main.py:main", "KeyError: order"];
const ONE_FRAME = ["KeyError", "agent.py:run", "KeyError: order"];

describe("exceptions in the forms of their reporters", () => {
  test.each<[string, Payload, readonly string[]]>([
    ["Sentry", sentry(keyError), ["high", ...KEY_ERROR]],
    [
      "Sentry, in a webhook",
      { data: { event: { type: "error", ...sentry(keyError) } } },
      ["high", ...KEY_ERROR],
    ],
    ["Sentry, with a type of its own", { type: "error", ...sentry(keyError) }, ["high", ...KEY_ERROR]],
    [
      "Sentry, without frames",
      sentry({ type: "KeyError", value: "order 7" }),
      ["medium", "KeyError", "order <n>", "KeyError: order <n>"],
    ],
    [
      "Rollbar",
      {
        data: {
          level: "error",
          body: {
            trace: {
              frames: [{ filename: "/srv/agent.py", lineno: 3, method: "run" }],
              exception: { class: "KeyError", message: "order" },
            },
          },
        },
      },
      ["medium", ...ONE_FRAME],
    ],
    [
      "Bugsnag",
      {
        severity: "error",
        unhandled: true,
        exceptions: [
          {
            errorClass: "KeyError",
            message: "order",
            stacktrace: [{ file: "agent.py", lineNumber: 3, method: "run", inProject: true }],
          },
        ],
      },
      ["high", ...ONE_FRAME],
    ],
    [
      "Elastic",
      {
        error: {
          culprit: "agent.run",
          exception: {
            type: "KeyError",
            message: "order",
            handled: false,
            stacktrace: [{ abs_path: "/srv/agent.py", function: "run", lineno: 3, library_frame: false }],
          },
        },
      },
      ["high", ...ONE_FRAME],
    ],
    [
      "structlog",
      {
        event: "order failed",
        exception: [
          {
            exc_type: "KeyError",
            exc_value: "order",
            frames: [{ filename: "agent.py", name: "run", lineno: 3 }],
          },
        ],
      },
      ["medium", ...ONE_FRAME],
    ],
    [
      "Application Insights",
      {
        exceptions: [
          {
            typeName: "System.TimeoutException",
            message: "order",
            parsedStack: [{ method: "App.Orders.Load", fileName: "C:\\src\\Orders.cs", line: 3 }],
          },
        ],
      },
      ["medium", "System.TimeoutException", ":App.Orders.Load", "System.TimeoutException: order"],
    ],
    [
      "an event of a span",
      {
        name: "invoke_agent",
        events: [
          { name: "gen_ai.choice", attributes: { index: 0 } },
          {
            name: "exception",
            attributes: {
              "exception.type": "KeyError",
              "exception.message": "order",
              "exception.stacktrace": PYTHON,
              "exception.escaped": true,
            },
          },
        ],
      },
      ["high", ...ONE_FRAME],
    ],
    [
      "attributes with the escaped flag that Python prints",
      {
        "exception.type": "KeyError",
        "exception.message": "order",
        "exception.stacktrace": PYTHON,
        "exception.escaped": "True",
      },
      ["high", ...ONE_FRAME],
    ],
    [
      "ECS",
      { "error.type": "KeyError", "error.message": "order", "error.stack_trace": PYTHON },
      ["medium", ...ONE_FRAME],
    ],
    ["Datadog", { error: { kind: "KeyError", message: "order", stack: PYTHON } }, ["medium", ...ONE_FRAME]],
    [
      "a printed stack alone",
      { exception: PYTHON },
      ["medium", "KeyError", "agent.py:run", "KeyError: <str>"],
    ],
    ["a line of a log with its stack", { message: "order", exc_info: PYTHON }, ["medium", ...ONE_FRAME]],
    [
      "JavaScript's error with its cause",
      {
        error: {
          name: "TypeError",
          message: "x is undefined",
          stack: "TypeError: x is undefined\n    at f (/app/a.js:1:2)",
          cause: { name: "RangeError", message: "r", stack: "RangeError: r\n    at g (/app/b.js:1:2)" },
        },
      },
      ["medium", "TypeError", "a.js:f<RangeError:b.js:g", "TypeError: x is undefined"],
    ],
    [
      ".NET, serialised",
      {
        ClassName: "System.InvalidOperationException",
        Message: "no order 7",
        StackTraceString: "   at App.Orders.Load(String id) in C:\\src\\Orders.cs:line 12",
        InnerException: { ClassName: "System.TimeoutException", Message: "t", StackTraceString: null },
      },
      [
        "medium",
        "System.InvalidOperationException",
        ":App.Orders.Load<System.TimeoutException:",
        "System.InvalidOperationException: no order <n>",
      ],
    ],
    [
      "the JVM, serialised",
      {
        class: "java.lang.IllegalStateException",
        message: "m",
        stackTrace: [
          { className: "com.acme.Orders", methodName: "load", fileName: "Orders.java", lineNumber: 12 },
          { className: "java.lang.Thread", methodName: "run", fileName: "Thread.java", lineNumber: 1 },
        ],
        cause: { class: "java.io.IOException", message: "x" },
      },
      [
        "medium",
        "java.lang.IllegalStateException",
        ":com.acme.Orders.load<java.io.IOException:",
        "java.lang.IllegalStateException: m",
      ],
    ],
  ])("%s", (_name, payload, expected) => {
    expect(judged(payload)).toEqual([[...expected]]);
  });

  test.each<[string, Payload]>([
    ["Sentry", sentry({ ...keyError, mechanism: { type: "logging", handled: true } })],
    [
      "Sentry, a cause of what was handled",
      sentry(keyError, { type: "OrderError", value: "v", mechanism: { handled: true } }),
    ],
    ["Bugsnag", { unhandled: false, exceptions: [{ errorClass: "KeyError", message: "order" }] }],
    ["Elastic", { error: { exception: { type: "KeyError", message: "order", handled: true } } }],
    [
      "attributes",
      { attributes: { "exception.type": "KeyError", "exception.message": "m", "exception.escaped": false } },
    ],
    [
      "a pause of a graph",
      sentry({ type: "GraphInterrupt", value: "waiting", mechanism: { handled: false } }),
    ],
  ])("handled, or none: %s", (_name, payload) => {
    expect(judged(payload)).toEqual([]);
  });

  test("of a chain Sentry's last is the one thrown, and the first what it began with", () => {
    const thrown = { ...keyError, type: "OrderError", value: "failed", stacktrace: { frames: [FRAMES[0]] } };
    expect(judged(sentry(keyError, thrown))).toEqual([
      ["high", "OrderError", "main.py:main<KeyError:agent.py:run|main.py:main", "OrderError: failed"],
    ]);
    const rollbar = [
      { frames: [FRAMES[0]], exception: { class: "OrderError", message: "failed" } },
      { frames: FRAMES, exception: { class: "KeyError", message: "order" } },
    ];
    expect(judged({ body: { trace_chain: rollbar } })[0]?.slice(1, 3)).toEqual([
      "OrderError",
      "main.py:main<KeyError:agent.py:run|main.py:main",
    ]);
  });

  test("what the client calls its own code groups, wherever it stands", () => {
    const frames = [
      {
        abs_path: "/usr/lib/python3.12/site-packages/acme/agent.py",
        function: "run",
        lineno: 3,
        in_app: true,
      },
      { abs_path: "/srv/lib/http.py", function: "get", lineno: 9, in_app: false },
    ];
    expect(judged(sentry({ ...keyError, stacktrace: { frames } }))[0]?.[2]).toBe("agent.py:run");
    const others = frames.map((frame) => ({ ...frame, in_app: false }));
    expect(judged(sentry({ ...keyError, stacktrace: { frames: others } }))[0]?.[2]).toBe("http.py:get");
  });

  test("two exceptions are two groups, two occurrences of one are one", () => {
    const groupOf = (value: Payload) => judged(sentry(value))[0]?.slice(1, 3);
    const moved = FRAMES.map((frame) => ({ ...frame, lineno: frame.lineno + 40 }));
    expect(groupOf({ ...keyError, value: "order 7", stacktrace: { frames: moved } })).toEqual(
      groupOf(keyError),
    );
    expect(groupOf({ ...keyError, type: "ValueError" })).not.toEqual(groupOf(keyError));
    expect(groupOf({ ...keyError, stacktrace: { frames: [FRAMES[0]] } })).not.toEqual(groupOf(keyError));
  });

  test.each([
    "Agent.java",
    "Agent.kt",
    "Agent.cs",
    "agent.go",
    "agent.rb",
    "agent.php",
    "agent.ts",
    "agent.py",
  ])("a frame in %s", (filename) => {
    const frames = [
      { filename: `/srv/app/${filename}`, module: "acme", function: "outer", lineno: 3 },
      { filename: `/srv/app/${filename}`, module: "acme", function: "run", lineno: 3, colno: 7 },
    ];
    const key = String(judged(sentry({ ...keyError, stacktrace: { frames } }))[0]?.[2]);
    expect(key.split("|").map((frame) => frame.replace(/^.*[:.]/, ""))).toEqual(["run", "outer"]);
  });

  test.each<[Payload]>([
    // What a provider answered is told beside the exception that the client threw.
    [
      {
        type: "BadRequestError",
        message: "m",
        body: { error: { type: "invalid_request_error", message: "x" } },
      },
    ],
    [{ type: "ValidationError", message: "m", errors: [{ type: "missing", msg: "field required" }] }],
    [{ type: "E", message: "m", details: { name: "order", cause: "none" } }],
    [{ type: "E", message: "m", data: { values: [1, 2], trace: { id: "t" } } }],
    [{ type: "E", message: "m", stack: ["at f", "at g"] }],
  ])("%j stays as it is", (payload) => {
    expect(plainPayload("exception", payload)).toMatchObject(payload);
  });

  test("a text with an address in it is no stack", () => {
    expect(plainPayload("exception", { error: "lost connection at 10.0.0.1:80" })).toMatchObject({
      message: "lost connection at 10.0.0.1:80",
    });
  });
});
