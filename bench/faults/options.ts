/** Command line of `bench faults`. */

import type { ParsedOptions } from "../command.ts";
import { flag, parseOptions, text } from "../option-reader.ts";
import { FAULT_NAMES, type FaultName, ON_THE_WAY } from "./fault-kinds.ts";

export interface FaultsOptions {
  json: boolean;
  report: string | undefined;
  /** How long runs begin and faults happen; what is under way then is finished without faults. */
  seconds: number;
  services: number;
  /** One service, which runs its PostgreSQL itself. */
  embedded: boolean;
  runsPerSecond: number;
  /** Mean pause between two faults. */
  everyMs: number;
  seed: number;
  faults: readonly FaultName[];
}

const DECLARED = {
  json: flag,
  report: text,
  seconds: text,
  services: text,
  embedded: flag,
  runs: text,
  every: text,
  seed: text,
  only: text,
} as const;

export const FAULTS_USAGE = `Usage: bun run bench faults [options]

Services on one PostgreSQL, clients that send runs with known failures until every answer is final, a receiver of
webhooks, and faults by chance meanwhile. Then nothing may be lost and nothing may be there twice: events, ends of
runs, detections, counts of groups, webhooks.

  --seconds N       how long runs begin and faults happen (120)
  --services N      services on the one database (2)
  --embedded        one service that runs its PostgreSQL itself; nothing can be cut between the two then
  --runs N          runs begun a second (20)
  --every MS        mean pause between two faults (2500)
  --seed N          what is sent and which faults happen; how they meet is the machine's (1)
  --only A,B        these faults alone; "none" for no fault at all. All of them:
                    ${FAULT_NAMES.slice(0, 5).join(", ")},
                    ${FAULT_NAMES.slice(5).join(", ")}
  --json            one JSON document on stdout
  --report FILE     also write the report as Markdown

Exit code: 0 all good, 1 a check failed, 2 usage.
`;

function faultsOf(given: string | undefined, mistakes: string[]): readonly FaultName[] {
  if (given === undefined) return FAULT_NAMES;
  if (given === "none") return [];
  const names = given.split(",");
  const unknown = names.filter((name) => !FAULT_NAMES.some((known) => known === name));
  if (unknown.length > 0) mistakes.push(`--only knows no ${unknown.join(", ")}`);
  return FAULT_NAMES.filter((known) => names.includes(known));
}

export function parseFaultsOptions(args: string[]): ParsedOptions<FaultsOptions> {
  return parseOptions(args, DECLARED, (given): FaultsOptions => {
    const { values, mistakes } = given;
    const embedded = values.embedded === true;
    const faults = faultsOf(values.only, mistakes);
    if (embedded && values.services !== undefined) mistakes.push("--embedded is one service: no --services");
    return {
      json: values.json === true,
      report: values.report,
      seconds: given.whole("seconds", 120, 1, 3_600),
      services: embedded ? 1 : given.whole("services", 2, 1, 4),
      embedded,
      runsPerSecond: given.whole("runs", 20, 1, 200),
      everyMs: given.whole("every", 2_500, 100, 60_000),
      seed: given.whole("seed", 1, 0, 2 ** 31),
      faults: embedded ? faults.filter((name) => !ON_THE_WAY.includes(name)) : faults,
    };
  });
}
