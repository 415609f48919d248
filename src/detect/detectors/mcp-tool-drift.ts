import { canonicalJson } from "../building-blocks/canonical-json.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { excerptLine, shortName } from "../building-blocks/excerpt.ts";
import { fingerprint, hashText } from "../building-blocks/hash.ts";
import { parsedJson } from "../building-blocks/json-text.ts";
import type { Detection, Detector, DetectorEvent, ProjectMemory } from "../detector.ts";
import { listedTools } from "../event-views/listed-tools.ts";

/**
 * The description or the input schema of an MCP tool is not what the project has seen before: the sign of a
 * tool swapped after it was approved. A client may tell either by its hash alone. The project's memory holds,
 * for each (server, tool), the fingerprints of the last four descriptions and schemas: a late event with an
 * old one, or two versions side by side, fires no more.
 */
export interface McpToolDriftState {
  /** Hash of the definitions already compared: most calls repeat one. */
  readonly compared: number[];
}

interface Remembered {
  readonly descriptions: readonly string[];
  readonly schemas: readonly string[];
}

interface Told {
  readonly text: string;
  readonly isHash: boolean;
}

interface Definition {
  readonly server: string;
  readonly tool: string;
  readonly description: Told | null;
  readonly schema: Told | null;
}

const TOOLS_MAX = 900;
const VERSIONS_MAX = 4;
const COMPARED_MAX = 64;
const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 65_536;
const COUNT_KEY = "tools";

export const mcpToolDrift: Detector<McpToolDriftState> = {
  failureClass: "mcp_tool_drift",
  version: 4,
  family: "security",
  summary: "The description or input schema of an MCP tool changed against what the project remembers.",
  defaultSeverity: "high",
  signature: ["server", "tool", "what changed: description, schema or both"],
  taxonomy: {
    owaspLlm2025: ["LLM03:2025"],
    owaspAgentic2026: ["ASI04", "ASI02"],
    mitreAtlas: ["AML.T0109", "AML.T0110"],
  },
  thresholds: {},
  eventTypes: ["mcp_call"],
  onStatus: false,
  onTick: false,
  createState: () => ({ compared: [] }),
  detect({ events, state, settings, memory }) {
    const detections: Detection[] = [];
    for (const event of events) {
      for (const definition of definitionsOf(event)) {
        const { server, tool, description, schema } = definition;
        const whole = hashText(`${server}\n${tool}\n${description?.text}\n${schema?.text}`);
        if (state.compared.includes(whole)) continue;
        if (state.compared.length >= COMPARED_MAX) state.compared.shift();
        state.compared.push(whole);
        const changed = compare(memory, definition);
        if (changed === null) continue;
        if (settings.allow.includes(server) || settings.allow.includes(`${server}/${tool}`)) continue;
        detections.push({
          signatureParts: [server, tool, changed.what],
          severity: changed.what === "schema" ? "medium" : "high",
          ruleIds: changed.rules,
          score: changed.what === "schema" ? 0.7 : 0.9,
          excerpt: excerptLine(
            `tool ${shortName(tool)} of server ${shortName(server)} changed its ${changed.what}` +
              (changed.what === "schema" || description?.isHash === true
                ? ""
                : `; now: ${description?.text}`),
          ),
          eventId: event.eventId,
          evidenceEventIds: [],
          dedupKey: `drift:${fingerprint(`${server}\n${tool}\n${changed.to}`)}`,
        });
      }
    }
    return { state, detections };
  },
};

interface Change {
  readonly what: "description" | "schema" | "description and schema";
  readonly rules: readonly string[];
  readonly to: string;
}

/**
 * Compares with the memory and takes the new definition in; null when nothing changed or nothing was known.
 */
function compare(memory: ProjectMemory, definition: Definition): Change | null {
  const key = `tool:${fingerprint(`${definition.server}\n${definition.tool}`)}`;
  const known = readRemembered(memory.get(key));
  const description = printOf(definition.description);
  const schema = printOf(definition.schema);
  if (known === null) {
    const counted = memory.get(COUNT_KEY);
    const tools = typeof counted === "number" ? counted : 0;
    if (tools >= TOOLS_MAX) return null;
    memory.set(COUNT_KEY, tools + 1);
  }
  const before = known ?? { descriptions: [], schemas: [] };
  const isNewDescription = description !== null && !before.descriptions.includes(description);
  const isNewSchema = schema !== null && !before.schemas.includes(schema);
  if (!isNewDescription && !isNewSchema) return null;
  memory.set(key, {
    descriptions: isNewDescription
      ? [...before.descriptions, description].slice(-VERSIONS_MAX)
      : before.descriptions,
    schemas: isNewSchema ? [...before.schemas, schema].slice(-VERSIONS_MAX) : before.schemas,
  });
  const rules: string[] = [];
  if (isNewDescription && before.descriptions.some((one) => isHash(one) === isHash(description)))
    rules.push("mcp_tool_drift/description-changed");
  if (isNewSchema && before.schemas.some((one) => isHash(one) === isHash(schema)))
    rules.push("mcp_tool_drift/schema-changed");
  if (rules.length === 0) return null;
  const both = rules.length === 2;
  const what = both
    ? "description and schema"
    : rules[0]!.endsWith("schema-changed")
      ? "schema"
      : "description";
  return { what, rules, to: `${description}/${schema}` };
}

/** What a client gives as a hash is held against hashes alone. */
const HASH = "#";
const isHash = (text: string): boolean => text.startsWith(HASH);
const printOf = (told: Told | null): string | null =>
  told === null ? null : `${told.isHash ? HASH : ""}${fingerprint(told.text)}`;

/** One definition of a call that carries it, or all of a `tools/list` answer. */
function definitionsOf(event: DetectorEvent): Definition[] {
  const { server, tool_name } = event.payload;
  const name = typeof server === "string" ? cutText(server, NAME_CHARS_MAX) : "";
  const single = definition(name, tool_name, event.payload);
  if (single !== null) return [single];
  const definitions: Definition[] = [];
  for (const listed of listedTools(event)) {
    const one = definition(name, listed.name, listed);
    if (one !== null) definitions.push(one);
  }
  return definitions;
}

function definition(
  server: string,
  tool: unknown,
  fields: Readonly<Record<string, unknown>>,
): Definition | null {
  if (typeof tool !== "string" || tool === "") return null;
  const { description: words, inputSchema, input_schema: given = inputSchema } = fields;
  const description = typeof words === "string" ? toldAs(textOf(words)) : hashIn(fields.description_hash);
  const isText = typeof given === "string";
  const isSchema = isText || (typeof given === "object" && given !== null);
  const schema = isSchema
    ? toldAs(isText ? canonicalText(given) : canonicalJson(given))
    : hashIn(fields.schema_hash);
  if (description === null && schema === null) return null;
  return { server, tool: cutText(tool, NAME_CHARS_MAX), description, schema };
}

const toldAs = (text: string): Told => ({ text, isHash: false });

/** A client may keep a definition to itself, and tell by a hash that it changed. */
const hashIn = (hash: unknown): Told | null =>
  typeof hash === "string" && hash !== "" ? { text: cutText(hash, NAME_CHARS_MAX), isHash: true } : null;

/**
 * Line ends and outer white space say nothing; of a huge text the beginning and the length stand for all of
 * it.
 */
function textOf(description: string): string {
  const head = description.length > TEXT_CHARS_MAX ? cutText(description, TEXT_CHARS_MAX) : description;
  const text = head.replaceAll("\r\n", "\n").trim();
  return head === description ? text : `${text}\n(${description.length})`;
}

function canonicalText(schema: string): string {
  if (schema.length > TEXT_CHARS_MAX) return textOf(schema);
  const value = parsedJson(schema);
  return value === null ? schema : canonicalJson(value);
}

function readRemembered(value: unknown): Remembered | null {
  if (typeof value !== "object" || value === null) return null;
  const { descriptions, schemas } = value as Record<string, unknown>;
  if (!Array.isArray(descriptions) || !Array.isArray(schemas)) return null;
  return { descriptions, schemas };
}
