import { expect, test } from "bun:test";
import { signatureHeaders } from "./signature.ts";

/**
 * Expected values made with `openssl dgst -sha256 -mac HMAC` and Python's hmac, not with the code under test.
 */
const input = {
  deliveryId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestampS: 1_614_265_330,
  body: '{"test": 2432232314}',
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  previousSecret: null,
};

test("signs as the Standard Webhooks specification's own example does", () => {
  expect(signatureHeaders(input)["webhook-signature"]).toBe(
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test("X-Service-Signature is the hex HMAC of the exact bytes, keyed with the secret as shown", () => {
  const headers = signatureHeaders({ ...input, body: '{"text":"ü€😀"}' });
  expect(headers["X-Service-Signature"]).toBe(
    "sha256=f103dd902b472e862e8f485521b01d600f8b6893790d1549531aad2d7b0c4756",
  );
});

test("during a rotation both secrets sign the standard header, the new one first", () => {
  const previousSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const rotated = signatureHeaders({ ...input, previousSecret });
  const old = signatureHeaders({ ...input, secret: previousSecret });
  const current = signatureHeaders(input);
  expect(rotated["webhook-signature"]).toBe(`${current["webhook-signature"]} ${old["webhook-signature"]}`);
  expect(rotated["X-Service-Signature"]).toBe(current["X-Service-Signature"]!);
});
