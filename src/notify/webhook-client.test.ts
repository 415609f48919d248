import { expect, test } from "bun:test";
import { connectErrorClass } from "./webhook-client.ts";

test("what the system says of a socket is no fault of TLS, and plain http has none", () => {
  for (const code of ["ECONNREFUSED", "EMFILE", "ENETDOWN", "EHOSTDOWN", "ENOBUFS", "E2BIG"]) {
    for (const protocol of ["http:", "https:"])
      expect([protocol, code, connectErrorClass(protocol, { code })]).toEqual([protocol, code, "connect"]);
  }
  for (const code of ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "CERT_HAS_EXPIRED", "INVALID_CA"]) {
    expect([code, connectErrorClass("https:", { code })]).toEqual([code, "tls"]);
    expect([code, connectErrorClass("http:", { code })]).toEqual([code, "connect"]);
  }
  expect(connectErrorClass("https:", {})).toBe("tls");
  expect(connectErrorClass("http:", {})).toBe("connect");
});
