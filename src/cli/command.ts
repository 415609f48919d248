import type { Config } from "../config.ts";
import type { Sql } from "../store/database/connect.ts";

/**
 * What an operator command is made of. A noun is one file that exports `noun`, and one line in nouns.ts; the
 * parsing, the help, the two forms of output and the exit codes are main.ts's. A command does its work and
 * answers a value: it prints nothing and never ends the process.
 */

export interface Flag {
  readonly kind: "text" | "integer" | "time" | "boolean";
  /** Stands for the value in the help, e.g. ID. */
  readonly placeholder?: string;
  readonly summary: string;
  readonly required?: boolean;
  /** The values of a text that are taken. */
  readonly choices?: readonly string[];
  /** The integers that are taken. */
  readonly range?: Range;
  /** What holds where it is not given, as the help says it. */
  readonly default?: string | number;
}

export interface Range {
  readonly min: number;
  readonly max?: number;
  /** What 0 stands for, where it is no number like the others. */
  readonly zero?: string;
}

export interface Command {
  /** Empty where the noun is one command and takes no verb. */
  readonly verb: string;
  readonly summary: string;
  /** Positional arguments, all required, by the name shown in the help. */
  readonly positionals?: readonly string[];
  readonly flags?: Readonly<Record<string, Flag>>;
  run(input: CommandInput): Promise<CommandResult>;
}

export interface Noun {
  readonly name: string;
  readonly commands: readonly Command[];
}

export interface CommandInput {
  readonly config: Config;
  readonly positionals: readonly string[];
  readonly flags: Flags;
  /** URL of the database: DATABASE_URL, else the embedded one of DATA_DIR. */
  databaseUrl(): string;
  /** One connection to it; main.ts ends it. */
  database(): Sql;
  /** Tells a waiting operator how far the work is: a line on standard error. */
  note(text: string): void;
}

/** The flags given, already of the kind and within the bounds declared. */
export interface Flags {
  text(name: string): string | undefined;
  integer(name: string): number | undefined;
  time(name: string): Date | undefined;
  boolean(name: string): boolean;
}

export type CommandResult =
  | { readonly ok: true; readonly json: unknown; readonly human: string }
  /**
   * `usage`: what was typed is wrong (exit 2); `configuration`: the environment is (exit 2, as of the
   * service); `failed`: it was right and did not work (exit 1). What a failure has to show, `json`, is still
   * the answer of --json.
   */
  | {
      readonly ok: false;
      readonly kind: "usage" | "configuration" | "failed";
      readonly message: string;
      readonly json?: unknown;
    };

export function done(json: unknown, human: string): CommandResult {
  return { ok: true, json, human };
}

/** It was typed rightly and did not work: exit 1. */
export function failed(message: string, json?: unknown): CommandResult {
  return { ok: false, kind: "failed", message, json };
}

/** It was typed wrongly: exit 2, with the usage. */
export function misused(message: string): CommandResult {
  return { ok: false, kind: "usage", message };
}

/** A store's answer that is not ok, in the terms of a command line. */
export function refused(result: {
  readonly reason: "invalid" | "not_found" | "conflict";
  readonly detail: string;
}): CommandResult {
  return result.reason === "invalid" ? misused(result.detail) : failed(result.detail);
}
