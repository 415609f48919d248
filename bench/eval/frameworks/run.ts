import type { DetectorEvent } from "../../../src/detect/detector.ts";
import type { EventType } from "../../../src/ingest/wire/event-types.ts";
import { EventList } from "../events.ts";

/** A run told without any framework's words; each form of a framework tells it in its own. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type Turn =
  | { readonly by: "system"; readonly text: string }
  | { readonly by: "user"; readonly text: string }
  | { readonly by: "model"; readonly text: string; readonly calls: readonly Call[] }
  | { readonly by: "tool"; readonly call: Call; readonly text: string; readonly failed: boolean };

export interface Tool {
  readonly name: string;
  readonly description: string;
}

export interface Run {
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** One call of a model: what went in, and what came back. */
export interface ModelCall {
  readonly history: readonly Turn[];
  /** What nobody has sent yet: all since the answer before. */
  readonly fresh: readonly Turn[];
  readonly answer: Extract<Turn, { by: "model" }>;
  readonly run: Run;
}

export type ToolTurn = Extract<Turn, { by: "tool" }>;
type Payload = Record<string, unknown>;

/**
 * How the clients of one framework write a run: the payloads of its model calls, and those of its calls of
 * tools, if it sends any.
 */
export interface FrameworkForm {
  readonly name: string;
  readonly model: (call: ModelCall) => Payload | readonly Payload[];
  readonly tool?: (turn: ToolTurn) => Payload;
  /** The form has no mark of a failure: a failed call is told from a good one by its words alone. */
  readonly unmarkedFailures?: true;
}

/** The payloads of a run's events, in their order, as the client sends them. */
export function payloadsOf(form: FrameworkForm, run: Run): readonly (readonly [EventType, Payload])[] {
  const all: (readonly [EventType, Payload])[] = [];
  let answered = 0;
  run.turns.forEach((turn, position) => {
    if (turn.by === "model") {
      const history = run.turns.slice(0, position);
      const told = form.model({ history, fresh: history.slice(answered), answer: turn, run });
      for (const payload of Array.isArray(told) ? told : [told]) all.push(["llm_call", payload as Payload]);
      answered = position + 1;
    } else if (turn.by === "tool" && form.tool !== undefined) all.push(["tool_call", form.tool(turn)]);
  });
  return all;
}

export function eventsOf(form: FrameworkForm, run: Run): readonly DetectorEvent[] {
  const list = new EventList();
  for (const [type, payload] of payloadsOf(form, run)) list.add(type, payload);
  return list.events;
}

export const systemText = (turns: readonly Turn[]): string =>
  turns.flatMap((turn) => (turn.by === "system" ? [turn.text] : [])).join("\n");

export const withoutSystem = (turns: readonly Turn[]): readonly Turn[] =>
  turns.filter((turn) => turn.by !== "system");

/** A text as Python prints it. */
export function pythonText(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") {
    const plain = value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
    return plain.includes("'") && !plain.includes('"') ? `"${plain}"` : `'${plain.replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`;
  const parts = Object.entries(value as object).map(([key, one]) => `'${key}': ${pythonText(one)}`);
  return `{${parts.join(", ")}}`;
}
