import type { Detection, Detector, DetectorEvent } from "../detector.ts";
import { clientScan, scannedEntities } from "../event-views/client-scan.ts";
import type { SeenState } from "../text/firing.ts";
import { excerptUpTo } from "../text/secrets/excerpt-around.ts";
import { findSecrets, secretsOf } from "../text/secrets/find-secrets.ts";
import { secretFingerprint } from "../text/secrets/secret-fingerprint.ts";
import type { SecretFinding } from "../text/secrets/secret-rule.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * A credential stands in a text of a run: a prompt, an answer, a tool's arguments or its result. The value is never
 * kept; the excerpt names the rule and a keyed fingerprint, by which two sightings of one secret can be told.
 */
const CLASS = "secret_exposure";

function fromScan(event: DetectorEvent): Detection | null {
  const secrets = scannedEntities(event, "secret");
  return secrets.length > 0 ? clientScan(event, CLASS, "high", secrets) : null;
}

/** A block of a key is the same however its lines are written: as they are, escaped in JSON, quoted in a program. */
function keyCharacters({ rule, value }: SecretFinding): string {
  return rule.id === "private-key" ? value.replace(/\\{1,3}[rn]|[^A-Za-z0-9+/=]/g, "") : value;
}

export const secretExposure: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 8,
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
        excerpt: excerptUpTo(fragment, first.start, 60).concat(mark).slice(0, 240),
      };
    },
    severityOf(findings) {
      const live = findings.some(
        (one) => one.fragment.origin === "assistant" || one.fragment.origin === "arguments",
      );
      return live ? "critical" : "high";
    },
  },
);
