import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseDestination, siteOf, unicodeTrick } from "./normalise-host.ts";

const kindOf = (raw: string) => parseDestination(raw).kind;

describe("parseDestination", () => {
  test("splits host and port and canonicalises the host", () => {
    const cases: [string, string, number | null][] = [
      ["Example.COM:443", "example.com", 443],
      ["example.com.", "example.com", null],
      ["[2001:DB8::0001]:53", "2001:db8::1", 53],
      ["2001:db8::1", "2001:db8::1", null],
      ["münchen.de:80", "xn--mnchen-3ya.de", 80],
      ["127.1:80", "127.0.0.1", 80],
      ["example.com:99999", "example.com", null],
      ["my_host:1", "my_host", 1],
    ];
    for (const [raw, host, port] of cases) expect(parseDestination(raw)).toMatchObject({ host, port });
  });

  test("knows the kinds of addresses, also inside IPv6", () => {
    const kinds: [string, string][] = [
      ["127.0.0.1", "loopback"],
      ["0.0.0.0", "loopback"],
      ["[::]", "loopback"],
      ["[::ffff:127.0.0.1]:1", "loopback"],
      ["a.localhost", "loopback"],
      ["169.254.1.1", "link-local"],
      ["[fe80::1]", "link-local"],
      ["172.31.255.255", "private"],
      ["172.32.0.0", "public-ip"],
      ["100.64.0.1", "private"],
      ["[fc00::1]", "private"],
      ["[64:ff9b::a9fe:a9fe]", "metadata"],
      ["[2002:a9fe:a9fe::1]", "metadata"],
      ["8.8.8.8", "public-ip"],
      ["example.com", "name"],
      ["localhost.example.com", "name"],
      ["127.0.0.1.example.com", "name"],
    ];
    for (const [raw, kind] of kinds) expect([raw, kindOf(raw)]).toEqual([raw, kind]);
  });

  test("answers any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (raw) => {
        const { host, port } = parseDestination(raw);
        expect(host.length).toBeLessThanOrEqual(1200);
        expect(port === null || (port >= 0 && port < 65_536)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    for (const raw of ["", ":", "::", "[", "]", "[]", "[::1", "a:b:c:d", ":80", "%", "xn--", "xn--a.com"]) {
      expect(typeof parseDestination(raw).host).toBe("string");
    }
  });
});

describe("siteOf", () => {
  test("is the registered part of a name and the kind of an address", () => {
    const site = (raw: string) => siteOf(parseDestination(raw));
    expect(site("a.b.example.com")).toBe("example.com");
    expect(site("x.example.co.uk")).toBe("example.co.uk");
    expect(site("co.uk")).toBe("co.uk");
    expect(site("intranet")).toBe("intranet");
    expect(site("8.8.8.8:53")).toBe("public-ip");
  });
});

describe("unicodeTrick", () => {
  test("tells imitations from foreign names", () => {
    expect(unicodeTrick("example.com")).toBeNull();
    expect(unicodeTrick(parseDestination("аррӏе.com").host)).toBe("homoglyph");
    expect(unicodeTrick(parseDestination("сосо.рф").host)).toBe("punycode");
    expect(unicodeTrick(parseDestination("gοοgle.com").host)).toBe("homoglyph");
    expect(unicodeTrick(parseDestination("пример.рф").host)).toBe("punycode");
    expect(unicodeTrick(parseDestination("日本.jp").host)).toBe("punycode");
  });
});
