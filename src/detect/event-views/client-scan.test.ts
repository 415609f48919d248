import { describe, expect, test } from "bun:test";
import { eventAt } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { clientScan, countsUnnamed, scannedEntities } from "./client-scan.ts";

const scan = (payload: Record<string, unknown>) =>
  eventAt(1, "dlp_scan_result", plainPayload("dlp_scan_result", payload));
const counts = (payload: Record<string, unknown>) => {
  const event = scan(payload);
  return (
    scannedEntities(event, "personal").length + scannedEntities(event, "secret").length > 0 ||
    countsUnnamed(event)
  );
};
const found = { entity_types: ["US_SSN"], count: 2 };

describe("what a client's scan found", () => {
  test.each(
    "US_SSN,EMAIL_ADDRESS,PERSON,DNI,TARJETA_CREDITO,MedicalRecordNumber,IBAN_CODE,BANK_ACCOUNT_NUMBER,BIRTH_CERTIFICATE,DATE_OF_BIRTH,PASSPORT,IP_ADDRESS,Steuer-ID".split(
      ",",
    ),
  )("personal: %s", (name) => {
    const event = scan({ entity_types: [name], count: 1 });
    expect(scannedEntities(event, "personal")).toEqual([name]);
    expect(scannedEntities(event, "secret")).toEqual([]);
  });

  test.each(
    "API_KEY,aws-access-token,AZURE_STORAGE_CONNECTION_STRING,AZURE_STORAGE_ACCOUNT_KEY,Zugangsdaten/Passwort,CONTRASEÑA,mot de passe,wachtwoord,Base64 High Entropy String,JSON Web Token,PRIVATE_KEY,Github,Slack,SSH key,clientSecret,密码,OAuthToken,Basic Auth,session_cookie,kubeconfig".split(
      ",",
    ),
  )("a secret: %s", (name) => {
    const event = scan({ entity_types: [name], count: 1 });
    expect(scannedEntities(event, "secret")).toEqual([name]);
    expect(scannedEntities(event, "personal")).toEqual([]);
  });

  test.each(
    "URL,DOMAIN_NAME,DATE_TIME,organization,PUBLIC_KEY,stripe-publishable-key,LANGUAGE,none,amount,file_path".split(
      ",",
    ),
  )("neither: %s", (name) => {
    expect(counts({ entity_types: [name], count: 1 })).toBe(false);
  });

  test.each([
    {},
    { action: "allow" },
    { action: "log_only" },
    { action: "flagged" },
    { action: "none" },
    { action: "not_redacted" },
    { action: "redaction failed" },
    { action: "would_block" },
    { action: "block (dry run)" },
    { action: "partially_masked" },
    { action: "unmasked" },
    { action: "block", mode: "monitor" },
    { action: "block", enforced: false },
    { action: "zugelassen" },
    { action: "nicht geschwärzt" },
    { action: ["mask", "allow"] },
    { redacted: false },
    { redacted_count: 1 },
    { action: "allow", verdict: "blocked" },
    { verdict: "passed" },
    { status: "success" },
  ])("what was let through counts: %j", (more) => {
    expect(counts({ ...found, ...more })).toBe(true);
  });

  test.each([
    { action: "redacted" },
    { action: "REDACT" },
    { action: "masked" },
    { action: "blocked" },
    { action: "BLOCK_REQUEST" },
    { action: "quarantined" },
    { action: "tokenized" },
    { action: "ANONYMIZED" },
    { action: ["redact", "alert"] },
    { action_taken: "removed" },
    { action: "geschwärzt" },
    { action: "enmascarado" },
    { action: "bloqué" },
    { action: "已屏蔽" },
    { action: "マスク済み" },
    { redacted: true },
    { redacted_count: 2 },
    { verdict: "blocked" },
  ])("what went no further counts little: %j", (more) => {
    expect(counts({ ...found, ...more })).toBe(true);
    expect(clientScan(scan({ ...found, ...more }), "pii_exposure", "medium", ["US_SSN"])).toMatchObject({
      severity: "low",
      ruleIds: ["pii_exposure/client-scan-held-back"],
    });
    const letThrough = clientScan(scan(found), "pii_exposure", "medium", ["US_SSN"]);
    expect(letThrough).toMatchObject({ severity: "medium", ruleIds: ["pii_exposure/client-scan"] });
  });

  test.each([
    { status: "clean" },
    { verdict: "no findings" },
    { verdict: "keine Funde" },
    { false_positive: true },
    { action: "allowlisted" },
    { status: "false positive" },
    { likelihood: "VERY_UNLIKELY" },
    { count: 0 },
  ])("what is nothing does not: %j", (more) => {
    expect(counts({ ...found, ...more })).toBe(false);
    expect(counts({ count: 2, ...more })).toBe(false);
  });

  test("each finding has its own fate", () => {
    const findings = [
      { type: "EMAIL", action: "ANONYMIZED" },
      { type: "US_SSN", action: "NONE" },
    ];
    expect(scannedEntities(scan({ piiEntities: findings }), "personal")).toEqual(["US_SSN"]);
    expect(counts({ findings: findings.slice(0, 1), count: 1 })).toBe(false);
    expect(counts({ entity_types: "PASSPORT, PHONE_NUMBER", count: 2 })).toBe(true);
  });
});
