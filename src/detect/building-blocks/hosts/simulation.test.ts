import { expect, test } from "bun:test";
import { isSimulation } from "./simulation.ts";

test("modes that mean a simulation", () => {
  const modes = [
    "simulation",
    " Simulation ",
    "SIMULATED",
    "sandbox",
    "sandboxed",
    "mock",
    "sim",
    "load-simulation",
  ];
  const more = [
    "sandbox_eu",
    "offline",
    "air-gapped",
    "simulación",
    "Simulationslauf",
    "drill",
    "mocked run",
    "沙箱",
  ];
  for (const mode of [...modes, ...more]) expect([mode, isSimulation(mode)]).toEqual([mode, true]);
});

test("modes that mean none", () => {
  const modes = [null, "", "live", "staging", "production", "test", "dev", "dry-run", "shadow", "replay"];
  const both = [
    "non-simulation",
    "not simulated",
    "production-sandbox",
    "staging/sandbox",
    "similar",
    "x".repeat(1_000),
  ];
  for (const mode of [...modes, ...both]) expect([mode, isSimulation(mode)]).toEqual([mode, false]);
});
