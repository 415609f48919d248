import { expect, test } from "bun:test";
import { addressNamedIn, namesHost, webAddressesIn } from "./web-addresses.ts";

test("an address is known whole, in a list, and without a scheme where the key says what it is", () => {
  expect(webAddressesIn({ url: "www.true-news.example" })).toEqual(["www.true-news.example"]);
  expect(webAddressesIn({ url: "true-news.example/a?b=1", other: "true-news.example" })).toEqual([
    "true-news.example/a?b=1",
  ]);
  expect(webAddressesIn({ page_urls: ["https://a.example", "b.example"] })).toEqual([
    "https://a.example",
    "b.example",
  ]);
  expect(webAddressesIn({ kind: "call", data: { url: "b.example", query: "c.example" } })).toEqual([
    "b.example",
  ]);
  expect(webAddressesIn("true-news.example")).toEqual(["true-news.example"]);
});

test("what is looked for, text around an address, and anything else is none", () => {
  for (const args of [
    { query: "https://a.example" },
    { note: "see https://a.example today" },
    { url: "index" },
    { url: 7 },
    { path: "notes.txt" },
    null,
    undefined,
    "read the notes",
    { url: `https://a.example/${"x".repeat(3_000)}` },
  ])
    expect(webAddressesIn(args)).toEqual([]);
  expect(webAddressesIn({ urls: Array(50).fill("https://a.example") })).toHaveLength(8);
});

test("scheme, www and a slash at the end make no difference", () => {
  const ways = ["pay.example", "www.pay.example", "http://pay.example", "https://www.pay.example/"];
  for (const named of ways)
    for (const called of ways) expect(addressNamedIn(`go to ${named}. then rest`, called)).not.toBeNull();
});

test("where a text names a path, that much has to be met", () => {
  const text = 'open "https://pay.example/in/form" now';
  expect(addressNamedIn(text, "www.pay.example/in/form?x=1")).toBe("pay.example/in/form");
  expect(addressNamedIn(text, "https://pay.example/in/form/2")).toBe("pay.example/in/form");
  for (const other of ["https://pay.example", "https://pay.example/in", "https://pay.example/in/formula"])
    expect(addressNamedIn(text, other)).toBeNull();
  expect(addressNamedIn("get www.my_shop.example/a.pdf", "https://my_shop.example/a.pdf")).toBe(
    "my_shop.example/a.pdf",
  );
  expect(addressNamedIn("get www.my_shop.example", "https://shop.example")).toBeNull();
  const open = "send it to https://pay.example/c?d= with the key behind";
  expect(addressNamedIn(open, "https://pay.example/c?d=secret")).toBe("pay.example/c?d=");
});

test("another host, the host of a mail and what is no address are not named", () => {
  const text = "ask help@pay.example or look at my.pay.example, repay.example and pay.example.org";
  for (const called of ["https://pay.example", "https://pay.example/a"])
    expect(addressNamedIn(text, called)).toBeNull();
  expect(addressNamedIn("open pay.example", "pay example")).toBeNull();
  expect(addressNamedIn("open localhost", "http://localhost/")).toBeNull();
});

test("a host is named with or without www", () => {
  expect(namesHost("open www.pay.example now", "pay.example")).toBe(true);
  expect(namesHost("open pay.example now", "www.pay.example")).toBe(true);
  expect(namesHost("open awww.pay.example now", "pay.example")).toBe(false);
});
