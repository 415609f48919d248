import { byName } from "../../building-blocks/by-name.ts";
import { toolClassOf, toolNameOf } from "../../building-blocks/calls/tool-class.ts";
import type { DetectorEvent } from "../../detector.ts";
import type { FragmentScan } from "../scan-event.ts";
import { secretsOf } from "./find-secrets.ts";
import type { SecretFinding } from "./secret-rule.ts";

/**
 * The token of a session that an agent opened itself: what a tool that logs in gives back, and what the next
 * calls take as their `token`. To hand it from one to the other is how such an interface is used. A key of a
 * known format is none, wherever it comes from, nor is a token in an answer, a command or a message.
 */
const LOGS_IN =
  /(?:^|[_.:/-])(?:log_?(?:in|on)|sign_?(?:in|on|up)|auth|authenticate|authorize|register)(?:$|[_.:/-])|(?:get|create|issue|request|refresh|fetch|obtain|new|exchange)_(?:(?:user|access|auth|session|id|bearer|login|jwt|oauth)_){0,2}(?:token|session)s?(?:$|[_.:/-])/;
const logsIn = byName((tool) =>
  LOGS_IN.test(
    tool
      .slice(0, 120)
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .toLowerCase(),
  ),
);
/** Its value looks like nothing but random characters, or says whose session it is. */
const OF_SESSIONS = new Set(["generic-token", "generic-api-key", "jwt"]);
const FIELD_CHARS = 60;
const FIELD =
  /(?:^|[^A-Za-z])(?:(?:access|auth|session|user|id|bearer|login)_?)?(?:token|jwt)\\{0,3}["']? ?: ?\\{0,3}["']?(?:bearer )?$/i;
/** The parameter of a call itself. */
const PARAMETER =
  /(?:^|[\n{,])\s{0,8}\\{0,3}["']?(?:(?:access|auth|session|user|id|bearer|login)_?)?(?:token|jwt)\\{0,3}["']? ?: ?\\{0,3}["']?(?:bearer )?$/i;
const isOrdinary = byName((tool) => toolClassOf(tool) !== "send" && toolClassOf(tool) !== "execute");

/** True if all that is found in a text is such a token. */
export function holdsSessionAlone(fragment: FragmentScan, event: DetectorEvent): boolean {
  const { origin, scan, text } = fragment;
  if (scan.secrets.length === 0 || (origin !== "tool" && origin !== "arguments")) return false;
  const tool = fragment.tool === "" ? toolNameOf(event.payload) : fragment.tool;
  const isGiven = origin === "tool" && logsIn(tool);
  if (!isGiven && (origin === "tool" || tool === "" || !isOrdinary(tool))) return false;
  const field = isGiven ? FIELD : PARAMETER;
  const found = secretsOf(fragment);
  const isSession = ({ rule, start }: SecretFinding): boolean =>
    OF_SESSIONS.has(rule.id) && field.test(text.slice(Math.max(0, start - FIELD_CHARS), start));
  return found.length > 0 && found.every(isSession);
}
