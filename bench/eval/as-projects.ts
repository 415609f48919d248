/**
 * `bun bench/eval/as-projects.ts DIR`: clean public runs put together as the projects that make them, for the
 * rules that compare a run with those before it. `order`: a set as it stands; `chance`: a set mixed, ten
 * times; `suite`: each of its suites, mixed; `turns`: one run six times over and then one of another task of
 * the same suite, which is the hardest: a steady project's first other request. Prints the projects, and
 * those in which a rule of behavior_drift fires. Answers are counted at four characters a token.
 */
import type { DetectorEvent } from "../../src/detect/detector.ts";
import { behaviorDrift } from "../../src/detect/detectors/behavior-drift.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { type AgentRun, agentDojoRuns, tauBenchRuns, whoWhenRuns } from "./agent-runs.ts";
import { loadRows } from "./dataset.ts";
import { EventList } from "./events.ts";
import { RunMemory } from "./run-memory.ts";

interface NamedRun {
  readonly suite: string;
  readonly task: string;
  readonly events: readonly DetectorEvent[];
}

type Row = Readonly<Record<string, unknown>>;

const SETS: readonly (readonly [
  string,
  (rows: readonly Row[]) => AgentRun[],
  (row: Row) => [string, string],
])[] = [
  ["agentdojo_traces_banking_workspace", agentDojoRuns, namesOfDojo],
  ["agentdojo_traces_slack_travel", agentDojoRuns, namesOfDojo],
  [
    "taubench_traces",
    (rows) => rows.flatMap((row) => tauBenchRuns([{ ...row, reward: 1 }])),
    (row) => ["", String(row.task_id)],
  ],
  ["whowhen_traces", whoWhenRuns, (row) => ["", String(row.question_ID)]],
];

function namesOfDojo({ meta }: Row): [string, string] {
  const { suite_name, model, user_task_id } = meta as Record<string, unknown>;
  return [`${suite_name} ${model}`, `${suite_name} ${user_task_id}`];
}

function eventsOf({ chat }: AgentRun): readonly DetectorEvent[] {
  const list = new EventList();
  for (const { role, content, calls, toolName } of chat) {
    const asked = calls.map(({ args }) => JSON.stringify(args ?? "")).join("");
    if (role === "assistant")
      list.add("llm_call", {
        model: "m",
        tokens_out: Math.ceil(((content ?? "").length + asked.length) / 4) + 5,
        output: content,
      });
    for (const { id, name, args } of calls)
      list.add("tool_call", { tool_name: name, call_id: id, arguments: args });
    if (role === "tool" && toolName !== "") list.add("tool_call", { tool_name: toolName, result: content });
  }
  return list.events;
}

/** The rules that fire in a project that makes these runs one after the other. */
function fired(runs: readonly NamedRun[]): readonly string[] {
  const memory = new RunMemory();
  return runs.flatMap(({ events }, at) => {
    const execution = viewAtStart({ executionId: `run-${at}`, startedMs: 0 });
    const call = { nowMs: 0, settings: { thresholds: {}, allow: [] }, memory };
    const { state } = behaviorDrift.detect({
      ...call,
      execution,
      events,
      cause: "events",
      state: behaviorDrift.createState(),
    });
    const done = { ...execution, status: "completed" as const };
    const found = behaviorDrift.detect({
      ...call,
      execution: done,
      events: [],
      cause: "status",
      state,
    }).detections;
    return found.map(({ ruleIds: [rule] }) => rule ?? "");
  });
}

/** The same numbers each time: a linear congruential generator. */
function mixed<T>(list: readonly T[], seed: number): T[] {
  const order = [...list];
  let at = seed * 2_654_435_761 + 1;
  for (let i = order.length - 1; i > 0; i--) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    const j = at % (i + 1);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

function tell(name: string, projects: readonly (readonly NamedRun[])[]): void {
  const count: Record<string, number> = {};
  for (const runs of projects) for (const rule of new Set(fired(runs))) count[rule] = (count[rule] ?? 0) + 1;
  process.stdout.write(`${name.padEnd(50)} ${projects.length} projects  ${JSON.stringify(count)}\n`);
}

const TURN_RUNS = 6;

/**
 * One run of each task, made six times over with answers up to a fifth longer or shorter, then one run of
 * each other task.
 */
function turnsOf(runs: readonly NamedRun[]): (readonly NamedRun[])[] {
  const firsts = [...Map.groupBy(runs, ({ task }) => task).values()].map(([first]) => first as NamedRun);
  return firsts.flatMap((run) => {
    const before = Array.from({ length: TURN_RUNS }, (_, at) => ({
      ...run,
      events: run.events.map((event) => lengthened(event, 0.8 + 0.07 * ((at * 5) % TURN_RUNS))),
    }));
    return firsts.filter((other) => other !== run).map((other) => [...before, other]);
  });
}

function lengthened(event: DetectorEvent, factor: number): DetectorEvent {
  const { tokens_out } = event.payload;
  return typeof tokens_out === "number"
    ? { ...event, payload: { ...event.payload, tokens_out: Math.round(tokens_out * factor) } }
    : event;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun bench/eval/as-projects.ts DIR");
for (const [set, read, names] of SETS) {
  const rows = loadRows(folder, set);
  if (rows === null) continue;
  const runs = read(rows).flatMap((run, at): NamedRun[] => {
    if (run.attack?.succeeded) return [];
    const [suite, task] = names(rows[at] as Row);
    return [{ suite, task, events: eventsOf(run) }];
  });
  tell(`${set}, order`, [runs]);
  tell(
    `${set}, chance`,
    Array.from({ length: 10 }, (_, seed) => mixed(runs, seed)),
  );
  const suites = [...Map.groupBy(runs, ({ suite }) => suite).values()];
  tell(
    `${set}, suite`,
    suites.flatMap((list) => [list, mixed(list, 3)]),
  );
  // One start after another of a few runs each.
  tell(
    `${set}, starts`,
    Array.from({ length: 20 }, (_, seed) => mixed(runs, seed)).flatMap((list) =>
      Array.from({ length: Math.min(40, Math.floor(list.length / 12)) }, (_, at) =>
        list.slice(12 * at, 12 * at + 12),
      ),
    ),
  );
  tell(`${set}, turns`, suites.flatMap(turnsOf));
}
