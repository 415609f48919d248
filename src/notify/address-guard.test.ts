import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { judgeAddress, parseNetworks, resolveTarget } from "./address-guard.ts";

const none = parseNetworks([]);

describe("judgeAddress", () => {
  const refused = [
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00:ec2::254"],
    ["link-local and metadata", "169.254.169.254", "169.254.170.2", "fe80::1", "fec0::1", "168.63.129.16"],
    ["carrier-grade NAT", "100.64.0.1", "100.100.100.200", "100.127.255.255"],
    ["multicast and broadcast", "224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"],
    ["unspecified and this network", "0.0.0.0", "0.1.2.3", "::"],
    ["reserved", "240.0.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
    ["reserved IPv6", "2001:db8::1", "100::1", "4000::1", "5f00::1", "3fff::1", "2001::1", "2001:20::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1"],
    ["IPv4-compatible", "::127.0.0.1", "::10.0.0.1", "::8.8.8.8"],
    ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::8.8.8.8", "64:ff9b:1:0:a00:1::"],
    ["6to4", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:c0a8:101::1"],
    ["zones", "fe80::1%eth0", "2606:4700::1%lo"],
    ["no address", "", "localhost", "0x7f000001", "2130706433", "0177.0.0.1", "127.1", "1.2.3.4.5", "1.2.3"],
  ] as const;
  for (const [name, ...addresses] of refused) {
    test(`refuses ${name}`, () => {
      for (const address of addresses)
        expect([address, judgeAddress(address, none).allowed]).toEqual([address, false]);
    });
  }

  test("says why in words", () => {
    const reasons = ["10.0.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "fd00::1", "168.63.129.16"].map(
      (address) => judgeAddress(address, none),
    );
    expect(reasons.map((judgement) => judgement.allowed || judgement.reason)).toEqual([
      "a private address",
      "a link-local address",
      "an unspecified address",
      "a carrier-grade-nat address",
      "a unique-local address",
      "a metadata address",
    ]);
  });

  test("lets public addresses pass, also inside a translation prefix", () => {
    for (const address of [
      "8.8.8.8",
      "172.32.0.1",
      "100.128.0.1",
      "2606:4700:4700::1111",
      "64:ff9b::8.8.8.8",
      "2002:808:808::1",
      "::ffff:8.8.8.8",
    ]) {
      expect([address, judgeAddress(address, none)]).toEqual([address, { allowed: true }]);
    }
  });

  test("lets an address pass that the operator names, and only that", () => {
    const networks = parseNetworks(["127.0.0.0/8", " ::1/128 ", "10.1.0.0/16"]);
    for (const address of ["127.0.0.1", "::1", "10.1.2.3", "::ffff:10.1.2.3"]) {
      expect([address, judgeAddress(address, networks).allowed]).toEqual([address, true]);
    }
    for (const address of ["10.2.0.1", "::2", "169.254.169.254"]) {
      expect([address, judgeAddress(address, networks).allowed]).toEqual([address, false]);
    }
  });

  test("never lets an IPv4 address pass in disguise that it refuses in the open", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const plain = judgeAddress(`${a}.${b}.${c}.${d}`, none).allowed;
        const hex = (high: number, low: number) => (high * 256 + low).toString(16);
        for (const disguise of [
          `::ffff:${a}.${b}.${c}.${d}`,
          `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
          `2002:${hex(a, b)}:${hex(c, d)}::1`,
        ]) {
          expect(judgeAddress(disguise, none).allowed).toBe(plain);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("parseNetworks", () => {
  test("names the entry that is no network", () => {
    expect(() => parseNetworks(["10.0.0.0/8", "10.0.0.1"])).toThrow('"10.0.0.1"');
    expect(() => parseNetworks(["10.0.0.0/33"])).toThrow("10.0.0.0/33");
    expect(() => parseNetworks(["::1/129"])).toThrow("::1/129");
  });
});

describe("resolveTarget", () => {
  const resolveTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? (6 as const) : (4 as const) }));

  test("refuses a name when any of its addresses is refused", async () => {
    const target = await resolveTarget({
      hostname: "hook.example",
      allowedNetworks: none,
      resolve: resolveTo("8.8.8.8", "127.0.0.1"),
    });
    expect(target).toEqual({ kind: "refused", reason: "the host leads to a loopback address" });
  });

  test("refuses a name without addresses", async () => {
    const target = await resolveTarget({
      hostname: "hook.example",
      allowedNetworks: none,
      resolve: resolveTo(),
    });
    expect(target.kind).toBe("refused");
  });

  test("never resolves a literal, whatever form the URL gave it", async () => {
    const neverResolve = () => Promise.reject(new Error("resolved"));
    for (const url of [
      "http://127.0.0.1/",
      "http://127.1/",
      "http://2130706433/",
      "http://0x7f.0.0.1/",
      "http://0177.0.0.1/",
      "http://127.0.0.1./",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://①②⑦.0.0.1/",
    ]) {
      const { hostname } = new URL(url);
      const target = await resolveTarget({ hostname, allowedNetworks: none, resolve: neverResolve });
      expect([url, target.kind]).toEqual([url, "refused"]);
    }
  });
});
