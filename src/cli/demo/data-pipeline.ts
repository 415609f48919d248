import type { Random } from "./random.ts";
import { type Agent, RunScript } from "./run-script.ts";
import { healthy, incident, type Scenario } from "./scenario.ts";

/** Loads the shop's tables every few minutes, mends what it can and says what it could not. */
const AGENT: Agent = {
  name: "data-pipeline",
  sdkLanguage: "go",
  sdkVersions: ["0.9.1", "0.9.1", "0.9.0"],
  model: "corvid-mini",
  provider: "corvid",
  instructions:
    "You load tables into the warehouse, check their row counts and repair small faults. Ask before you drop anything.",
};

const TABLES = ["orders", "order_lines", "parcels", "returns", "stock", "prices", "visits"];

const opened = (random: Random, table: string) =>
  new RunScript(random, AGENT)
    .environment("live", "scheduler", `nightly and hourly loads`)
    .tool("list_files", { bucket: "incoming", prefix: table }, { files: random.integer(2, 12) })
    .checkpoint("listed");

function loaded(run: RunScript, table: string): RunScript {
  const { random } = run;
  const parts = random.integer(2, 5);
  for (let part = 1; part <= parts; part++) {
    run
      .tool(
        "load_part",
        { table, part },
        { rows: random.integer(8_000, 60_000) },
        { latencyMs: random.around(2_600) },
      )
      .checkpoint(`part-${part}`);
  }
  return run;
}

const load: Scenario = healthy("load", 14, (random) => {
  const table = random.pick(TABLES);
  const run = loaded(opened(random, table), table)
    .egress("warehouse.loom.example:5432", "load_part", random.around(400_000))
    .validator("row_counts", true, "source and target agree");
  if (random.chance(0.2)) {
    run.event("infrastructure_event", {
      component: "loader",
      kind: "scaled_up",
      message: "two workers added, recovered",
    });
  }
  return run
    .model(`Table ${table} is loaded; row counts agree with the source.`, {
      user: `Load ${table} and report.`,
    })
    .completed();
});

const repaired: Scenario = healthy("load-repaired", 4, (random) => {
  const table = random.pick(TABLES);
  const line = random.integer(100, 40_000);
  return loaded(opened(random, table), table)
    .exception(
      "ParseError",
      `line ${line}: expected 9 columns, found 8`,
      `ParseError: line ${line}\nmain.parseRow(...)\n\t/src/loader/parse.go:77\nmain.loadPart(...)\n\t/src/loader/load.go:141`,
      true,
    )
    .model(`Line ${line} lacks a column; its neighbour has the same key, so I leave it out and note it.`, {
      user: `Load ${table} and report.`,
      finish: "tool_calls",
    })
    .tool("skip_line", { table, line }, { skipped: 1 })
    .validator("row_counts", true, "one row fewer, as noted")
    .completed();
});

const GO_STACK = [
  "panic: runtime error: index out of range [8] with length 8",
  "goroutine 41 [running]:",
  "main.parseRow(0xc000118000, 0x8)",
  "\t/src/loader/parse.go:83 +0x1d4",
  "main.loadPart(0xc00011c0c0)",
  "\t/src/loader/load.go:141 +0x9e",
].join("\n");

const loaderPanics = incident("loader-panics", 5, [6, 6.8], (random) => {
  const table = random.pick(TABLES);
  return opened(random, table)
    .tool("load_part", { table, part: 1 }, { rows: random.integer(8_000, 60_000) })
    .exception("runtime.boundsError", "index out of range [8] with length 8", GO_STACK, false)
    .crashed();
});

const diskFull = incident("disk-full", 3, [12, 12.7], (random) => {
  const table = random.pick(TABLES);
  return opened(random, table)
    .event("infrastructure_event", {
      component: "staging-volume",
      kind: "disk_full",
      code: "ENOSPC",
      message: "no space left on device",
      node: `node-${random.integer(1, 4)}`,
    })
    .tool("load_part", { table, part: 1 }, null, { error: "write /staging/part-1: no space left on device" })
    .wait(60_000)
    .tool("load_part", { table, part: 1 }, { rows: random.integer(8_000, 60_000) })
    .validator("row_counts", true, "source and target agree")
    .completed();
});

const countsDiffer = incident("row-counts-differ", 4, [0, 22], (random) => {
  const table = random.pick(TABLES);
  const run = loaded(opened(random, table), table).validator(
    "row_counts",
    false,
    `target lacks ${random.integer(3, 900)} rows of ${table}`,
  );
  return run
    .model(`Row counts of ${table} differ, so I stop and leave the table as it was.`, {
      user: `Load ${table} and report.`,
    })
    .crashed({ crash_signature: "sha256:51c07e9d" });
});

const slowLoad = incident("load-took-hours", 2, [3, 22], (random) => {
  const table = random.pick(TABLES);
  return loaded(opened(random, table).wait(random.integer(70, 110) * 60_000), table)
    .validator("row_counts", true, "source and target agree")
    .completed();
});

const silent = incident("went-silent", 3, [0.2, 6], (random) => {
  const table = random.pick(TABLES);
  return opened(random, table).openTool("load_part", { table, part: 1 }).leftOpen();
});

const lostEvents = incident("lost-events", 3, [0, 24], (random) => {
  const table = random.pick(TABLES);
  return loaded(opened(random, table).loseEvents(random.integer(2, 5)), table).completed();
});

const wrongTotals = incident("totals-do-not-add-up", 3, [0, 24], (random) => {
  const table = random.pick(TABLES);
  const run = loaded(opened(random, table), table).model(`Table ${table} is loaded.`, {
    user: `Load ${table} and report.`,
    tokensIn: random.integer(2_000, 4_000),
  });
  return run.completed({ total_tokens_in: 640, total_tokens_out: 18 });
});

export const PIPELINE_SCENARIOS: readonly Scenario[] = [
  load,
  repaired,
  loaderPanics,
  diskFull,
  countsDiffer,
  slowLoad,
  silent,
  lostEvents,
  wrongTotals,
];
