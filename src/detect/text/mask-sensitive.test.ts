import { expect, test } from "bun:test";
import { maskSensitive } from "./mask-sensitive.ts";

/** Put together here, so that scanners of this repository find nothing. */
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6";

test.each([
  [`-----BEGIN RSA PRIVATE KEY-----\n${mixed}\n${mixed}`, "[private key]"],
  ["postgres://ann:pw@db.example/x", "postgres://[login] db.example/x"],
  ["pwd is set, password=x1", "pwd is set, password=[masked]"],
  ["api key: abc; token = 'short'", "api key: [masked]; token = '[masked]'"],
  ["Authorization: Bearer abc", "Authorization: Bearer [masked]"],
  ["the password correcthorse", "the password [masked]"],
  ["Bearer abcdefgh", "Bearer [masked]"],
  ["token hunter22", "token [masked]"],
  ["write to ann.b+c@mail.example and jörg@host", "write to [email] and [email]"],
  ["pay DE89 3704 0044 0532 0130 00", "pay [account]"],
  ["pay gb82west12345698765432", "pay [account]"],
  [`key ghp_${mixed}.`, "key [masked]."],
  [`jwt ${mixed}.${mixed}.${mixed}`, "jwt [masked]"],
  [`/very/long/path/of/a/file/before/the/secret/${mixed}`, "[masked]"],
  ["card 4111 1111 1111 1111, phone +1 (555) 123-4567", "card [number], phone [number]"],
  ["call 06.12.34.56.78 or 555.123.4567", "call [number] or [number]"],
  [`to ${mixed}.evil.example`, "to [masked].evil.example"],
])("%j becomes %j", (text, expected) => {
  expect(maskSensitive(text)).toBe(expected);
});

test.each([
  "token expired, credentials missing, the secret ingredient",
  "tests pass without changes",
  "egress to 169.254.169.254 after 10.0.0.1",
  "egress to s3.us-east-1.amazonaws.com",
  "psycopg2.errors.UniqueViolation: duplicate",
  "tool get_reservation_details_for_customer",
  "score 0.8571428571428571, usual 0.913",
  "id42 was called seventeen times",
  "17 of 20 calls in 123456 ms",
])("%j stays", (text) => {
  expect(maskSensitive(text)).toBe(text);
});

test("a card behind an address is still a card", () => {
  expect(maskSensitive("10.20.30.40 4111 1111 1111 1111")).toBe("10.20.30.40 [number]");
});
