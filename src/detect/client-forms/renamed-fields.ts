import type { EventType } from "../../ingest/wire/event-types.ts";
import { listedAttributes } from "./attributes.ts";
import { callHolder, givenIn, idOf, nameOf as nameIn } from "./call-shapes.ts";
import { handledUnless, printedException } from "./exception-forms.ts";
import { wordOf } from "./field-names.ts";
import { type Fields, isFields, lowered } from "./fields.ts";
import { graphState } from "./graph-state.ts";
import { isHeldBack } from "./scan-words.ts";
import { validationIn } from "./told-validation.ts";
import { countedVerdict, namesDrift, saysClean, VERDICTS, verdictIn, verdictNamed } from "./told-verdict.ts";

/**
 * Events of the smaller kinds, whose few fields the detectors read by name: other names for the same are put
 * under it, out of whatever holds them. A field that is there under its own name stays as it is, and so does
 * a payload in which nothing has another name.
 */
interface Table {
  /** The field that is read, and other words for it. */
  readonly names: Readonly<Record<string, string>>;
  /** What may hold the fields. */
  readonly within: string;
  /** Those of them that may hold words instead, which say nothing beside what is settled. */
  readonly words?: string;
  /** Values that other fields give in another way, and those fields. */
  readonly derive?: (fields: Fields) => Fields;
  readonly from?: string;
  /** True if there is nothing to derive. */
  readonly isSettled?: (fields: Fields) => boolean;
}

const DEPTH_MAX = 3;
const KEYS_MAX = 2_000;
const LIST_MAX = 50;
const TEXT_MAX = 200;

/** Fields in which a watch over drift may name what it saw. */
const DRIFT_WORDS = ["status", "state", "verdict", "category", "label", "result", "outcome"];

/** Fields in which a scanner may say that it found nothing. */
const NOTHING_FOUND = ["detected", "matched", "sensitive", "verdict", "status"];

const TABLES: Readonly<Partial<Record<EventType, Table>>> = {
  exception: {
    names: {
      type: "exceptiontype errortype errorclass errorname exceptionclass exceptionname errorkind exctype",
      message: "exceptionmessage errormessage errormsg exceptiontext errordescription excvalue",
      stack:
        "stacktrace traceback exceptionstacktrace errorstack errorstacktrace exceptionstack backtrace formattedtraceback stacktracestring excinfo exctext",
      handled: "ishandled",
      escaped: "exceptionescaped",
    },
    within: "attributes error exception data err event",
    derive: ({ type, message, stack, error, exception, handled, escaped }) => {
      const said = [error, exception].find((one) => typeof one === "string");
      const printed = printedException(stack ?? said);
      const told = printed === null ? said : printed.message;
      return {
        ...(type === undefined && printed !== null ? { type: printed.type } : {}),
        ...(message === undefined && told !== undefined ? { message: told } : {}),
        ...(stack === undefined && printed !== null ? { stack: said } : {}),
        ...(handled === undefined ? { handled: handledUnless(escaped) } : {}),
      };
    },
  },
  agent_handoff: {
    names: {
      from_agent:
        "fromagent fromagentname fromagentid agentfrom handofffrom fromrole from source sourceagent sourceagentname previousagent sender author currentagent originagent origin",
      to_agent:
        "toagent toagentname toagentid agentto handoffto torole to target targetagent targetagentname nextagent receiver recipient destinationagent destination transfertoagent",
    },
    within: "spandata data attributes actions args arguments handoff payload",
    from: "from_agent to_agent",
    isSettled: ({ from_agent: from, to_agent: to }) => typeof from === "string" && typeof to === "string",
    derive: ({ from_agent: from, to_agent: to }) => ({
      ...(isFields(from) ? { from_agent: nameOf(from) } : {}),
      ...(isFields(to) ? { to_agent: nameOf(to) } : {}),
    }),
  },
  memory_operation: {
    names: { operation: "op memoryoperation operationtype memoryaction" },
    within: "data attributes",
    from: "operation action event type",
    isSettled: ({ operation }) => operation === "read" || operation === "write" || operation === "search",
    derive: ({ operation, action, event, type }) => {
      const said = [operation, action, event, type].find((one) => typeof one === "string");
      const known = typeof said === "string" ? memoryVerb(said) : null;
      return known === null ? {} : { operation: known };
    },
  },
  human_intervention: {
    names: {
      action: "decision humandecision approvaldecision",
      tool_name: "toolname tool functionname target",
      arguments: "args toolargs toolinput toolarguments",
      call_id: "callid toolcallid tooluseid",
    },
    within: "data attributes actionrequest",
    from: "action decision approved verdict outcome resolution response status intervention intervention_type type kind event command",
    isSettled: ({ action, tool_name: tool }) =>
      typeof tool === "string" &&
      (action === "approve" || action === "reject" || action === "edit" || action === "stop"),
    derive: (all) => {
      const called = typeof all.tool_name === "string" ? {} : { ...actDecided(all), ...callDecided(all) };
      const fields = { ...all, ...called };
      return { ...called, ...decisionIn(fields) };
    },
  },
  validator_result: {
    names: {
      validator:
        "validatorname guardrail guardrailname check checkname rule rulename rail railname scanner scannername expectationtype expectationsuitename metric metricname",
      passed: "valid isvalid haspassed validationpassed",
      tripwire_triggered: "tripwiretriggered guardrailtriggered",
      validation_result: "validationresult gradingresult",
      validator_status: "validatorstatus validationstatus validationoutcome",
      validation_summaries: "validationsummaries",
    },
    within: "data attributes spandata message output outputinfo result guardrailresult expectationconfig",
    words: "message output result",
    from: `triggered tripwire_triggered flagged name violations errors issues error_count stop decisions message total validation_result validator_status validation_summaries ${VERDICTS}`,
    isSettled: ({ passed, validator }) => typeof passed === "boolean" && typeof validator === "string",
    derive: (fields) => {
      const counted = countedVerdict(fields);
      return counted === undefined ? validationIn(fields) : { passed: counted };
    },
  },
  eval_score: {
    names: {
      metric: "metricname scorename evaluator evaluatorname eval evalname evaluationname criterion scorer",
      score: "scorevalue evaluationscorevalue evaluationscore",
      label: "scorelabel evaluationscorelabel evaluationlabel",
      min_score: "minscore minimumscore minimum",
      regressed: "isregression regressiondetected hasregressed regression",
      baseline: "baselinescore baselinevalue previousscore previousvalue previous",
    },
    within: "data attributes evaluation evaluationresult",
    from: `name value label score regressed min_score total ${VERDICTS}`,
    derive: (fields) => {
      const { metric, name, score, value, label, regressed, passed, min_score: least } = fields;
      const counted = countedVerdict(fields);
      if (counted !== undefined) return { passed: counted };
      // An object of its value and its label.
      const inner = isFields(score) ? score : {};
      const scored = isFields(score) ? score.value : (score ?? value);
      const isBelow = typeof scored === "number" && typeof least === "number" && scored < least;
      const told = verdictIn(fields) ?? verdictNamed(label ?? inner.label);
      const isDown = isBelow || regressed === true;
      return {
        ...(metric === undefined && typeof name === "string" ? { metric: name } : {}),
        ...(score !== scored && typeof scored === "number" ? { score: scored } : {}),
        ...(passed === undefined && (told !== null || isDown) ? { passed: told ?? false } : {}),
      };
    },
  },
  drift_signal: {
    names: {
      signal: "signalname metric metricname driftmetric drifttype dimension feature",
      score: "driftscore driftvalue",
      threshold: "driftthreshold alertthreshold limit cutoff",
      drifted: "driftdetected isdrift isdrifted isdrifting hasdrift hasdrifted",
    },
    within: "data attributes result",
    from: `drift detected alert value name ${DRIFT_WORDS.join(" ")}`,
    isSettled: ({ signal, drifted }) => typeof signal === "string" && typeof drifted === "boolean",
    derive: (fields) => {
      const { signal, score, drifted, drift, detected, alert, value, name } = fields;
      const flag = [drift, detected, alert].find((one) => typeof one === "boolean");
      const told = flag ?? (DRIFT_WORDS.some((key) => namesDrift(fields[key])) ? true : undefined);
      const measured = [drift, value].find((one) => typeof one === "number");
      return {
        ...(drifted === undefined && told !== undefined ? { drifted: told } : {}),
        ...(score === undefined && measured !== undefined ? { score: measured } : {}),
        ...(signal === undefined && typeof name === "string" ? { signal: name } : {}),
      };
    },
  },
  infrastructure_event: {
    names: {
      component: "componentname service servicename resource subsystem host node pod",
      kind: "eventtype event incident incidenttype",
      code: "errorcode httpstatus statuscode httpstatuscode",
      message: "error errormessage description detail details",
    },
    within: "data attributes",
    from: "type status state health reason name provider",
    derive: ({ component, kind, message, type, status, state, health, reason, name, provider }) => {
      const said = [kind ?? type ?? name, status ?? state ?? health].filter((one) => typeof one === "string");
      return {
        ...(component === undefined && typeof provider === "string" ? { component: provider } : {}),
        ...(said.length > 0 ? { kind: said.join(" ") } : {}),
        ...(message === undefined && typeof reason === "string" ? { message: reason } : {}),
      };
    },
  },
  checkpoint: {
    names: {
      state_hash: "statedigest statechecksum statefingerprint snapshothash checkpointhash",
      state: "snapshot statesnapshot",
      channel_values: "channelvalues",
      values: "statevalues",
      next: "nextnodes",
    },
    within: "data attributes checkpoint",
    from: "state channel_values values",
    isSettled: tellsState,
    derive: (fields) => {
      if (tellsState(fields)) return {};
      const state = graphState(isFields(fields.state) ? fields.state : fields);
      return state === null ? {} : { state };
    },
  },
  injection_alert: {
    names: {
      score: "confidence probability injectionscore riskscore",
      verdict: "label classification",
      detected: "flagged injectiondetected attackdetected promptinjectiondetected",
      text: "content flaggedtext matchedtext",
    },
    within: "data attributes result",
  },
  dlp_scan_result: {
    names: {
      entity_types:
        "entitytype infotypes categories category entities findings types datatype datatypes piitypes secrettypes labels violations matchedrules results detectedentities piientities sensitivetypes detections matches detectedtypes ruleid ruleids",
      count: "findingscount numfindings",
    },
    within: "data attributes result",
    from: "entity_types detected matched sensitive verdict status pii_detected contains_pii has_pii secrets_detected contains_secrets has_secrets secrets_found",
    isSettled: (fields) =>
      Array.isArray(fields.entity_types) &&
      typeof fields.entity_types[0] === "string" &&
      NOTHING_FOUND.every((key) => fields[key] === undefined),
    derive: (fields) => {
      const { entity_types: types, detected, matched, sensitive, secrets_found: secrets } = fields;
      const isClean = [fields.verdict, fields.status].some(saysClean);
      if (isClean || [detected, matched, sensitive].includes(false)) return { count: 0 };
      const holds = (keys: string) => keys.split(" ").some((key) => fields[key] === true);
      const flagged = [
        ...(holds("pii_detected contains_pii has_pii") ? ["pii"] : []),
        ...(holds("secrets_detected contains_secrets has_secrets") || Number(secrets) > 0 ? ["secret"] : []),
      ];
      if (Array.isArray(types) && types.some(isFields)) {
        const left = types.slice(0, LIST_MAX).filter((one) => !isFields(one) || !isHeldBack(one.action));
        return left.length === 0 ? { count: 0 } : { entity_types: left.map(kindOf) };
      }
      return types === undefined && flagged.length > 0 ? { entity_types: flagged } : {};
    },
  },
};

/** True of a checkpoint whose hash or state is the client's own. */
function tellsState({ state, state_hash: hash }: Fields): boolean {
  if (hash !== undefined) return true;
  return state !== undefined && !(isFields(state) && "channel_values" in state);
}

/** What a person decided, from wherever it is said. */
function decisionIn(fields: Fields): Fields {
  const said = DECIDING.map((key) => fields[key]).map(decisionNamed);
  const named = said.find((one) => one !== null);
  if (named !== undefined) return { action: named };
  const { action, approved } = fields;
  const flagged = action === undefined && typeof approved === "boolean";
  return flagged ? { action: approved ? "approve" : "reject" } : {};
}

const TOOL_NAME = /^[\w.:/-]{2,80}$/;

/**
 * Beside a decision, the action is what it is about: a tool's name, or a command that the agent would run.
 */
function actDecided({ action, decision }: Fields): Fields {
  if (typeof action !== "string" || decisionNamed(action) !== null || decisionNamed(decision) === null)
    return {};
  return TOOL_NAME.test(action)
    ? { tool_name: action }
    : { tool_name: "shell", arguments: { command: action } };
}

/** The one call that a decision is about, in whatever wrapper it stands; of several nobody knows which. */
function callDecided(fields: Fields): Fields {
  for (const key in fields) {
    const value = fields[key];
    const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const holder = callHolder(
      isFields(only) && typeof only.action === "string" ? { name: only.action, ...only } : only,
    );
    if (holder === null || key === "arguments") continue;
    const id = idOf(holder);
    return {
      tool_name: nameIn(holder),
      arguments: givenIn(holder),
      ...(typeof id === "string" ? { call_id: id } : {}),
    };
  }
  return {};
}

const READS = /^(?:memory[_ .-]?)?(?:read|get|search|query|quer|retriev|recall|fetch|load|list|look|find)/i;
const WRITES =
  /^(?:memory[_ .-]?)?(?:write|save|sav|add|stor|insert|updat|upsert|creat|put|set|append|remember|memoriz)/i;

function memoryVerb(said: string): "read" | "write" | null {
  if (said === "search" || said === "write" || said === "read" || said.length > TEXT_MAX) return null;
  return READS.test(said) ? "read" : WRITES.test(said) ? "write" : null;
}

const DECISIONS: readonly (readonly [string, RegExp])[] = [
  [
    "approve",
    /^(?:approved?|approval|accept(?:ed)?|allow(?:ed)?|grant(?:ed)?|confirm(?:ed)?|resumed?|continued?)$/i,
  ],
  [
    "reject",
    /^(?:reject(?:ed|ion)?|den(?:y|ied)|denial|declined?|refused?|disallow(?:ed)?|block(?:ed)?|veto(?:ed)?)$/i,
  ],
  ["edit", /^(?:edit(?:ed)?|modif(?:y|ied))$/i],
  ["stop", /^(?:stop(?:ped)?|abort(?:ed)?|cancel(?:l?ed)?|halt(?:ed)?|paused?|terminated?|kill(?:ed)?)$/i],
];
/** Where a decision may be said: the first that is one counts. */
const DECIDING =
  "action decision verdict outcome resolution response status intervention intervention_type type kind event command".split(
    " ",
  );

function decisionNamed(said: unknown): string | null {
  if (typeof said !== "string" || said.length > TEXT_MAX) return null;
  return DECISIONS.find(([, words]) => words.test(said))?.[0] ?? null;
}

const nameOf = ({ name, agent_name: agentName, agent, id }: Fields): unknown =>
  name ?? agentName ?? agent ?? id;

/** Of a finding of Presidio, or of Google's service. */
function kindOf(finding: unknown): unknown {
  if (!isFields(finding)) return finding;
  const {
    entity_type: entity,
    entityType,
    infoType,
    info_type: snakeType = infoType,
    type,
    category,
  } = finding;
  return entity ?? entityType ?? (isFields(snakeType) ? snakeType.name : snakeType) ?? type ?? category;
}

/** What a key stands for: a field that is read, something that may hold more, or nothing known. */
class Renaming {
  private readonly words = new Map<string, string>();
  private readonly known = new Map<string, string | null>();
  private readonly sources: ReadonlySet<string>;
  readonly holdsWords: ReadonlySet<string>;
  /**
   * True for a key that says something of these fields under another name; one look-up a field of most
   * payloads.
   */
  readonly concerns = new Map<string, boolean>();

  constructor(readonly table: Table) {
    this.sources = new Set(table.from?.split(" "));
    this.holdsWords = new Set(table.words?.split(" "));
    for (const field in table.names)
      for (const word of table.names[field]!.split(" ")) this.words.set(word, field);
    for (const word of table.within.split(" ")) if (!this.words.has(word)) this.words.set(word, "");
  }

  isConcerned(key: string): boolean {
    const isUpper = key.charCodeAt(0) >= 65 && key.charCodeAt(0) <= 90;
    const concerned = this.sources.has(key) || isUpper || this.fieldOf(key) !== null;
    if (this.concerns.size >= KEYS_MAX) this.concerns.clear();
    if (key.length < TEXT_MAX) this.concerns.set(key, concerned);
    return concerned;
  }

  /** The field of that name; "" of a holder, null of anything else. */
  fieldOf(key: string): string | null {
    if (key in this.table.names) return null;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const field = this.words.get(wordOf(key)) ?? null;
    if (this.known.size >= KEYS_MAX) this.known.clear();
    if (key.length < TEXT_MAX) this.known.set(key, field);
    return field;
  }
}

const RENAMINGS = new Map(
  Object.entries(TABLES).map(([type, table]) => [type as EventType, new Renaming(table as Table)]),
);

export function renamedFields(type: EventType, payload: Fields): Fields {
  const renaming = RENAMINGS.get(type);
  if (renaming === undefined || isPlain(renaming, payload)) return payload;
  const found: Record<string, unknown> = {};
  collect(renaming, payload, found, 0);
  const { derive } = renaming.table;
  const derived = derive?.({ ...payload, ...found });
  for (const key in derived) if (derived[key] !== undefined) found[key] = derived[key];
  for (const _key in found) return { ...payload, ...found };
  return payload;
}

function isPlain(renaming: Renaming, payload: Fields): boolean {
  const { concerns, table } = renaming;
  let isSource = false;
  for (const key in payload) {
    if (!(concerns.get(key) ?? renaming.isConcerned(key))) continue;
    const isWords = typeof payload[key] === "string" && renaming.holdsWords.has(key);
    if (!isWords && (table.from === undefined || renaming.fieldOf(key) !== null)) return false;
    isSource = true;
  }
  return !isSource || table.isSettled?.(payload) === true;
}

function collect(renaming: Renaming, payload: Fields, found: Record<string, unknown>, depth: number): void {
  const fields = lowered(payload);
  const isInner = depth > 0 || fields !== payload;
  for (const key in fields) {
    const value = fields[key];
    if (value === null || value === undefined) continue;
    const field = renaming.fieldOf(key);
    if (field === "") {
      const inner = Array.isArray(value) ? listedAttributes(value) : value;
      if (isFields(inner) && depth < DEPTH_MAX) collect(renaming, inner, found, depth + 1);
    } else if (field !== null) {
      if (!(field in found) && (isInner || fields[field] === undefined)) found[field] = value;
    } else if (isInner && key in renaming.table.names) found[key] ??= value;
  }
}
