import { expect, test } from "bun:test";
import { clientAddressBy } from "./peer.ts";

test("without trusted proxies the connection says who it is, whatever a header says", () => {
  const client = clientAddressBy([]);
  expect(client("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
  expect(client("::ffff:203.0.113.7", null)).toBe("203.0.113.7");
  expect(client("2001:db8::7", null)).toBe("2001:db8::7");
  expect(client(undefined, "198.51.100.1")).toBe("unknown");
});

test("a trusted proxy is believed about its client, and that one about nobody", () => {
  const client = clientAddressBy(["10.0.0.0/8", "fd00::/8"]);
  expect(client("10.1.2.3", "198.51.100.1")).toBe("198.51.100.1");
  expect(client("::ffff:10.1.2.3", "198.51.100.1")).toBe("198.51.100.1");
  expect(client("10.1.2.3", "192.0.2.66, 198.51.100.1")).toBe("198.51.100.1");
  expect(client("10.1.2.3", "192.0.2.66, 198.51.100.1, 10.9.9.9, fd00::1")).toBe("198.51.100.1");
  expect(client("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
});

test("hops are read with ports and brackets; what is no address ends the chain", () => {
  const client = clientAddressBy(["10.0.0.0/8"]);
  expect(client("10.1.2.3", "198.51.100.1:4711")).toBe("198.51.100.1");
  expect(client("10.1.2.3", " [2001:db8::7]:443 ")).toBe("2001:db8::7");
  for (const nothing of ["unknown", "", ",", "_hidden", "198.51.100.1.evil", "999.1.1.1", "x".repeat(9000)])
    expect(client("10.1.2.3", nothing)).toBe("10.1.2.3");
  expect(client("10.1.2.3", null)).toBe("10.1.2.3");
  expect(client("10.1.2.3", "198.51.100.1, unknown, 10.0.0.9")).toBe("10.0.0.9");
});
