import { byName } from "../building-blocks/by-name.ts";
import { toolNameOf } from "../building-blocks/calls/tool-class.ts";
import {
  type Detection,
  type Detector,
  type DetectorEvent,
  type DetectorInput,
  type DetectorSettings,
  EXCERPT_CHARS_MAX,
} from "../detector.ts";
import { someToolNamed } from "../event-views/chat-turn.ts";
import { clientScan, countsUnnamed, scannedEntities } from "../event-views/client-scan.ts";
import { modelToolCalls } from "../event-views/model-tool-calls.ts";
import { EMPTY_SEEN, type Finding, firing, isGivenOut, type SeenState, unseen } from "../text/firing.ts";
import { findPii, type PiiFinding, type PiiKind } from "../text/personal-numbers/find-pii.ts";
import { takeQuietBit } from "../text/quiet-texts.ts";
import { holdsAny } from "../text/scan/class-set.ts";
import { type FragmentScan, scanEvent } from "../text/scan-event.ts";
import { excerptUpTo } from "../text/secrets/excerpt-around.ts";
import { hasDefaultThresholds } from "../text/text-detector.ts";

/**
 * A payment card, an IBAN or a social security number stands in a text of a run. An IBAN is the address of a
 * payment: in a run that has called a payment tool it is the work itself, and does not count. The call may
 * stand in an event of its own, in a model's answer, or in the chat that goes into a model call. The value is
 * not kept in any form; numbers of this kind can be guessed back from a fingerprint.
 */
const CLASS = "pii_exposure";
const EMAILS_MIN = 0;
const IBANS_MIN = 1;

interface PiiState extends SeenState {
  /** The run has used a tool that moves or lists money. */
  readonly pays: boolean;
}

const PAYMENT_TOOL =
  /pay|transfer|transaction|iban|bank|balance|invoice|billing|money|wire|remit|refund|sepa/i;

function fromScan(event: DetectorEvent): Detection | null {
  const personal = scannedEntities(event, "personal");
  return personal.length > 0 || countsUnnamed(event) ? clientScan(event, CLASS, "medium", personal) : null;
}

/** Digits of the shortest number that needs no name, and of the shortest that has one. */
const DIGITS_MIN = 9;
const NAMED_DIGITS_MIN = 6;
const namesNumber = holdsAny("piiWord");
const QUIET = takeQuietBit();

function countOf(found: readonly PiiFinding[], kind: PiiKind): number {
  let count = 0;
  for (const one of found) if (one.kind === kind) count++;
  return count;
}

function numbersIn({ scan, origin }: FragmentScan, emailsMin: number): readonly PiiFinding[] {
  const digitsMin = scan.namesNumbers !== 0 || namesNumber(scan) ? NAMED_DIGITS_MIN : DIGITS_MIN;
  if (origin === "system" || (scan.digits < digitsMin && emailsMin === 0)) return [];
  return findPii(scan, emailsMin > 0);
}

function findingIn(
  fragment: FragmentScan,
  { thresholds }: DetectorSettings,
  remembers: boolean,
  pays: boolean,
): Finding | null {
  if (remembers && fragment.isQuietFor(QUIET)) return null;
  const emailsMin = thresholds.emailsMin ?? EMAILS_MIN;
  const all = numbersIn(fragment, emailsMin);
  if (all.length === 0) {
    if (remembers) fragment.noteQuietFor(QUIET);
    return null;
  }
  const ibans = countOf(all, "iban");
  const found = all.filter(({ kind }) => {
    if (kind === "iban") return !pays && ibans >= (thresholds.ibansMin ?? IBANS_MIN);
    return kind !== "email" || countOf(all, "email") >= emailsMin;
  });
  const first = found[0];
  if (first === undefined) return null;
  return {
    fragment,
    ruleIds: [...new Set(found.map((one) => `${CLASS}/${one.kind}`))],
    score: first.kind === "email" ? 0.7 : 0.95,
    start: first.start,
    end: first.end,
    excerpt: `${excerptUpTo(fragment, first.start, 80)} <${first.kind}>`.trim().slice(0, EXCERPT_CHARS_MAX),
  };
}

const isPayment = byName((tool) => PAYMENT_TOOL.test(tool));

/**
 * The tool of the event, or one that its answer asks for: before its own arguments are judged, and noted in
 * every event, since a client that sends only what is new never names the tool again.
 */
function callsPayment(event: DetectorEvent): boolean {
  if (isPayment(toolNameOf(event.payload))) return true;
  return event.type === "llm_call" && modelToolCalls(event).some(({ name }) => isPayment(name));
}

function findingsIn(event: DetectorEvent, { settings }: DetectorInput<PiiState>, pays: boolean): Finding[] {
  const remembers = hasDefaultThresholds(settings);
  const found: Finding[] = [];
  for (const fragment of scanEvent(event)) {
    const finding = findingIn(fragment, settings, remembers, pays);
    if (finding !== null) found.push(finding);
  }
  return found;
}

const holdsIban = ({ ruleIds }: Finding): boolean => ruleIds.includes(`${CLASS}/iban`);

export const piiExposure: Detector<PiiState> = {
  failureClass: CLASS,
  version: 9,
  family: "security",
  summary:
    "A checked personal number (payment card, IBAN, social security number) stands in a text of the run.",
  defaultSeverity: "medium",
  signature: ["kind of number", "origin of the text", "event type", "class of the tool"],
  taxonomy: { owaspLlm2025: ["LLM02:2025"], owaspAgentic2026: ["ASI03"], mitreAtlas: ["AML.T0057"] },
  thresholds: {
    ibansMin: {
      default: IBANS_MIN,
      min: 1,
      max: 100,
      integer: true,
      description: "IBANs in one text from which they count.",
    },
    emailsMin: {
      default: EMAILS_MIN,
      min: 0,
      max: 1_000,
      integer: true,
      description: "Mail addresses in one text from which they count; 0 leaves them out.",
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
    "egress",
    "dlp_scan_result",
  ],
  onStatus: false,
  onTick: false,
  createState: () => ({ ...EMPTY_SEEN, pays: false }),
  detect(input) {
    let { state } = input;
    const detections: Detection[] = [];
    for (const event of input.events) {
      if (event.type === "dlp_scan_result") {
        const detection = fromScan(event);
        if (detection !== null) detections.push(detection);
        continue;
      }
      if (!state.pays && callsPayment(event)) state = { ...state, pays: true };
      let found = findingsIn(event, input, state.pays);
      // The chat is walked only where an IBAN would fire.
      const mayPay = !state.pays && event.type === "llm_call" && found.some(holdsIban);
      if (mayPay && someToolNamed(event, isPayment)) {
        state = { ...state, pays: true };
        found = findingsIn(event, input, true);
      }
      if (found.length === 0) continue;
      const fresh = unseen(state, event, found);
      if (fresh.state !== state) state = { ...state, seen: fresh.state.seen };
      const detection = firing(event, fresh.findings, isGivenOut(found) ? "high" : "medium");
      if (detection !== null) detections.push(detection);
    }
    return { state, detections };
  },
};
