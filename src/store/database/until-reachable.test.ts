import { expect, test } from "bun:test";
import { DatabaseUnreachable, untilReachable } from "./until-reachable.ts";

const url = "postgres://ats:secret@db.internal:5433/telemetry";
const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const patient = { url, timeoutS: 60 };

test("a step is done again until the database answers", async () => {
  const told: object[] = [];
  let tries = 0;
  const step = async () => {
    tries += 1;
    if (tries < 3) throw refused();
    return "done";
  };
  const result = await untilReachable(step, { ...patient, onRetry: (failure) => told.push(failure) });
  expect(result).toBe("done");
  expect(told).toEqual([
    { database: "db.internal:5433/telemetry", reason: "connect ECONNREFUSED", tries: 1 },
    { database: "db.internal:5433/telemetry", reason: "connect ECONNREFUSED", tries: 2 },
  ]);
});

test("any other failure is no reason to wait", async () => {
  const wrong = async () => {
    throw new Error("syntax error");
  };
  await expect(untilReachable(wrong, { ...patient, onRetry: () => {} })).rejects.toThrow("syntax error");
});

test("the last reason is told when the time is over, without the password", async () => {
  const away = async () => {
    throw refused();
  };
  const ended = untilReachable(away, { url, timeoutS: 0, onRetry: () => {} });
  await expect(ended).rejects.toThrow(
    new DatabaseUnreachable(
      "The database at db.internal:5433/telemetry could not be reached within 0 s: connect ECONNREFUSED",
    ),
  );
});

test("a stop ends the waiting at once", async () => {
  const stop = new AbortController();
  const away = async () => {
    throw refused();
  };
  const ended = untilReachable(away, {
    ...patient,
    onRetry: () => stop.abort(new Error("stop")),
    signal: stop.signal,
  });
  await expect(ended).rejects.toThrow("stop");
});
