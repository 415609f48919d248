import { parseArgs } from "node:util";
import type { ParsedOptions } from "./command.ts";

/** The command line of a bench, read so that every mistake is named and nothing is corrected in silence. */

type Declared = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>>;
type Values<Options extends Declared> = {
  readonly [Name in keyof Options]?: Options[Name]["type"] extends "boolean" ? boolean : string;
};
/** The options that have a text. */
type TextNames<Options extends Declared> = {
  [Name in keyof Options]: Options[Name]["type"] extends "string" ? Name : never;
}[keyof Options] &
  string;

export const text = { type: "string" } as const;
export const flag = { type: "boolean" } as const;
const help = { help: { type: "boolean", short: "h" } } as const;

/** What was given, and the mistakes found in it so far. */
export class OptionReader<Options extends Declared> {
  readonly mistakes: string[] = [];

  constructor(readonly values: Values<Options>) {}

  /** A mistake yields the default. */
  whole(name: TextNames<Options>, byDefault: number, low: number, high: number): number {
    const value = this.#textOf(name);
    if (value === undefined) return byDefault;
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    this.mistakes.push(`--${name} must be a whole number from ${low} to ${high}`);
    return byDefault;
  }

  /** A mistake yields the default. */
  choice<T extends string>(name: TextNames<Options>, byDefault: T, allowed: readonly T[]): T {
    const value = this.#textOf(name) ?? byDefault;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) this.mistakes.push(`--${name} must be one of ${allowed.join(", ")}`);
    return found ?? byDefault;
  }

  #textOf(name: TextNames<Options>): string | undefined {
    const value: unknown = this.values[name];
    return typeof value === "string" ? value : undefined;
  }
}

/** The options of `args`, as `read` makes them of what was given; `--help` goes before everything. */
export function parseOptions<const Options extends Declared, Parsed>(
  args: string[],
  declared: Options,
  read: (reader: OptionReader<Options>) => Parsed,
): ParsedOptions<Parsed> {
  let values: Values<Options> & { readonly help?: boolean };
  try {
    const options = { ...declared, ...help };
    values = parseArgs({ args, strict: true, allowPositionals: false, options }).values as typeof values;
  } catch (error) {
    return { kind: "mistakes", mistakes: [error instanceof Error ? error.message : String(error)] };
  }
  if (values.help === true) return { kind: "help" };
  const reader = new OptionReader<Options>(values);
  const options = read(reader);
  const { mistakes } = reader;
  return mistakes.length > 0 ? { kind: "mistakes", mistakes } : { kind: "options", options };
}
