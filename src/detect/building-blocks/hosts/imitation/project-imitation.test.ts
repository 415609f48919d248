import { describe, expect, test } from "bun:test";
import { registeredOf } from "./name-shapes.ts";
import { imitatedAmong } from "./project-imitation.ts";

const KNOWN = [
  "api.acmepay.com",
  "files.northwind.co.uk",
  "ledger.io",
  "orders-acme.net",
  "cdn0.net",
  "intranet",
];
const imitated = (host: string, known: readonly string[] = KNOWN) => imitatedAmong(host, known);

describe("imitatedAmong", () => {
  test.each([
    ["api.acmeppay.com", "api.acmepay.com"],
    ["acmepya.com", "api.acmepay.com"],
    ["api.acmep4y.com", "api.acmepay.com"],
    ["api.acmepay.co", "api.acmepay.com"],
    ["api.acmepay.cm", "api.acmepay.com"],
    ["api-acmepay.com", "api.acmepay.com"],
    ["acme-pay.com", "api.acmepay.com"],
    ["acmepay.com.evil.example", "api.acmepay.com"],
    ["acmepay.com-login.example", "api.acmepay.com"],
    ["xacmepay.com.acmepay.com.evil.example", "api.acmepay.com"],
    ["acme.pay.com", "api.acmepay.com"],
    ["files.northvvind.co.uk", "files.northwind.co.uk"],
    ["1edger.io", "ledger.io"],
    ["ordersacme.net", "orders-acme.net"],
  ])("%s: %s", (host, expected) => {
    expect(imitated(host)).toBe(expected);
  });

  test.each([
    "api.acmepay.com",
    "other.acmepay.com",
    "acmepay.io",
    "acmepay.com.au",
    "acmepays.com",
    "acmepay2.com",
    "acmepaycdn.com",
    "bcmepay.com",
    "northwind.com",
    "cdn1.net",
    "acmepay.com.s3.amazonaws.com",
    "acmepay.com.edgekey.net",
    "acmepay.com.svc.cluster.local",
    "openai.com",
    "intranat",
    "evil.example",
  ])("%s imitates none of them", (host) => {
    expect(imitated(host)).toBeNull();
  });

  test("tenants, regions and numbered machines below one registered domain are neighbours", () => {
    expect(imitated("acne.example.com", ["acme.example.com"])).toBeNull();
    expect(imitated("node-01.example.com", ["node-02.example.com"])).toBeNull();
    expect(imitated("db.eu-west-1.example.net", ["db.eu-west-2.example.net"])).toBeNull();
    expect(imitated("mail.internal.corp.com", ["mail.internal.corp"])).toBeNull();
    expect(imitated("acne.vercel.app", ["acme.vercel.app"])).toBeNull();
    expect(imitated("s3.eu-west-1.amazonaws.com", ["s3.eu-west-2.amazonaws.com"])).toBeNull();
    // The site is known, so its further hosts are no strangers even where one of them resembles another site.
    expect(imitated("a.nordwind.example", ["nortwind.example", "b.nordwind.example"])).toBeNull();
  });
});

describe("registeredOf", () => {
  test("is what was registered, by two labels or three", () => {
    const domain = (host: string) => registeredOf(host)?.domain ?? null;
    expect(domain("a.b.example.com")).toBe("example.com");
    expect(domain("x.example.co.uk")).toBe("example.co.uk");
    expect(domain("example.com.au")).toBe("example.com.au");
    expect(domain("api.x.ai")).toBe("x.ai");
    expect(domain("co.uk")).toBe("co.uk");
    expect(domain("intranet")).toBeNull();
    expect(domain(".com")).toBeNull();
  });
});
