import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signatureHeaders } from "../../src/notify/signature.ts";
import { SECRET } from "./fixtures.ts";

/**
 * The snippets that receivers will copy, taken out of the page and run against what the service really signs.
 */
const page = readFileSync(join(import.meta.dir, "../../docs/WEBHOOKS.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "ats-test-doc-"));
afterAll(() => rmSync(folder, { recursive: true }));

function snippet(language: string): string {
  const found = page.match(new RegExp(`^\`\`\`${language} verify\\n(.*?)^\`\`\`$`, "ms"));
  if (!found?.[1]) throw new Error(`docs/WEBHOOKS.md has no snippet in ${language}`);
  return found[1];
}

interface Sample {
  name: string;
  headers: Record<string, string>;
  body: string;
  secret: string;
  /** What `isGenuine` and `isGenuineBody` must answer. */
  expected: [boolean, boolean];
}

const body = '{"event":"failure_group.first_occurrence","text":"ü€😀"}';
const other = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;

function signed(
  options: { ageS?: number; secret?: string; previousSecret?: string } = {},
): Record<string, string> {
  const headers = signatureHeaders({
    deliveryId: "dlv_1",
    timestampS: Math.floor(Date.now() / 1_000) - (options.ageS ?? 0),
    body,
    secret: options.secret ?? SECRET,
    previousSecret: options.previousSecret ?? null,
  });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const samples: Sample[] = [
  { name: "genuine", headers: signed(), body, secret: SECRET, expected: [true, true] },
  { name: "another body", headers: signed(), body: `${body} `, secret: SECRET, expected: [false, false] },
  { name: "another secret", headers: signed(), body, secret: other, expected: [false, false] },
  { name: "too old", headers: signed({ ageS: 3_600 }), body, secret: SECRET, expected: [false, true] },
  {
    name: "the old secret during a rotation",
    headers: signed({ secret: other, previousSecret: SECRET }),
    body,
    secret: SECRET,
    expected: [true, false],
  },
  {
    name: "the new secret during a rotation",
    headers: signed({ secret: other, previousSecret: SECRET }),
    body,
    secret: other,
    expected: [true, true],
  },
  { name: "no headers", headers: {}, body, secret: SECRET, expected: [false, false] },
  {
    name: "nonsense for headers",
    headers: { "webhook-timestamp": "now", "webhook-signature": "v1, ü", "x-service-signature": "sha256=é" },
    body,
    secret: SECRET,
    expected: [false, false],
  },
  {
    name: "another id",
    headers: { ...signed(), "webhook-id": "dlv_2" },
    body,
    secret: SECRET,
    expected: [false, true],
  },
];

describe("the TypeScript snippet", async () => {
  const path = join(folder, "verify.ts");
  writeFileSync(path, snippet("ts"));
  const verify: {
    isGenuine(headers: Headers, body: string, secret: string): boolean;
    isGenuineBody(headers: Headers, body: string, secret: string): boolean;
  } = await import(path);
  for (const sample of samples) {
    test(sample.name, () => {
      // A header field holds bytes, not characters beyond them.
      const headers = new Headers(sample.headers);
      expect([
        verify.isGenuine(headers, sample.body, sample.secret),
        verify.isGenuineBody(headers, sample.body, sample.secret),
      ]).toEqual(sample.expected);
    });
  }
});

const python = Bun.which("python3");
if (python === null && process.env.CI) throw new Error("python3 is needed to run the page's snippet");
if (python === null) console.warn("skipped: no python3 to run the page's snippet with");

describe.skipIf(python === null)("the Python snippet", () => {
  test("answers every sample as the TypeScript one does", () => {
    const path = join(folder, "verify.py");
    writeFileSync(
      path,
      [
        snippet("python"),
        "import json, sys",
        "samples = json.load(sys.stdin)",
        "print(json.dumps([[check(s['headers'], s['body'].encode(), s['secret'])",
        "    for check in (is_genuine, is_genuine_body)] for s in samples]))",
      ].join("\n"),
    );
    const ran = Bun.spawnSync([python ?? "python3", path], { stdin: Buffer.from(JSON.stringify(samples)) });
    expect(ran.stderr.toString()).toBe("");
    const answers: [boolean, boolean][] = JSON.parse(ran.stdout.toString());
    expect(samples.map(({ name }, index) => [name, ...answers[index]!])).toEqual(
      samples.map(({ name, expected }) => [name, ...expected]),
    );
  });
});
