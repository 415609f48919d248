import { describe, expect, test } from "bun:test";
import { scanText } from "../scan/scan-text.ts";
import { findSecrets } from "./find-secrets.ts";

/** Put together here, so that scanners of this repository find nothing. */
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6xJ9kL2nM5qR8sU1w";
const hex = "7c1d9e04b2f86a35c0d7e91f4b6a2830d5c7f1e92b4a6d80f3e5c1b7a9d20486";
const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
const mark = (...parts: readonly string[]): string => parts.join("");
const found = (text: string): string[] => findSecrets(scanText(text)).map(({ rule }) => rule.id);

/** Where a variable's name and its value stand. */
const PLACES: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${value}\nPORT=8080\n`,
  (name, value) => `export ${name}='${value}' && ./deploy.sh`,
  (name, value) => `docker run -e ${name}="${value}" shop:1`,
  (name, value) => JSON.stringify({ env: { [name]: value } }),
  (name, value) => `  env:\n    - name: ${name}\n      value: "${value}"\n    - name: PORT\n`,
  (name, value) => JSON.stringify([{ name, value }], null, 2),
  (name, value) => `os.environ["${name}"] = "${value}"`,
  (name, value) => `process.env['${name}'] = '${value}';`,
  (name, value) => `The value of \`${name}\` is \`${value}\`.`,
  (name, value) => `${name} is ${value}`,
];

describe("a value beside the name of a variable", () => {
  test.each(
    PLACES.flatMap((place) => [
      place("CRM_API_KEY", mixed.slice(0, 36)),
      place("CRM_TOKEN", hex.slice(0, 40)),
      place("CRM_SIGNING_SECRET", hex.slice(0, 32)),
    ]),
  )("%s", (text) => expect(found(text)).toHaveLength(1));

  test.each(
    PLACES.flatMap((place) => [
      place("CRM_PAGE_TOKEN", mixed.slice(0, 36)),
      place("CRM_TOKEN", "read-from-the-vault-at-start"),
      place("CRM_TOKEN_URL", `https://crm.shop.example/${mixed.slice(0, 20)}`),
      place("CRM_TOKEN_SECONDS", "86400"),
    ]),
  )("not %s", (text) => expect(found(text)).toEqual([]));

  test("a UUID and hex digits are keys where their name says so", () => {
    expect(found(`EXA_API_KEY=${uuid}`)).toHaveLength(1);
    expect(found(`"Authorization": "Bearer ${hex.slice(0, 32)}"`)).toHaveLength(1);
    expect(found(`request_id: ${uuid}`)).toEqual([]);
  });
  test("a key that encrypts is one, the id of one is none", () => {
    expect(found(`ENCRYPTION_KEY=${hex}`)).toHaveLength(1);
    expect(found(`encryption_key: ${mixed.slice(0, 36)}`)).toEqual([]);
  });
});

const FORMATS: readonly (readonly [rule: string, value: string])[] = [
  ["azure-signed-key", mark(mixed, "JQQJ", `99BCAC${"A".repeat(14)}AZDO`, mixed.slice(0, 4))],
  ["github-refresh-token", mark("ghr", "_", mixed, mixed.slice(0, 24))],
  ["segment-token", mark("sgp", "_", mixed, mixed.slice(0, 12))],
  ["crates-token", mark("ci", "o", mixed.slice(0, 32))],
  ["clickup-token", mark("pk", "_74596466_", mixed.slice(0, 32).toUpperCase())],
  ["dropbox-token", mark("sl.", "u.", mixed, mixed, mixed)],
  ["elevenlabs-token", mark("sk", "_", hex.slice(0, 48))],
  ["helicone-key", mark("sk-", "helicone-", "a1b2c3d-e4f5g6h-i7j8k9l-m1n2o3p")],
  ["honeycomb-key", mark("hca", "ik_01", mixed.toLowerCase(), "a1b2")],
  ["hubspot-token", mark("pat", "-na1-", uuid)],
  ["mapbox-secret", mark("sk.", "eyJ1", mixed, ".", mixed.slice(0, 22))],
  ["mem0-key", mark("m", "0-", mixed.slice(0, 40))],
  ["mollie-key", mark("live", "_", mixed.slice(0, 30))],
  ["nuget-key", mark("oy", "2", mixed.slice(0, 43).toLowerCase())],
  ["openhands-key", mark("sk-", "oh-", mixed.slice(0, 32))],
  ["packagist-token", mark("packagist", "_uut_", hex, hex.slice(0, 4))],
  [
    "paddle-key",
    mark("pdl", "_live_apikey_", mixed.slice(0, 26).toLowerCase(), "_", mixed.slice(0, 22), "_a1B"),
  ],
  ["polar-token", mark("polar", "_oat_", mixed.slice(0, 43))],
  ["resend-token", mark("re", "_", mixed.slice(0, 8), "_", mixed.slice(8, 32))],
  ["sonar-token", mark("sq", "p_", hex.slice(0, 40))],
];

describe("formats with a prefix of their own", () => {
  test.each(FORMATS)("%s, in a sentence, and none when it is shorter", (rule, value) => {
    expect(found(`then it printed ${value} and went on`)).toEqual([rule]);
    expect(found(`then it printed ${value.slice(0, 18)} and went on`)).toEqual([]);
  });

  test.each([
    ["azure-account-key", `AZURE_STORAGE_KEY="${mark(mixed, mixed.slice(0, 34))}=="`],
    ["asana-token", `ASANA_TOKEN=${mark("2/46974426816813/28343612345678:", hex.slice(0, 32))}`],
    ["laravel-key", `APP_KEY=${mark("base64", ":", mixed.slice(0, 43))}=`],
    ["django-key", `SECRET_KEY = 'k3$m${mixed.slice(0, 20)}!q^(x&7*w${mixed.slice(0, 15)}z+'`],
  ])("%s beside its name", (rule, text) => expect(found(text)).toEqual([rule]));

  test("what a framework makes for a trial says so", () => {
    expect(found(`SECRET_KEY = 'django-insecure-${mixed.slice(0, 30)}$(x&'`)).toEqual([]);
  });
});
