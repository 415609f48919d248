import type { EventType } from "../../ingest/wire/event-types.ts";
import { listedAttributes } from "./attributes.ts";
import { wordOf } from "./field-names.ts";
import { type Fields, isFields, lowered } from "./parts.ts";

/**
 * Events of the smaller kinds, whose few fields the detectors read by name: other names for the same are put under it, out of whatever holds
 * them. A field that is there under its own name stays as it is, and so does a payload in which nothing has another name.
 */
interface Table {
  /** The field that is read, and other words for it. */
  readonly names: Readonly<Record<string, string>>;
  /** What may hold the fields. */
  readonly within: string;
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

const TABLES: Readonly<Partial<Record<EventType, Table>>> = {
  exception: {
    names: {
      type: "exceptiontype errortype errorclass errorname exceptionclass exceptionname",
      message: "exceptionmessage errormessage errormsg exceptiontext errordescription",
      stack:
        "stacktrace traceback exceptionstacktrace errorstack exceptionstack backtrace formattedtraceback",
      handled: "ishandled",
    },
    within: "attributes error exception data err event",
    from: "exception.escaped",
    derive: ({ message, error, exception, handled, ...fields }) => {
      const said = [error, exception].find((one) => typeof one === "string");
      const escaped = fields["exception.escaped"];
      return {
        ...(message === undefined && said !== undefined ? { message: said } : {}),
        ...(handled === undefined && typeof escaped === "boolean" ? { handled: !escaped } : {}),
      };
    },
  },
  agent_handoff: {
    names: {
      from_agent:
        "fromagent fromagentname from source sourceagent sourceagentname previousagent sender author currentagent",
      to_agent:
        "toagent toagentname to target targetagent targetagentname nextagent receiver recipient destinationagent destination transfertoagent",
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
      tool_name: "toolname tool functionname",
      arguments: "args toolargs toolinput toolarguments",
    },
    within: "data attributes actionrequest",
    from: "action approved",
    isSettled: ({ action }) =>
      action === "approve" || action === "reject" || action === "edit" || action === "stop",
    derive: ({ action, approved }) => {
      const said = typeof action === "string" ? decisionNamed(action) : null;
      const flagged = action === undefined && typeof approved === "boolean";
      if (said !== null) return { action: said };
      return flagged ? { action: approved ? "approve" : "reject" } : {};
    },
  },
  validator_result: {
    names: {
      validator: "validatorname guardrail guardrailname check checkname",
      passed: "valid isvalid haspassed",
    },
    within: "data attributes spandata",
    from: "triggered tripwire_triggered name",
    derive: ({ passed, triggered, tripwire_triggered: tripwire, validator, name }) => ({
      ...(passed === undefined && typeof (triggered ?? tripwire) === "boolean"
        ? { passed: !(triggered ?? tripwire) }
        : {}),
      ...(validator === undefined && typeof name === "string" ? { validator: name } : {}),
    }),
  },
  eval_score: {
    names: { metric: "metricname scorename evaluator evaluatorname", score: "scorevalue" },
    within: "data attributes",
    from: "name value",
    derive: ({ metric, name, score, value }) => ({
      ...(metric === undefined && typeof name === "string" ? { metric: name } : {}),
      ...(score === undefined && typeof value === "number" ? { score: value } : {}),
    }),
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
      entity_types: "entitytype infotypes categories entities findings",
      count: "findingscount numfindings",
    },
    within: "data attributes result",
    from: "entity_types",
    isSettled: ({ entity_types: types }) => Array.isArray(types) && typeof types[0] === "string",
    derive: ({ entity_types: types }) =>
      Array.isArray(types) && types.some(isFields)
        ? { entity_types: types.slice(0, LIST_MAX).map(kindOf) }
        : {},
  },
};

const READS = /^(?:memory[_ .-]?)?(?:read|get|search|query|quer|retriev|recall|fetch|load|list|look|find)/i;
const WRITES =
  /^(?:memory[_ .-]?)?(?:write|save|sav|add|stor|insert|updat|upsert|creat|put|set|append|remember|memoriz)/i;

function memoryVerb(said: string): "read" | "write" | null {
  if (said === "search" || said === "write" || said === "read" || said.length > TEXT_MAX) return null;
  return READS.test(said) ? "read" : WRITES.test(said) ? "write" : null;
}

const DECISIONS: readonly (readonly [string, RegExp])[] = [
  ["approve", /^(?:approved|accept(?:ed)?|allow(?:ed)?|grant(?:ed)?)$/i],
  ["reject", /^(?:rejected|den(?:y|ied)|declined?|refused?|disallow(?:ed)?)$/i],
  ["edit", /^(?:edited|modif(?:y|ied))$/i],
  ["stop", /^(?:stopped|abort(?:ed)?|cancel(?:l?ed)?|halt(?:ed)?|terminated?)$/i],
];

const decisionNamed = (said: string): string | null =>
  DECISIONS.find(([, words]) => words.test(said))?.[0] ?? null;

const nameOf = ({ name, agent_name: agentName, agent, id }: Fields): unknown =>
  name ?? agentName ?? agent ?? id;

/** Of a finding of Presidio, or of Google's service. */
function kindOf(finding: unknown): unknown {
  if (!isFields(finding)) return finding;
  const { entity_type: entity, entityType, infoType, type, category } = finding;
  return entity ?? entityType ?? (isFields(infoType) ? infoType.name : infoType) ?? type ?? category;
}

/** What a key stands for: a field that is read, something that may hold more, or nothing known. */
class Renaming {
  private readonly words = new Map<string, string>();
  private readonly known = new Map<string, string | null>();
  private readonly sources: ReadonlySet<string>;
  /** True for a key that says something of these fields under another name; one look-up a field of most payloads. */
  readonly concerns = new Map<string, boolean>();

  constructor(readonly table: Table) {
    this.sources = new Set(table.from?.split(" "));
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
    if (table.from === undefined || renaming.fieldOf(key) !== null) return false;
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
