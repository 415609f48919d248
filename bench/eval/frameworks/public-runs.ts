/**
 * `bun bench/eval/frameworks/public-runs.ts --data DIR` replays the public runs in every form of `matrix.ts`
 * to all detectors: what share of the attacks is found, and what fires in clean runs. Takes ten minutes. Exit
 * 0 done, 2 usage.
 */
import { existsSync } from "node:fs";
import { DETECTORS } from "../../../src/detect/registry.ts";
import { forgetTexts } from "../../../src/detect/text/quiet-texts.ts";
import { type ChatMessage, OpenCalls, type ToolCall } from "../chat.ts";
import { loadRows } from "../dataset.ts";
import { detectRun } from "../detector-set.ts";
import { RUN_SETS } from "../run-sets.ts";
import { ALL_FORMS } from "./matrix.ts";
import { type Call, eventsOf, type FrameworkForm, type Run, type Turn } from "./run.ts";

function argumentsOf(given: unknown): Call["args"] {
  if (typeof given !== "string") return (given as Call["args"] | undefined) ?? {};
  try {
    const read: unknown = JSON.parse(given);
    return typeof read === "object" && read !== null ? (read as Call["args"]) : { value: read };
  } catch {
    return { text: given };
  }
}

/** Calls without an id get one, as forms tell by it which result is whose. */
export function runOf(chat: readonly ChatMessage[]): Run {
  const open = new OpenCalls();
  const named = new Map<ToolCall | undefined, Call>();
  let calls = 0;
  const turns = chat.map((message): Turn => {
    const { role, content, callId, toolName } = message;
    const text = content ?? "";
    if (role === "tool") {
      // A team's tool speaks without having been called.
      const call = named.get(open.answer(callId)) ?? {
        id: `c${calls}`,
        name: toolName || "tool",
        args: { part: calls++ },
      };
      return { by: "tool", call, text, failed: false };
    }
    if (role !== "assistant") return { by: role, text };
    open.ask(message.calls);
    const asked = message.calls.map((one) => {
      const call = { id: `c${calls++}`, name: one.name, args: argumentsOf(one.args) };
      named.set(one, call);
      return call;
    });
    return { by: "model", text, calls: asked };
  });
  return { turns, tools: [], tokensIn: 100, tokensOut: 20 };
}

interface Group {
  runs: number;
  readonly fired: Map<string, number>;
}

function replay(form: FrameworkForm, folder: string): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const { name, runs } of RUN_SETS) {
    for (const { attack, attackSeen, chat } of runs(loadRows(folder, name) ?? [])) {
      if (attack !== null && attackSeen === false) continue;
      const became = attack === null ? "clean" : attack.succeeded ? "attack succeeded" : "attack failed";
      const group = groups.get(`${name}, ${became}`) ?? { runs: 0, fired: new Map<string, number>() };
      groups.set(`${name}, ${became}`, group);
      group.runs++;
      forgetTexts();
      for (const found of detectRun(DETECTORS, eventsOf(form, runOf(chat))).keys())
        group.fired.set(found, (group.fired.get(found) ?? 0) + 1);
    }
  }
  return groups;
}

function main(args: readonly string[]): number {
  const folder = args[args.indexOf("--data") + 1];
  if (!args.includes("--data") || folder === undefined || !existsSync(folder)) {
    process.stderr.write("Usage: bun bench/eval/frameworks/public-runs.ts --data DIR\n");
    return 2;
  }
  for (const form of ALL_FORMS) {
    console.log(form.name);
    for (const [group, { runs, fired }] of replay(form, folder)) {
      const all = [...fired].map(([found, count]) => `${found} ${count}`).sort();
      console.log(`  ${group}, ${runs} runs: ${all.join(", ") || "nothing"}`);
    }
  }
  return 0;
}

if (import.meta.main) process.exit(main(process.argv.slice(2)));
