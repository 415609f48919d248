import { expect, test } from "bun:test";
import { FAULT_NAMES } from "./fault-kinds.ts";
import { parseFaultsOptions } from "./options.ts";

test("defaults: every fault", () => {
  expect(parseFaultsOptions([])).toEqual({
    kind: "options",
    options: {
      json: false,
      report: undefined,
      seconds: 120,
      services: 2,
      embedded: false,
      runsPerSecond: 20,
      everyMs: 2_500,
      seed: 1,
      faults: FAULT_NAMES,
    },
  });
});

test("some faults, or none", () => {
  expect(parseFaultsOptions(["--only", "kill-postgres,kill-service"])).toMatchObject({
    options: { faults: ["kill-service", "kill-postgres"] },
  });
  expect(parseFaultsOptions(["--only", "none"])).toMatchObject({ options: { faults: [] } });
});

test("one service with its own PostgreSQL: nothing between the two can be cut", () => {
  const parsed = parseFaultsOptions(["--embedded", "--only", "kill-postgres,cut-connections"]);
  expect(parsed).toMatchObject({ options: { services: 1, embedded: true, faults: ["kill-postgres"] } });
  expect(parseFaultsOptions(["--embedded", "--services", "2"])).toEqual({
    kind: "mistakes",
    mistakes: ["--embedded is one service: no --services"],
  });
});

test("every mistake is named at once", () => {
  expect(parseFaultsOptions(["--only", "kill-service,flood", "--services", "9", "--every", "soon"])).toEqual({
    kind: "mistakes",
    mistakes: [
      "--only knows no flood",
      "--services must be a whole number from 1 to 4",
      "--every must be a whole number from 100 to 60000",
    ],
  });
});
