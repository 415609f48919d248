import { expect, test } from "bun:test";
import fc from "fast-check";
import { isDestination } from "./destination.ts";

const label = fc.stringMatching(/^[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,20}[a-zA-Z0-9_])?$/);
const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const suffix = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
);
const address = fc.oneof(
  host,
  fc.ipV4(),
  fc.ipV6().map((ip) => `[${ip}]`),
);

test("every host, IPv4 and bracketed IPv6 with or without a port is a destination", () => {
  fc.assert(fc.property(address, suffix, (name, port) => expect(isDestination(`${name}${port}`)).toBe(true)));
});

test("whatever carries a scheme, a path, a query, credentials or white space is none", () => {
  const added = fc.constantFrom(
    "/",
    "/v1/keys",
    "?token=1",
    "#a",
    "\\",
    " ",
    "\n",
    "\0",
    "%2f",
    ":",
    ":x",
    "::1",
  );
  const ahead = fc.constantFrom("https://", "//", "user@", "user:secret@", "/", " ", ".", "-", "file://");
  fc.assert(
    fc.property(address, suffix, added, ahead, (name, port, behind, before) => {
      expect(isDestination(`${name}${port}${behind}`)).toBe(false);
      expect(isDestination(`${before}${name}${port}`)).toBe(false);
    }),
  );
});

test("no text of characters that only URLs have is ever taken", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.constantFrom("/", "?", "#", "@", "\\", "&", "="),
      (a, b, c) => {
        expect(isDestination(`${a}${c}${b}`)).toBe(false);
      },
    ),
  );
});

test.each([
  ["example.com", true],
  ["münchen.example:443", true],
  ["localhost", true],
  ["db_1:5432", true],
  ["example.com.", true],
  ["[::1]:8080", true],
  ["[fe80::1%eth0]", true],
  ["", false],
  [":443", false],
  ["a..b", false],
  ["example.com:0", false],
  ["example.com:65536", false],
  ["example.com:", false],
  ["::1", false],
  ["[::1", false],
  ["[1.2.3.4]", false],
  ["[:::]", false],
  ["a".repeat(300), false],
] as const)("%j: %p", (text, expected) => {
  expect(isDestination(text)).toBe(expected);
});
