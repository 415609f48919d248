/**
 * `bun run eval detectors --data DIR [--shapes] [--json]` measures the text detectors on data that is not part of the project and on the
 * project's invented texts, all detectors on public runs, in one shape of a client or in each, and all others on generated runs;
 * `bun run eval train --data DIR` writes the weights of the jailbreak model. What is absent is skipped and named.
 * Exit 0 done, 1 nothing to measure, 2 usage.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_SHAPES, FIRST_SHAPE } from "./client-shapes.ts";
import { evaluateCorpus } from "./corpus-sets.ts";
import { measureCost } from "./cost.ts";
import { evaluateGenerated } from "./generated-sets.ts";
import { type Report, textReport } from "./report.ts";
import { evaluateRuns, RUN_SETS, type RunResult } from "./run-sets.ts";
import { evaluateTexts, TEXT_SETS, type TextResult } from "./text-sets.ts";
import { leaveOneOut, trainingSamples, weightsSource } from "./train-jailbreak.ts";
import { evaluateUnseenCases } from "./unseen-cases.ts";
import { evaluateUnseenRuns, evaluateUnseenTexts } from "./unseen-sets.ts";

const USAGE = `Usage: bun run eval <command> --data DIR [--shapes] [--json]

Commands:
  detectors   precision, recall, false positives and cost of the detectors: on the sets in DIR, on invented texts, on generated runs;
              with --shapes whole runs in every shape that clients send, which takes two minutes more
  train       train the jailbreak model on the sets in DIR and write src/detect/text/jailbreak/jailbreak-weights.ts
`;

function dataFolder(args: readonly string[]): string | null {
  const at = args.indexOf("--data");
  const folder = at < 0 ? undefined : args[at + 1];
  return folder !== undefined && existsSync(folder) ? folder : null;
}

function measure(folder: string, inAllShapes: boolean): Report {
  const shapes = inAllShapes ? CLIENT_SHAPES : [FIRST_SHAPE];
  const skipped: string[] = [];
  const texts: TextResult[] = [];
  const runs: RunResult[] = [];
  for (const set of TEXT_SETS) {
    const results = evaluateTexts(folder, set);
    if (results === null) skipped.push(set.name);
    else texts.push(...results);
  }
  for (const set of RUN_SETS) {
    const results = evaluateRuns(folder, set, shapes);
    if (results === null) skipped.push(set.name);
    else runs.push(...results);
  }
  const samples = trainingSamples(folder);
  const heldOut = new Set(samples.map((one) => one.group)).size > 1 ? leaveOneOut(samples) : [];
  return {
    skipped,
    texts,
    runs,
    heldOut,
    corpus: evaluateCorpus(),
    unseenTexts: evaluateUnseenTexts(),
    unseenRuns: evaluateUnseenRuns(),
    unseenCases: evaluateUnseenCases(),
    generated: evaluateGenerated(),
    cost: [measureCost(200), measureCost(700)],
  };
}

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  const folder = dataFolder(rest);
  if ((command !== "detectors" && command !== "train") || folder === null) {
    process.stderr.write(USAGE);
    if (command !== undefined && folder === null)
      process.stderr.write("--data must name an existing folder\n");
    return 2;
  }
  if (command === "train") {
    const samples = trainingSamples(folder);
    if (samples.length === 0) {
      process.stderr.write("none of the training sets is in the data folder\n");
      return 1;
    }
    const target = join(import.meta.dir, "../../src/detect/text/jailbreak/jailbreak-weights.ts");
    await Bun.write(target, weightsSource(samples));
    return 0;
  }
  const report = measure(folder, rest.includes("--shapes"));
  process.stdout.write(rest.includes("--json") ? `${JSON.stringify(report)}\n` : textReport(report));
  return report.texts.length + report.runs.length === 0 ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
