import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, firingKeys, play } from "../../../test/support/detector-harness.ts";
import { sandboxEscape } from "./sandbox-escape.ts";

const declared = (mode: string, sequence = 1) => event("environment_declaration", sequence, { mode });
const egress = (destination: string, sequence = 2, tool_name?: string) =>
  event("egress", sequence, { destination, tool_name });

describe("sandbox_escape", () => {
  describeAnyDetector(sandboxEscape, () => ({
    events: [declared("simulation"), egress("api.example.com:443", 2, "http_get")],
  }));

  test("is critical, names host and tool, and groups by site", () => {
    const [detection] = play(sandboxEscape, {
      events: [declared("simulation"), egress("eu.api.example.com:443", 2, "http_get")],
    });
    expect(detection).toMatchObject({
      severity: "critical",
      eventId: "event-2",
      signatureParts: ["egress-in-simulation", "example.com"],
      excerpt: "egress to eu.api.example.com:443 by tool http_get in a run declared simulation",
    });
  });

  test("the egress may come first: it is held until the mode is known", () => {
    const detections = play(sandboxEscape, {
      events: [egress("evil.example", 1), declared("simulation", 2)],
    });
    expect(detections.map((one) => one.eventId)).toEqual(["event-1"]);
  });

  test("the mode may be known from the record alone", () => {
    const running = { environmentMode: "simulation" };
    expect(play(sandboxEscape, { events: [egress("evil.example")], running })).toHaveLength(1);
  });

  test("the first declaration wins, over later ones and in the record", () => {
    const events = [declared("live", 1), egress("evil.example", 2), declared("simulation", 3)];
    expect(play(sandboxEscape, { events })).toEqual([]);
    const recorded = { environmentMode: "live" };
    expect(
      play(sandboxEscape, { events: [declared("simulation", 1), egress("evil.example")], running: recorded }),
    ).toEqual([]);
    const first = [declared("simulation", 1), declared("live", 2), egress("evil.example", 3)];
    expect(play(sandboxEscape, { events: first })).toHaveLength(1);
  });

  test("an undeclared, a live and a staging run may contact anything", () => {
    for (const mode of [null, "live", "staging", "production"]) {
      const events = mode === null ? [egress("evil.example")] : [declared(mode), egress("evil.example")];
      expect(play(sandboxEscape, { events })).toEqual([]);
    }
  });

  test("other words for a simulation are one, before and behind the egress", () => {
    for (const mode of ["sandbox", "Simulated", "mock", "offline"]) {
      const [detection] = play(sandboxEscape, { events: [declared(mode), egress("sms.example")] });
      expect(detection?.excerpt).toBe(`egress to sms.example in a run declared ${mode}`);
      expect(play(sandboxEscape, { events: [egress("sms.example", 1), declared(mode, 2)] })).toHaveLength(1);
    }
  });

  test("a mock is an escape until it is allowed: its name proves nothing, unlike one of the machine's own", () => {
    const found = (host: string) =>
      play(sandboxEscape, { events: [declared("simulation"), egress(host)] }).length;
    for (const host of [
      "api.crm.test",
      "wiremock.sim.svc.cluster.local:8080",
      "mock-stripe:8080",
      "postgres:5432",
    ])
      expect([host, found(host)]).toEqual([host, 1]);
    for (const host of ["localhost.localdomain", "ip6-localhost:80", "localhost6"])
      expect([host, found(host)]).toEqual([host, 0]);
  });

  test("loopback in every spelling stays inside", () => {
    const inside = [
      "localhost",
      "localhost:8080",
      "127.0.0.1:80",
      "127.9.9.9",
      "[::1]:443",
      "::1",
      "db.localhost",
    ];
    const events = [declared("simulation"), ...inside.map((host, at) => egress(host, at + 2))];
    expect(play(sandboxEscape, { events })).toEqual([]);
  });

  test("private networks and metadata addresses are outside", () => {
    const outside = [
      "10.0.0.4:5432",
      "192.168.1.1",
      "169.254.169.254",
      "[fd00:ec2::254]",
      "host.docker.internal",
    ];
    const events = [declared("simulation"), ...outside.map((host, at) => egress(host, at + 2))];
    expect(play(sandboxEscape, { events })).toHaveLength(outside.length);
  });

  test("the allow-list takes hosts, ports, suffixes and networks", () => {
    const allow = ["mock.internal", "db.internal:5432", "*.sim.example", "10.0.0.0/8", "fd00::/8"];
    const allowed = [
      "mock.internal:443",
      "db.internal:5432",
      "a.b.sim.example",
      "10.9.8.7:1",
      "[fd00::1]:80",
    ];
    const refused = ["db.internal:22", "sim.example", "notsim.example", "11.0.0.1", "xmock.internal"];
    const of = (hosts: string[]) => [
      declared("simulation"),
      ...hosts.map((host, at) => egress(host, at + 2)),
    ];
    expect(play(sandboxEscape, { events: of(allowed), allow })).toEqual([]);
    expect(play(sandboxEscape, { events: of(refused), allow })).toHaveLength(refused.length);
  });

  test("fires once a host, whatever the port, the case and the spelling", () => {
    const spellings = ["evil.example:443", "evil.example:80", "EVIL.example", "evil.example."];
    const events = [declared("simulation"), ...spellings.map((host, at) => egress(host, at + 2))];
    expect(play(sandboxEscape, { events })).toHaveLength(1);
    const addresses = ["8.8.8.8", "134744072", "0x8.8.8.8", "[::ffff:8.8.8.8]:53"];
    const numeric = [declared("simulation"), ...addresses.map((host, at) => egress(host, at + 2))];
    expect(firingKeys(play(sandboxEscape, { events: numeric }))).toEqual(["host:8.8.8.8"]);
  });

  test("hosts held before the declaration do not hide the ones after it", () => {
    const flood = Array.from({ length: 100 }, (_, i) => egress(`h${i}.example`, i + 1));
    const events = [...flood, declared("simulation", 200), egress("evil.example", 201)];
    const detections = play(sandboxEscape, { events });
    expect(detections.length).toBeGreaterThan(20);
    expect(detections.at(-1)?.excerpt).toContain("h23.example");
    expect(detections.map((one) => one.eventId)).toContain("event-201");
  });
});
