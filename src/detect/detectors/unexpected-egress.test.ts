import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, TestMemory } from "../../../test/support/detector-harness.ts";
import { threadMs } from "../../../test/support/thread-time.ts";
import { unexpectedEgress } from "./unexpected-egress.ts";

const egress = (destination: string, sequence = 1) => event("egress", sequence, { destination });
const rulesFor = (destination: string, allow: string[] = []) =>
  play(unexpectedEgress, { events: [egress(destination)], allow }).flatMap((one) => one.ruleIds);

/** A project that has made `executions` runs, each with two contacts of each host. */
function historyOf(executions: number, hosts: readonly string[]): TestMemory {
  const memory = new TestMemory();
  for (let run = 0; run < executions; run++) {
    const events = [...hosts, ...hosts].map((host, at) => egress(host, at + 1));
    expect(play(unexpectedEgress, { events, memory, running: { executionId: `run-${run}` } })).toEqual([]);
  }
  return memory;
}

describe("unexpected_egress", () => {
  describeAnyDetector(unexpectedEgress, () => ({
    events: [egress("169.254.169.254:80", 1), egress("api.example.com", 2), egress("93.184.216.34", 3)],
  }));
  describe("imitations", () => {
    describeAnyDetector(unexpectedEgress, () => ({
      events: ["api.acmepay.com", "githuub.com", "api.acmeppay.com", "paypal-help.example"].map(egress),
    }));
  });

  test("metadata services under every name and spelling are critical", () => {
    const names = [
      "169.254.169.254",
      "169.254.169.254:80",
      "2852039166",
      "0xa9fea9fe",
      "[::ffff:169.254.169.254]:80",
      "[fd00:ec2::254]",
      "metadata.google.internal",
      "METADATA.google.internal.",
      "100.100.100.200",
      "169.254.169.254.nip.io",
      "a-169-254-169-254.sslip.io",
    ];
    for (const name of names) {
      const [detection] = play(unexpectedEgress, { events: [egress(name)] });
      expect(detection?.ruleIds[0]).toBe("unexpected_egress/metadata-address");
      expect(detection?.severity).toBe("critical");
    }
  });

  test("a name too long for a key is remembered up to a whole character", () => {
    const memory = new TestMemory();
    const name = `a b${"😀".repeat(140)}`;
    for (const host of [name, `${name}x`]) play(unexpectedEgress, { events: [egress(host)], memory });
    expect([...memory.values.keys()].filter((key) => key.startsWith("host:"))).toEqual([
      `host:a b${"😀".repeat(118)}`,
    ]);
  });

  test("public addresses fire, private ones and loopback do not", () => {
    expect(rulesFor("93.184.216.34:443")).toEqual(["unexpected_egress/ip-literal"]);
    expect(rulesFor("[2606:2800:220:1::1]:443")).toEqual(["unexpected_egress/ip-literal"]);
    for (const host of ["10.1.2.3", "172.16.0.1", "192.168.0.9:80", "[fd12::1]", "localhost", "127.0.0.1"]) {
      expect(rulesFor(host)).toEqual([]);
    }
  });

  test("a disguised address is high even where it is loopback", () => {
    expect(rulesFor("3627734734")).toEqual([
      "unexpected_egress/disguised-address",
      "unexpected_egress/ip-literal",
    ]);
    expect(rulesFor("0x7f.1")).toEqual(["unexpected_egress/disguised-address"]);
  });

  test("imitating and foreign names", () => {
    expect(rulesFor("xn--pple-43d.com")).toEqual(["unexpected_egress/homoglyph"]);
    expect(rulesFor("раураl.com")).toEqual(["unexpected_egress/homoglyph"]);
    expect(rulesFor("xn--mnchen-3ya.de")).toEqual(["unexpected_egress/punycode"]);
    expect(rulesFor("münchen.de")).toEqual(["unexpected_egress/punycode"]);
    expect(rulesFor("api.openai.com")).toEqual([]);
  });

  test("a name that imitates a well-known one fires at once, in each run, and names it", () => {
    const [detection, ...rest] = play(unexpectedEgress, {
      events: [event("egress", 1, { destination: "API.githuub.com.:443", tool_name: "http_post" })],
    });
    expect(rest).toEqual([]);
    expect(detection).toMatchObject({
      severity: "high",
      ruleIds: ["unexpected_egress/imitates-host"],
      signatureParts: ["imitates-host", "githuub.com"],
      excerpt: "egress to api.githuub.com by tool http_post: imitates-host (github.com)",
    });
    const memory = historyOf(12, ["api.github.com"]);
    for (const executionId of ["one", "two"]) {
      const [fired] = play(unexpectedEgress, {
        events: [egress("openai.com.evil.example")],
        memory,
        running: { executionId },
      });
      expect(fired?.ruleIds[0]).toBe("unexpected_egress/imitates-host");
    }
    expect(rulesFor("anthropic-research.example")).toEqual(["unexpected_egress/borrowed-name"]);
    expect(rulesFor("openai.com.evil.example", ["*.evil.example"])).toEqual([]);
  });

  describe("a name that imitates one of the project's", () => {
    const REAL = egress("api.acmepay.com", 1);
    const FAKE = egress("api.acmeppay.com", 2);
    const told = (fired: ReturnType<typeof play>) =>
      fired.map(
        (one) => `${one.signatureParts.join(" ")} ${one.excerpt.replace(/^.*\(|\).*$/g, "")} ${one.dedupKey}`,
      );
    const EXPECTED = "imitates-host acmeppay.com api.acmepay.com imitates:api.acmeppay.com";

    test("fires once for the later one, whichever event arrives first, together or singly", () => {
      for (const arrival of ["together", "singly", "reversed", "after-finish"] as const) {
        expect(told(play(unexpectedEgress, { events: [REAL, FAKE] }, arrival))).toEqual([EXPECTED]);
      }
    });

    test("fires in later runs too, until it is allowed", () => {
      const memory = historyOf(2, ["api.acmepay.com"]);
      for (const executionId of ["one", "two"]) {
        const fired = play(unexpectedEgress, { events: [FAKE], memory, running: { executionId } });
        expect(told(fired)).toEqual([EXPECTED]);
      }
      const allow = ["api.acmeppay.com"];
      expect(
        play(unexpectedEgress, { events: [FAKE], memory, allow, running: { executionId: "three" } }),
      ).toEqual([]);
      expect(play(unexpectedEgress, { events: [REAL], memory, running: { executionId: "four" } })).toEqual(
        [],
      );
    });

    test("resent events fire the same firing", () => {
      const fired = play(unexpectedEgress, { events: [REAL, FAKE, REAL, FAKE] }, "singly");
      expect(told(fired)).toEqual([EXPECTED]);
    });

    test("the imitator came first in an earlier run: the later one is named, and tells of both", () => {
      const memory = new TestMemory();
      expect(play(unexpectedEgress, { events: [egress("api.acmeppay.com", 1)], memory })).toEqual([]);
      const running = { executionId: "two" };
      expect(
        told(play(unexpectedEgress, { events: [egress("api.acmepay.com", 2)], memory, running })),
      ).toEqual(["imitates-host acmepay.com api.acmeppay.com imitates:api.acmepay.com"]);
      // Once the true one is allowed its imitator is told by the allow-list.
      const allow = ["api.acmepay.com"];
      const events = [egress("api.acmepay.com", 3), egress("api.acmeppay.com", 4)];
      expect(
        told(play(unexpectedEgress, { events, memory, allow, running: { executionId: "three" } })),
      ).toEqual([EXPECTED]);
    });

    test("the allow-list names hosts to imitate without any history", () => {
      const allow = ["*.acmepay.com", "10.0.0.0/8", "db.northwind.example:5432"];
      expect(rulesFor("acmepya.com", allow)).toEqual(["unexpected_egress/imitates-host"]);
      expect(rulesFor("db.norhtwind.example", allow)).toEqual(["unexpected_egress/imitates-host"]);
      expect(rulesFor("x.acmepay.com", allow)).toEqual([]);
    });

    test("simulation runs neither teach nor fire it, tenants of one domain are neighbours", () => {
      const running = { environmentMode: "simulation" };
      expect(play(unexpectedEgress, { events: [REAL, FAKE], running })).toEqual([]);
      const tenants = ["acme.example.com", "acne.example.com", "acmee.example.com"].map((one, i) =>
        egress(one, i),
      );
      expect(play(unexpectedEgress, { events: tenants })).toEqual([]);
    });

    test("hosts kept by an earlier version are compared as well", () => {
      const memory = new TestMemory();
      memory.set("host:api.acmepay.com", 1);
      memory.set("history", { executions: 3, egress: 9, hosts: 1, firstMs: 1 });
      expect(told(play(unexpectedEgress, { events: [FAKE], memory }))).toEqual([EXPECTED]);
    });

    test("512 known hosts and a thousand new ones stay bounded and cheap", () => {
      const memory = new TestMemory();
      const long = (i: number) => `${`${i}-northwind.`.repeat(18)}example${i}.com`.slice(-253);
      play(unexpectedEgress, { events: Array.from({ length: 511 }, (_, i) => egress(long(i), i)), memory });
      const started = threadMs();
      const events = Array.from({ length: 1_000 }, (_, i) => egress(long(10_000 + i), i));
      play(unexpectedEgress, { events, memory, running: { executionId: "two" } });
      expect(threadMs() - started).toBeLessThan(4_000);
      expect(memory.size).toBeLessThanOrEqual(513);
    });
  });

  test("a host new to a project with history fires once in the project", () => {
    const memory = historyOf(12, ["api.example.com"]);
    const [detection, ...rest] = play(unexpectedEgress, { events: [egress("drop.evil.example")], memory });
    expect(rest).toEqual([]);
    expect(detection).toMatchObject({
      ruleIds: ["unexpected_egress/new-host"],
      signatureParts: ["new-host", "evil.example"],
    });
    expect(play(unexpectedEgress, { events: [egress("drop.evil.example")], memory })).toEqual([]);
  });

  test("a project without history, or with hosts that keep changing, has no new hosts", () => {
    expect(
      play(unexpectedEgress, { events: [egress("new.example")], memory: historyOf(3, ["api.example.com"]) }),
    ).toEqual([]);
    const memory = new TestMemory();
    for (let run = 0; run < 40; run++) {
      const events = [egress(`site-${run}.example`), egress("api.example.com", 2)];
      const fired = play(unexpectedEgress, { events, memory, running: { executionId: `run-${run}` } });
      expect(fired).toEqual([]);
    }
  });

  test("a set of many hosts is settled once none has been new for a while", () => {
    const hosts = ["api.example.com", "mail.example", "erp.example", "hooks.example"];
    const meets = (memory: TestMemory, host: string, executionId: string) =>
      play(unexpectedEgress, { events: [egress(host)], memory, running: { executionId } });
    expect(meets(historyOf(10, hosts), "drop.evil.example", "late")).toHaveLength(1);
    const memory = historyOf(10, hosts);
    expect(
      play(unexpectedEgress, {
        events: [egress("a.example")],
        memory,
        thresholds: { quietExecutionsMin: 11 },
      }),
    ).toEqual([]);
    // That host was new: the set is not settled for some runs more.
    for (let run = 0; run < 8; run++) {
      expect(meets(memory.clone(), "drop.evil.example", "late")).toEqual([]);
      expect(meets(memory, hosts[0]!, `after-${run}`)).toEqual([]);
    }
    expect(meets(memory, "drop.evil.example", "late")).toHaveLength(1);
  });

  test("a set of hundreds of hosts settles again after each new one, however many runs there were", () => {
    const hosts = Array.from({ length: 300 }, (_, at) => `site-${at}.example`);
    const memory = historyOf(1, hosts.slice(0, 250));
    play(unexpectedEgress, { events: hosts.slice(250).map(egress), memory });
    const runs = (count: number, name: string) => {
      for (let run = 0; run < count; run++)
        play(unexpectedEgress, {
          events: [egress(hosts[run % 300]!)],
          memory,
          running: { executionId: `${name}-${run}` },
        });
    };
    const meets = (host: string, known = memory) =>
      play(unexpectedEgress, { events: [egress(host)], memory: known, running: { executionId: host } })
        .length;
    runs(1_100, "long");
    expect(meets("one.evil.example")).toBe(1);
    expect(meets("two.evil.example")).toBe(0);
    runs(7, "quiet");
    expect(meets("three.evil.example", memory.clone())).toBe(0);
    runs(1, "eighth");
    expect(meets("three.evil.example")).toBe(1);
  });

  describe("run after run the same few hosts", () => {
    const hosts = ["llm.example", "bank.example", "ledger.int.example", "files.example"];
    const NEW = [egress("paste.evil.example")];
    const fires = (memory: TestMemory, thresholds = {}) =>
      play(unexpectedEgress, { events: NEW, memory, thresholds, running: { executionId: "late" } }).length;

    test("say what a project talks to after five runs, the first of which met them all", () => {
      expect(fires(historyOf(5, hosts))).toBe(1);
      // Whether the run's own contacts came before in another batch or not.
      const memory = historyOf(4, hosts);
      const events = [...hosts, "paste.evil.example"].map(egress);
      for (const arrival of ["together", "singly"] as const)
        expect(play(unexpectedEgress, { events, memory: memory.clone() }, arrival)).toEqual([]);
      const five = historyOf(5, hosts);
      for (const arrival of ["together", "singly"] as const)
        expect(play(unexpectedEgress, { events, memory: five.clone() }, arrival)).toHaveLength(1);
      expect(fires(historyOf(7, ["llm.example", "mail.example"]))).toBe(1);
      expect(fires(historyOf(4, hosts))).toBe(0);
    });

    describe("each run the same route", () => {
      const ROUTE = ["hr.example", "kb.int.example"];
      type Contact = readonly [host: string, tool: string | undefined, bytes: number | undefined];
      const sends = (contacts: readonly Contact[], thresholds = {}, memory = routed()) =>
        contacts.flatMap(([destination, tool_name, bytes_out], at) =>
          play(unexpectedEgress, {
            events: [event("egress", at + 1, { destination, tool_name, bytes_out })],
            memory,
            thresholds,
            running: { executionId: `late-${at}` },
          }),
        ).length;
      function routed(runs = 4, hosts = ROUTE, bytes = 400): TestMemory {
        const memory = new TestMemory();
        for (let run = 0; run < runs; run++) {
          const events = hosts.map((destination, at) =>
            event("egress", at + 1, { destination, tool_name: `tool_${at % 2}`, bytes_out: bytes }),
          );
          expect(play(unexpectedEgress, { events, memory, running: { executionId: `r-${run}` } })).toEqual(
            [],
          );
        }
        return memory;
      }
      const DROP: Contact = ["drop.other.example", "tool_1", 5_000];

      test("after four of them a known tool that takes more to another host fires, once in the project", () => {
        expect(sends([DROP])).toBe(1);
        expect(sends([DROP, ["drop.third.example", "tool_1", 90_000]])).toBe(1);
        expect(sends([DROP], {}, routed(5, [...ROUTE, "chat.example"]))).toBe(1);
        const events = [...ROUTE, "drop.other.example", "drop.third.example"].map((destination, at) =>
          event("egress", at + 1, { destination, tool_name: "tool_0", bytes_out: at < 2 ? 300 : 9_000 * at }),
        );
        for (const arrival of ["together", "singly"] as const)
          expect(play(unexpectedEgress, { events, memory: routed() }, arrival)).toHaveLength(1);
      });

      test("not by a new tool, with no more than usual, to the same site, after fewer runs or of one host", () => {
        expect(sends([["drop.other.example", "tool_new", 5_000]])).toBe(0);
        expect(sends([["drop.other.example", undefined, 5_000]])).toBe(0);
        expect(sends([["drop.other.example", "tool_1", 700]])).toBe(0);
        expect(sends([["drop.other.example", "tool_1", undefined]])).toBe(0);
        expect(
          sends([["files.hr.example", "tool_1", 5_000]], {}, routed(4, ["api.hr.example", "kb.int.example"])),
        ).toBe(0);
        expect(sends([DROP], {}, routed(3))).toBe(0);
        expect(sends([DROP], {}, routed(4, ["hr.example"]))).toBe(0);
        expect(sends([DROP], {}, routed(4, ROUTE, 0))).toBe(0);
        expect(sends([DROP], { steadyExecutionsMin: 6 })).toBe(0);
        expect(sends([DROP], { historyExecutionsMin: 10 })).toBe(0);
        expect(sends([["a.example", "tool_0", 100], DROP])).toBe(0);
      });
    });

    test("not with few contacts, many hosts, one met late, or where the project set its own numbers", () => {
      expect(fires(historyOf(7, ["llm.example"]))).toBe(0);
      expect(fires(historyOf(7, [...hosts, "a.example", "b.example", "c.example", "d.example"]))).toBe(0);
      const late = historyOf(3, hosts);
      for (let run = 0; run < 5; run++) {
        const events = [...hosts, "calendar.example", ...hosts].map((host, at) => egress(host, at));
        expect(
          play(unexpectedEgress, { events, memory: late, running: { executionId: `b-${run}` } }),
        ).toEqual([]);
      }
      expect(fires(late)).toBe(0);
      expect(fires(historyOf(6, hosts), { historyExecutionsMin: 10 })).toBe(0);
      expect(fires(historyOf(6, hosts), { quietExecutionsMin: 8 })).toBe(0);
      expect(fires(historyOf(6, hosts), { steadyExecutionsMin: 8 })).toBe(0);
    });
  });

  test("a history kept by an earlier version counts its quiet runs from then on", () => {
    const memory = historyOf(10, ["api.example.com", "mail.example", "erp.example"]);
    const { newestAt: _, ...earlier } = memory.get("history") as Record<string, unknown>;
    memory.set("history", earlier);
    expect(play(unexpectedEgress, { events: [egress("drop.evil.example")], memory })).toEqual([]);
  });

  test("history can be demanded in minutes", () => {
    const memory = historyOf(12, ["api.example.com"]);
    const thresholds = { historyAgeMinutesMin: 60 };
    expect(
      play(unexpectedEgress, { events: [egress("evil.example")], memory: memory.clone(), thresholds }),
    ).toEqual([]);
    const later = event("egress", 1, { destination: "evil.example" }, { timestampMs: Date.UTC(2026, 0, 9) });
    expect(play(unexpectedEgress, { events: [later], memory, thresholds })).toHaveLength(1);
  });

  test("simulation runs neither teach hosts nor fire the history rule", () => {
    const memory = historyOf(12, ["api.example.com"]);
    for (const environmentMode of ["simulation", "sandbox"])
      expect(
        play(unexpectedEgress, { events: [egress("evil.example")], memory, running: { environmentMode } }),
      ).toEqual([]);
    expect(play(unexpectedEgress, { events: [egress("evil.example")], memory })).toHaveLength(1);
  });

  test("the allow-list silences every rule", () => {
    expect(rulesFor("93.184.216.34", ["93.184.216.0/24"])).toEqual([]);
    expect(rulesFor("xn--mnchen-3ya.de", ["münchen.de"])).toEqual([]);
    expect(rulesFor("169.254.169.254", ["169.254.169.254"])).toEqual([]);
  });

  test("memory holds at most 512 hosts and stops being written once a project is known", () => {
    const memory = new TestMemory();
    const events = Array.from({ length: 2000 }, (_, i) => egress(`h${i}.example`, i + 1));
    play(unexpectedEgress, { events, memory });
    expect(memory.size).toBeLessThanOrEqual(513);
    const before = JSON.stringify([...memory.values]);
    for (let run = 0; run < 1000; run++) {
      play(unexpectedEgress, { events: [egress("h1.example")], memory, running: { executionId: `r${run}` } });
    }
    const known = JSON.stringify([...memory.values]);
    expect(known).not.toBe(before);
    play(unexpectedEgress, { events: [egress("h1.example")], memory, running: { executionId: "one-more" } });
    expect(JSON.stringify([...memory.values])).toBe(known);
  });
});
