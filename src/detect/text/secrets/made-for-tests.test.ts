import { describe, expect, test } from "bun:test";
import { eventAt, fires } from "../../../../test/support/detector-harness.ts";
import { secretExposure } from "../../detectors/secret-exposure.ts";

/** Put together here, so that scanners of this repository find nothing. */
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6";
const keyPair = `-----BEGIN ${"PRIVATE KEY"}-----\nMIIEvQIBADANBgkq${mixed}\n${mixed}\n-----END ${"PRIVATE KEY"}-----`;
const ofVendor = `token = "${["ghp", mixed].join("_")}"`;
const own = `api_key = "${mixed}"`;

const read = (args: unknown, result: string, tool = "read_file"): boolean =>
  fires(secretExposure, [
    eventAt(1, "tool_call", { tool_name: tool, call_id: "c1", arguments: args, result }),
  ]);

describe("keys of a program's tests", () => {
  test.each([
    [{ path: "tests/certs/server/server.key" }, keyPair],
    [{ path: "/srv/app/src/test/resources/ca.pem" }, keyPair],
    [{ file_path: "pkg/cookies/cookies_suite_test.go" }, own],
    [{ path: "spec\\fixtures\\key.pem" }, keyPair],
    [{ path: "hack/test.env" }, own],
    [{ path: "/srv/app/.env.test" }, own],
    [{ command: "cat ./testdata/valid.key test/fixture/other.key" }, keyPair],
    [JSON.stringify({ path: "tests/certs/server/server.key" }), keyPair],
    [{ url: "https://git.shop.example/raw/main/tests/tls/client.key" }, keyPair],
  ])("%j", (args, result) => expect(read(args, result)).toBe(false));

  test.each([
    [{ path: "config/certs/server.key" }, keyPair],
    [{ path: "contest/latest/server.key" }, keyPair],
    [{ path: "/srv/app/.env.attest" }, own],
    [{ command: "cat tests/certs/server.key ~/.ssh/id_ed25519" }, keyPair],
    [{ path: "tests/client.ts" }, ofVendor],
    [{ path: "tests/client.ts" }, `${own}\n${ofVendor}`],
    [{ query: "tests" }, keyPair],
    [undefined, keyPair],
  ])("not %j", (args, result) => expect(read(args, result)).toBe(true));

  test("what the agent writes or sends counts wherever it says that it belongs", () => {
    expect(read({ path: "tests/certs/server.key", content: keyPair }, "ok", "write_file")).toBe(true);
  });
});
