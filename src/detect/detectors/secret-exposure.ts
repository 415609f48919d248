import { toolClassOf, toolNameOf } from "../building-blocks/calls/tool-class.ts";
import { type Detection, type Detector, type DetectorEvent, EXCERPT_CHARS_MAX } from "../detector.ts";
import { clientScan, scannedEntities } from "../event-views/client-scan.ts";
import { modelToolCalls } from "../event-views/model-tool-calls.ts";
import { argumentsScan } from "../text/arguments-scan.ts";
import { isGivenOut, type SeenState } from "../text/firing.ts";
import { type FragmentScan, scanEvent } from "../text/scan-event.ts";
import { excerptUpTo } from "../text/secrets/excerpt-around.ts";
import { findSecrets, secretsOf } from "../text/secrets/find-secrets.ts";
import { isOfTests } from "../text/secrets/made-for-tests.ts";
import { secretFingerprint } from "../text/secrets/secret-fingerprint.ts";
import type { SecretFinding } from "../text/secrets/secret-rule.ts";
import { holdsSessionAlone } from "../text/secrets/session-token.ts";
import { toldPassword } from "../text/secrets/told-password.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * A credential stands in a text of a run: a prompt, an answer, a tool's arguments or its result. The value is
 * never kept; the excerpt names the rule and a keyed fingerprint, by which two sightings of one secret can be
 * told.
 */
const CLASS = "secret_exposure";

function fromScan(event: DetectorEvent): Detection | null {
  const secrets = scannedEntities(event, "secret");
  return secrets.length > 0 ? clientScan(event, CLASS, "high", secrets) : null;
}

/**
 * A block of a key is the same however its lines are written: as they are, escaped in JSON, quoted in a
 * program.
 */
function keyCharacters({ rule, value }: SecretFinding): string {
  return rule.id === "private-key" ? value.replace(/\\{1,3}[rn]|[^A-Za-z0-9+/=]/g, "") : value;
}

const inTexts: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 13,
    family: "security",
    summary: "A credential (key, token, private key, login) stands in a text of the run.",
    defaultSeverity: "high",
    signature: ["rule of the credential", "origin of the text", "event type", "class of the tool"],
    taxonomy: {
      owaspLlm2025: ["LLM02:2025"],
      owaspAgentic2026: ["ASI03"],
      mitreAtlas: ["AML.T0055", "AML.T0057"],
    },
    thresholds: {
      passwords: {
        default: 0,
        min: 0,
        max: 1,
        integer: true,
        description: "1 also reports quoted passwords in assignments, which password tools return all day.",
      },
    },
    eventTypes: [
      "llm_call",
      "tool_call",
      "mcp_call",
      "memory_operation",
      "checkpoint",
      "exception",
      "agent_handoff",
      "human_intervention",
      "infrastructure_event",
      "validator_result",
      "eval_score",
      "egress",
      "dlp_scan_result",
    ],
  },
  {
    alert: { type: "dlp_scan_result", firing: fromScan },
    looksAt: (fragment, event) => !holdsSessionAlone(fragment, event) && !isOfTests(fragment, event),
    find(fragment, input) {
      const { scan } = fragment;
      if (scan.secrets.length === 0) return null;
      const found = threshold(input, "passwords", 0) >= 0.5 ? findSecrets(scan, true) : secretsOf(fragment);
      const first = found[0];
      if (first === undefined) return null;
      const mark = `<${first.rule.id} ${secretFingerprint(keyCharacters(first))}>`;
      return {
        fragment,
        ruleIds: [...new Set(found.map((one) => `${CLASS}/${one.rule.id}`))],
        score: first.rule.kind === "prefix" ? 0.98 : first.rule.kind === "assigned" ? 0.9 : 0.8,
        start: first.start,
        end: first.end,
        excerpt: excerptUpTo(fragment, first.start, 60).concat(mark).slice(0, EXCERPT_CHARS_MAX),
      };
    },
    severityOf(findings) {
      return isGivenOut(findings) ? "critical" : "high";
    },
  },
);

/** A password in what is sent to people or answered: whoever reads there has it, whatever it looks like. */
function passwordTold(event: DetectorEvent): Detection | null {
  for (const fragment of sentBy(event)) {
    const found = passwordIn(event, fragment, "password-sent");
    if (found !== null) return found;
  }
  if (event.type !== "llm_call") return null;
  for (const fragment of scanEvent(event)) {
    if (fragment.origin !== "assistant" || fragment.repeated) continue;
    const found = passwordIn(event, fragment, "password-answered");
    if (found !== null) return found;
  }
  return null;
}

function passwordIn(
  event: DetectorEvent,
  fragment: FragmentScan,
  rule: "password-sent" | "password-answered",
): Detection | null {
  const told = toldPassword(fragment.text);
  if (told === null) return null;
  const isSent = rule === "password-sent";
  const mark = `<password ${secretFingerprint(told.value)}>`;
  return {
    signatureParts: [`${CLASS}/${rule}`, fragment.origin, event.type, isSent ? "send" : ""],
    severity: isSent ? "critical" : "high",
    ruleIds: [`${CLASS}/${rule}`],
    score: PASSWORD_SCORE,
    excerpt: excerptUpTo(fragment, told.start, 60).concat(mark).slice(0, EXCERPT_CHARS_MAX),
    eventId: event.eventId,
    evidenceEventIds: [],
  };
}

const PASSWORD_SCORE = 0.85;
const NOTHING: readonly FragmentScan[] = [];

function sentBy(event: DetectorEvent): readonly FragmentScan[] {
  const { type, payload } = event;
  if (type === "llm_call") {
    const calls = modelToolCalls(event);
    if (calls.length === 0) return NOTHING;
    return calls
      .filter(({ name }) => toolClassOf(name) === "send")
      .map(({ name, args }) => argumentsScan(name, args));
  }
  if (type !== "tool_call" && type !== "mcp_call") return NOTHING;
  const tool = toolNameOf(payload);
  if (toolClassOf(tool) !== "send") return NOTHING;
  const told = scanEvent(event).filter(({ origin }) => origin === "arguments");
  return told.map(({ text }) => argumentsScan(tool, text));
}

export const secretExposure: Detector<SeenState> = {
  ...inTexts,
  detect(input) {
    const found = inTexts.detect(input);
    let detections = found.detections;
    for (const event of input.events) {
      const told = passwordTold(event);
      if (told === null || detections.some(({ eventId }) => eventId === event.eventId)) continue;
      detections = [...detections, told];
    }
    return { ...found, detections };
  },
};
