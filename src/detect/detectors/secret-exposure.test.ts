import { describe, expect, test } from "bun:test";
import { describeTextDetector, eventAt, probe } from "../../../test/support/detector-harness.ts";
import { secretExposure } from "./secret-exposure.ts";

/** Put together here, so that scanners of this repository find nothing. */
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6";
const GITHUB = `ghp_${mixed}`;
const AWS = `AKIA${"Q3EGXJ5LWTRV2ZKN"}`;
const digits = "7c1d9e04b2f86a35c0d7e91f4b6a2830d5c7f1e9";
const mark = (front: string, body: string): string => front + body;
/** Each but the address is none when it is too short by twelve characters. */
const OTHER_FORMATS: readonly string[] = [
  mark("dckr_pat_", mixed.slice(0, 27)),
  mark("figd_", `${mixed}_Qz7`.slice(0, 40)),
  mark("sbp_", digits),
  mark("tskey-auth-", `k${mixed.slice(0, 10)}CNTRL-${mixed.slice(0, 24)}`),
  mark("lsv2_pt_", `${digits.slice(0, 32)}_${digits.slice(0, 10)}`),
  mark("nfp_", mixed),
  mark("bkua_", digits),
  mark("CCIPAT_", `${mixed.slice(0, 22)}_${digits}`),
  mark("AccountName=a;AccountKey=", `${mixed}${mixed}${mixed.slice(0, 14)}==`),
  mark("discord bot MTE4NzY1NDMyMTA5ODc2NTQzMg.GhJ3kL.", `${mixed}aB`),
  mark("redis://:", `${mixed.slice(0, 22)}@cache.shop.example:6379/0`),
];
/** What the storage emulator's manual gives everybody. */
const EMULATOR = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const tool = (result: unknown) => [eventAt(1, "tool_call", { tool_name: "read_file", result })];

const token = (payload: unknown): string =>
  [{ alg: "HS256", typ: "JWT" }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(mixed)
    .join(".");
const keyBlock = (body: string): string =>
  `-----BEGIN ${"RSA PRIVATE KEY"}-----\n${body}\n-----END ${"RSA PRIVATE KEY"}-----`;

describe("secret_exposure", () => {
  describeTextDetector(secretExposure, {
    positive: tool(`export GITHUB_TOKEN=${GITHUB}`),
    positives: [
      tool({ config: { aws_access_key_id: AWS } }),
      ...OTHER_FORMATS.map((value) => tool(`TOKEN=${value}`)),
      tool(`postgres://app:s3cr3tPassw0rd@db.internal:5432/x`),
      tool(
        `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpQIBAAKCAQEAn6O8li4Xm98LLYtPKSzEmQZBD7Loh9P13f4yQ92EF3yxR5Ms"}\n`,
      ),
      tool(`curl -H "Authorization: Bearer ${mixed}" https://api.example.com`),
      [eventAt(1, "llm_call", { output: `the key is sk_live_${mixed.slice(0, 24)}` })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["API_KEY"], count: 2 })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["AZURE_STORAGE_CONNECTION_STRING"], count: 1 })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["API_KEY"], count: 1, action: "blocked" })],
      [eventAt(1, "exception", { message: `denied for ${GITHUB}` })],
      tool(`client_secret: ${mixed}`),
      tool(token({ sub: "4711", exp: 1_900_000_000 })),
      tool(`https://files.example/report?key=${AWS}&part=1`),
    ],
    negatives: [
      ...OTHER_FORMATS.filter((value) => !value.includes("@")).map((value) =>
        tool(`seen ${value.slice(0, -12)}`),
      ),
      tool(`AccountName=devstoreaccount1;AccountKey=${EMULATOR};`),
      tool(`redis://:password@localhost:6379/0 and redis://:$${"{"}REDIS_PASSWORD}@cache.example:6379/0`),
      tool("lsv2_pt_ tokens, tskey-auth-… keys and figd_… tokens go into the vault"),
      tool("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
      tool(`Set GITHUB_TOKEN=$${"{{"} secrets.GITHUB_TOKEN }} in the workflow.`),
      tool("commit 9a038989604e8da62ecddbe2094b16ce1b778be1"),
      tool('"password": "hunter2-hunter2"'),
      tool(`"ARN": "arn:aws:secretsmanager:eu-west-1:210987654321:secret:orders/db-Q7x2Lm"`),
      tool(`https://files.example/report?X-Amz-Credential=${AWS}%2F20260101%2Feu-west-1%2Fs3`),
      tool(token({ greeting: "hello", from: "the manual" })),
      tool(keyBlock("the key itself is left out of this manual for reasons of safety, as always")),
      tool("postgres://someuser:somepassword@somehost:5432/somedb"),
      tool("return {'type': 'service_account', 'client_id': self.client_id}"),
      tool('curl -u "$USER:$PASSWORD" https://example.com'),
      tool('curl -H "Authorization: Bearer YOUR_CREW_TOKEN" https://api.example.com'),
      tool("curl --header 'Authorization: Bearer my-new-key' https://api.example.com"),
      tool({ tokens_in: 120, access_id: "e8e4df51-2054-49b0-ab1c-516ac95c691d" }),
      [eventAt(1, "dlp_scan_result", { entity_types: ["EMAIL_ADDRESS"], count: 1 })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["API_KEY"], count: 0 })],
    ],
  });

  test("the value stands nowhere in the detection, a fingerprint does", () => {
    const { detections } = probe(secretExposure, [tool(`token ${GITHUB} and again ${AWS}`)]);
    const text = JSON.stringify(detections);
    expect(text).not.toContain(mixed);
    expect(text).not.toContain(AWS);
    expect(detections[0]?.excerpt).toMatch(/<github-token [0-9a-f]{12}>/);
  });

  test("a key has one fingerprint however its lines are written", () => {
    const text = keyBlock(`MIIEpQIBAAKCAQEA${mixed}\n${mixed}${mixed}`);
    const marks = [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text }))].map(
      (written) =>
        /<private-key \w+>/.exec(probe(secretExposure, [tool(written)]).detections[0]?.excerpt ?? "")?.[0],
    );
    expect(marks[0]).toBeDefined();
    expect(new Set(marks).size).toBe(1);
  });

  test("a tutorial's token is nobody's, a signed one of somebody is", () => {
    const countOf = (claims: object) =>
      probe(secretExposure, [tool(`It reads ${token(claims)} then.`)]).detections.length;
    expect(countOf({ sub: "1234567890", name: "John Doe", iat: 1_516_239_022 })).toBe(0);
    expect(countOf({ sub: "ann", iat: 1_516_239_022 })).toBe(1);
  });

  test("passwords in assignments are reported on request", () => {
    const events = tool('"password": "Tr0ub4dor&3xyz!"');
    expect(probe(secretExposure, [events], { passwords: 1 }).detections).toHaveLength(1);
  });
});

describe("the token of a session that the agent opened", () => {
  const session = mixed.slice(4, 30).toLowerCase();
  const call = (tool_name: string, payload: object) => [eventAt(1, "tool_call", { tool_name, ...payload })];
  const countOf = (events: ReturnType<typeof call>) => probe(secretExposure, [events]).detections.length;

  test.each([
    ["a login's", call("login", { result: { token: session } })],
    ["a text of it", call("GetUserToken", { result: JSON.stringify({ token: session }) })],
    ["a registration's", call("registerUser", { result: JSON.stringify({ access_token: session }) })],
    ["a signed one", call("auth.sign_in", { result: { jwt: token({ sub: "ann", exp: 1 }) } })],
    ["what the next call takes", call("add_agenda", { arguments: { token: session, content: "Lunch" } })],
    ["the same in a text", call("add_agenda", { arguments: JSON.stringify({ token: session }) })],
  ])("is none: %s", (_name, events) => expect(countOf(events)).toBe(0));

  test.each([
    ["read from a file", call("read_file", { result: { token: session } })],
    ["from a store of secrets", call("get_api_token", { result: { token: session } })],
    ["a key beside it", call("login", { result: { token: session, api_key: mixed } })],
    ["a key of a known format", call("login", { result: { token: GITHUB } })],
    ["a key that a call takes", call("add_agenda", { arguments: { token: GITHUB } })],
    ["in a message", call("send_email", { arguments: { token: session } })],
    ["in a command", call("bash", { arguments: { command: `export API_TOKEN=${session}` } })],
    ["in a text that a call takes", call("add_note", { arguments: { note: `my token: ${session}` } })],
    ["in an answer", [eventAt(1, "llm_call", { output: `Your token: ${session}` })]],
  ])("counts %s", (_name, events) => expect(countOf(events)).toBe(1));
});
