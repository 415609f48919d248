import { parseArgs } from "node:util";
import { ensureInstalled } from "../install.ts";
import { timeOf } from "../store/given-time.ts";
import type { Command, CommandInput, CommandResult, Flag, Flags, Noun } from "./command.ts";
import { boundsOf, valueProblem } from "./flag-values.ts";
import { type NounEntry, nouns } from "./nouns.ts";
import { jsonLine } from "./table.ts";

/**
 * The operator's entry: `bun run cli <noun> <verb>`. Standard output carries the answer alone — with --json
 * exactly one JSON document — and standard error everything else. Exit codes: 0 done, 1 it did not work, 2
 * typed wrongly, or the environment has mistakes.
 */

const program = "bun run cli";
const common: Readonly<Record<string, Flag>> = {
  json: { kind: "boolean", summary: "Answer as one JSON document" },
  help: { kind: "boolean", summary: "Show this help" },
};

ensureInstalled({ development: false });
process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  const [nounName = "", ...rest] = args;
  if (nounName === "" || isHelp(nounName)) {
    (nounName === "" ? process.stderr : process.stdout).write(programHelp());
    return nounName === "" ? 2 : 0;
  }
  const entry = nouns.find((candidate) => candidate.name === nounName);
  if (entry === undefined) return usage(`There is no ${JSON.stringify(nounName)}`, programHelp());
  const { noun } = await entry.load();
  const sole = noun.commands.find((candidate) => candidate.verb === "");
  if (sole !== undefined) return await runCommand(noun, sole, rest);
  const [verb = "", ...given] = rest;
  if (verb === "" || isHelp(verb)) {
    (verb === "" ? process.stderr : process.stdout).write(nounHelp(entry, noun));
    return verb === "" ? 2 : 0;
  }
  const command = noun.commands.find((candidate) => candidate.verb === verb);
  if (command === undefined)
    return usage(`${nounName} has no ${JSON.stringify(verb)}`, nounHelp(entry, noun));
  return await runCommand(noun, command, given);
}

async function runCommand(noun: Noun, command: Command, args: readonly string[]): Promise<number> {
  const help = commandHelp(noun, command);
  const parsed = parse(command, args);
  if (parsed === "help") {
    process.stdout.write(help);
    return 0;
  }
  if (typeof parsed === "string") return usage(parsed, help);
  const { execute } = await import("./execute.ts");
  const result: CommandResult = await execute(
    (input: Pick<CommandInput, "config" | "databaseUrl" | "database">) =>
      command.run({ ...input, positionals: parsed.positionals, flags: parsed.flags, note }),
  );
  if (result.ok) return await answer(parsed.json ? jsonLine(result.json) : result.human);
  if (result.kind === "usage") return usage(result.message, help);
  if (result.kind === "configuration") {
    process.stderr.write(`${result.message}\n`);
    return 2;
  }
  if (parsed.json && result.json !== undefined) await answer(jsonLine(result.json));
  process.stderr.write(`${result.message}\n`);
  return 1;
}

interface Parsed {
  readonly positionals: readonly string[];
  readonly flags: Flags;
  readonly json: boolean;
}

function parseLine(declared: Readonly<Record<string, Flag>>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(declared).map(([name, flag]) => [
      name,
      {
        type: flag.kind === "boolean" ? ("boolean" as const) : ("string" as const),
        ...(name === "help" ? { short: "h" } : {}),
      },
    ]),
  );
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
}

/** What node says of a line that it cannot read, in one sentence and with what to type instead. */
function problemOf({ message }: Error): string {
  const flag = /^Unknown option '([^']*)'/.exec(message)?.[1];
  if (flag !== undefined) {
    const typed = flag.startsWith("-") ? flag : `-${flag}`;
    return `There is no flag ${typed}; an id that begins with a dash comes last, behind --`;
  }
  const valueless = /^Option '[^']*(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(message)?.[1];
  if (valueless !== undefined)
    return `${valueless} has no value; one that begins with a dash is given as ${valueless}=VALUE`;
  return message.replace(/\.+$/, "");
}

/** The parsed line, "help", or what is wrong with it. */
function parse(command: Command, args: readonly string[]): Parsed | "help" | string {
  const declared = { ...command.flags, ...common };
  let read: ReturnType<typeof parseLine>;
  try {
    read = parseLine(declared, args);
  } catch (error) {
    return error instanceof Error ? problemOf(error) : "The command line cannot be read";
  }
  const { values, positionals, tokens } = read;
  if (values.help === true) return "help";
  const wanted = command.positionals ?? [];
  const missing = wanted[positionals.length];
  if (missing !== undefined) return `${missing} is missing`;
  const extra = positionals[wanted.length];
  if (extra !== undefined) return `Unexpected argument ${JSON.stringify(extra)}`;
  for (const [name, flag] of Object.entries(declared)) {
    const value = values[name];
    if (flag.required && value === undefined) return `--${name} is missing`;
    // The last would win, and the others would be lost without a word.
    if (tokens.filter((token) => token.kind === "option" && token.name === name).length > 1)
      return `--${name} is given more than once`;
  }
  const text = (name: string) => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  const flags: Flags = {
    text,
    integer(name) {
      const value = text(name);
      return value === undefined ? undefined : Number(value);
    },
    time(name) {
      const ms = timeOf(text(name) ?? "");
      return ms === null ? undefined : new Date(ms);
    },
    boolean: (name) => values[name] === true,
  };
  for (const [name, flag] of Object.entries(declared)) {
    const problem = valueProblem(flags, name, flag);
    if (problem !== null) return problem;
  }
  return { positionals, flags, json: values.json === true };
}

/**
 * Written to the end before anybody ends the process: a pipe takes some 64 KiB at a time, and the rest would
 * be lost. Whoever closed it (`| head`) has seen enough. Answers the exit code.
 */
async function answer(text: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>();
  process.stdout.on("error", resolve);
  process.stdout.write(`${text}\n`, (error) => resolve(error ?? null));
  const failure = await promise;
  if (failure === null || failure.code === "EPIPE") return 0;
  process.stderr.write(`The answer could not be written: ${failure.message}\n`);
  return 1;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

function isHelp(text: string): boolean {
  return text === "--help" || text === "-h" || text === "help";
}

function usage(message: string, help: string): number {
  const sentence = message.replace(/^[a-z]+(?= )/, (word) => word[0]!.toUpperCase() + word.slice(1));
  process.stderr.write(`${sentence}.\n\n${help}`);
  return 2;
}

function programHelp(): string {
  const rows = nouns.map(({ name, summary }): [string, string] => [name, summary]);
  return `Usage: ${program} <noun> <verb> [--json]\n\nNouns:\n${columns(rows)}\n\nEach noun and each verb has its own --help. The database is that of DATABASE_URL, else the running embedded\nPostgreSQL of DATA_DIR.\n`;
}

function nounHelp(entry: NounEntry, noun: Noun): string {
  const rows = noun.commands.map((command): [string, string] => [
    [command.verb, ...(command.positionals ?? [])].join(" "),
    command.summary,
  ]);
  return `${entry.summary}.\n\nUsage: ${program} ${noun.name} <verb> [--json]\n\nVerbs:\n${columns(rows)}\n`;
}

function commandHelp(noun: Noun, command: Command): string {
  const flags = Object.entries({ ...command.flags, ...common });
  const rows = flags.map(([name, flag]): [string, string] => [
    `--${name}${flag.placeholder === undefined ? "" : ` ${flag.placeholder}`}`,
    summaryOf(flag),
  ]);
  const words = [program, noun.name, command.verb, ...(command.positionals ?? []), "[flags]"];
  const line = words.filter((word) => word !== "").join(" ");
  return `${command.summary}.\n\nUsage: ${line}\n\nFlags:\n${columns(rows)}\n`;
}

function summaryOf(flag: Flag): string {
  const bounds = boundsOf(flag);
  const given = flag.default === undefined ? "" : ` (default: ${flag.default})`;
  return `${flag.summary}${bounds === "" ? "" : `, ${bounds}`}${given}${flag.required ? " (required)" : ""}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
