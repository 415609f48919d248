import { DETECTORS } from "../../src/detect/registry.ts";
import { agentDojoRuns, plainRuns, tauBenchRuns, whoWhenRuns } from "./agent-runs.ts";
import type { Row } from "./dataset.ts";
import { isTextPlace, type TextPlace } from "./events.ts";
import type { RunSet } from "./run-sets.ts";
import { PLACE_OF_KIND, type TextSet } from "./text-sets.ts";

/**
 * Sets that nobody knows by name: what they hold is told by the members of their rows, the same members that
 * the known sets have. Owned by `eval detectors`; a set that is neither texts nor runs is named, never passed
 * over in silence.
 */
export type OtherSet =
  | { readonly kind: "texts"; readonly set: TextSet }
  | { readonly kind: "runs"; readonly set: RunSet }
  | { readonly kind: "unknown"; readonly why: string };

const CLASSES = new Set(DETECTORS.map(({ failureClass }) => failureClass));

/**
 * What attacks of a set are, where its rows do not say so: by words of its name, of its source and its kind.
 */
const CLASS_BY_WORD: readonly (readonly [RegExp, string])[] = [
  [/jailbreak|\bdan\b/i, "jailbreak_attempt"],
  [/secret|credential|api.?key|gitleaks|trufflehog/i, "secret_exposure"],
  [/\bpii\b|personal|presidio/i, "pii_exposure"],
  [/extraction|sys(?:tem)?.?prompt|prompt.?leak/i, "system_prompt_extraction"],
  [/tool.?(?:poison|descri)/i, "mcp_tool_poisoning"],
  [/memor/i, "memory_poisoning"],
  [/obfuscat|encod/i, "obfuscated_payload"],
  [/exfil/i, "data_exfiltration"],
];

/** An underscore joins words here: "dan_prompts" names DAN. */
const spaced = (words: string): string => words.replaceAll("_", " ");

function expectedClass(name: string, row: Row): string {
  if (typeof row.class === "string" && CLASSES.has(row.class)) return row.class;
  for (const words of [String(row.kind ?? ""), String(row.source ?? ""), name]) {
    const told = CLASS_BY_WORD.find(([pattern]) => pattern.test(spaced(words)));
    if (told !== undefined) return told[1];
  }
  return "prompt_injection";
}

const PLACE_OF_CLASS: Readonly<Record<string, TextPlace>> = {
  mcp_tool_poisoning: "description",
  memory_poisoning: "memory",
  secret_exposure: "tool",
};

/**
 * `place` of the row, else what its kind says. Otherwise where its class is at home; in a set with outputs of
 * tools, or with the place of an attack within a text (`span`), that is a tool's output.
 */
function placesOf(name: string, rows: readonly Row[]): (row: Row) => TextPlace {
  const ofTools = rows.some(({ kind, span }) => kind === "tool_output" || span !== undefined);
  return (row) => {
    if (isTextPlace(row.place)) return row.place;
    const told = PLACE_OF_KIND[String(row.kind)];
    if (told !== undefined) return told;
    return PLACE_OF_CLASS[expectedClass(name, row)] ?? (ofTools ? "tool" : "prompt");
  };
}

const isText = ({ text, label }: Row): boolean =>
  typeof text === "string" && (label === 0 || label === 1 || typeof label === "boolean");

const metaOf = (row: Row): Row =>
  row.meta !== null && typeof row.meta === "object" ? (row.meta as Row) : {};

export function otherSet(name: string, rows: readonly Row[]): OtherSet {
  const [first] = rows;
  if (first === undefined) return { kind: "unknown", why: "it is empty" };
  if (rows.every(isText)) {
    return {
      kind: "texts",
      set: { name, place: placesOf(name, rows), expects: (row) => expectedClass(name, row) },
    };
  }
  if (rows.every(({ messages }) => Array.isArray(messages))) {
    if (rows.every((row) => "attack_type" in metaOf(row))) return runs(name, agentDojoRuns);
    if (rows.every(({ reward }) => typeof reward === "number")) return runs(name, tauBenchRuns);
    return runs(name, plainRuns);
  }
  if (rows.every(({ history }) => Array.isArray(history))) return runs(name, whoWhenRuns);
  const at = rows.findIndex((row) => !isText(row) && !Array.isArray(row.messages ?? row.history));
  return {
    kind: "unknown",
    why:
      at < 0
        ? "its rows are not all of one kind"
        : `row ${at + 1} has neither text and label (0 or 1) nor a list of messages`,
  };
}

const runs = (name: string, read: RunSet["runs"]): OtherSet => ({ kind: "runs", set: { name, runs: read } });
