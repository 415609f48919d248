import { expect, test } from "bun:test";
import { parseDestination } from "./normalise-host.ts";
import { isSimulation, isStandIn } from "./simulation.ts";

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

test("hosts that stand in for something real", () => {
  const names = [
    "api.crm.test",
    "nothing.invalid",
    "localhost.localdomain",
    "ip6-localhost",
    "wiremock:8080",
    "mock-stripe",
  ];
  const zones = [
    "wiremock.sim.svc.cluster.local:8080",
    "idp.sim.svc:443",
    "bank-sim.lan",
    "fake-smtp.internal",
    "erp-emulator2.corp",
  ];
  for (const host of [...names, ...zones, "LocalStack:4566", "payments.mocks.svc"])
    expect([host, isStandIn(parseDestination(host))]).toEqual([host, true]);
});

test("hosts that may be real, whatever they are called", () => {
  const outside = [
    "mock.example.com",
    "wiremock.cloud",
    "sandbox.paypal.com",
    "api.example",
    "test.com",
    "attest",
  ];
  const within = [
    "postgres:5432",
    "orders.prod.svc.cluster.local",
    "erp.internal",
    "10.0.0.4",
    "host.docker.internal",
  ];
  const both = [
    "mock-gateway.prod.svc",
    "live-sandbox.internal",
    "sim-provisioning.internal",
    "169.254.169.254",
  ];
  for (const host of [...outside, ...within, ...both, "simon.lan", "mockingbird.internal", "metadata", ""])
    expect([host, isStandIn(parseDestination(host))]).toEqual([host, false]);
});
