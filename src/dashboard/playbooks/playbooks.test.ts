import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Command } from "../../cli/command.ts";
import { nouns } from "../../cli/nouns.ts";
import type { Detector } from "../../detect/detector.ts";
import { DETECTORS } from "../../detect/registry.ts";
import { checkDetectorSettings } from "../../detect/settings.ts";
import {
  EgressPayload,
  EnvironmentDeclarationPayload,
  Event,
  ExecutionCreate,
  ExecutionUpdate,
  LlmCallPayload,
} from "../../ingest/wire/wire-schemas.ts";
import { type Playbook, spansOf } from "./playbook.ts";
import { PLAYBOOKS, playbookOf } from "./playbooks.ts";

/**
 * What a playbook names must exist: a command that is refused or a field that no event has costs minutes at
 * the worst time. Code between backticks is a command, a flag of `detector configure`, or a word that the
 * sources know.
 */

const src = join(import.meta.dir, "../..");
const CODE_CHARS_MAX = 140;
const LISTS = {
  confirm: [2, 6],
  contain: [2, 6],
  fix: [2, 6],
  prevent: [2, 5],
  falseAlarms: [2, 5],
} as const;
/** Words in code that belong to what stands around the service, not to it. */
const FOREIGN = new Set(["env", "Retry-After", "CancelledError", "StopIteration", "PATCH"]);

type Section = keyof typeof LISTS;
const SECTIONS = Object.keys(LISTS) as Section[];

function textsOf(playbook: Playbook): string[] {
  return [playbook.meaning, ...SECTIONS.flatMap((section) => playbook[section])];
}

function codesOf(playbook: Playbook): string[] {
  return textsOf(playbook)
    .flatMap(spansOf)
    .filter(({ kind }) => kind === "code")
    .map(({ text }) => text);
}

function detectorOf({ failureClass }: Playbook): Detector {
  const detector = DETECTORS.find((one) => one.failureClass === failureClass);
  if (detector === undefined) throw new Error(`no detector has the class ${failureClass}`);
  return detector;
}

function sourcesUnder(folder: string): string {
  return readdirSync(join(src, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(src, folder, name), "utf8"))
    .join("\n");
}

const detectSources = sourcesUnder("detect");
const metricSources = ["http", "ingest", "detect", "notify"].map(sourcesUnder).join("\n");
const wireWords = new Set(
  [Event, ExecutionCreate, ExecutionUpdate, LlmCallPayload, EgressPayload, EnvironmentDeclarationPayload]
    .flatMap((schema) => Object.entries(schema.properties))
    .flatMap(([name, property]) => [name, JSON.stringify(property)])
    .flatMap((text) => text.match(/\w+/g) ?? []),
);
/** What the webhook and the group's page call them. */
const GROUP_WORDS = new Set(["first_seen_at"]);

/**
 * A field, a value, a class or a rule: as a whole word in the schemas, or as a name or a literal of a
 * detector.
 */
function isKnownWord(word: string): boolean {
  if (FOREIGN.has(word) || GROUP_WORDS.has(word) || wireWords.has(word)) return true;
  if (word.startsWith("ats_")) return metricSources.includes(`"${word}"`);
  const escaped = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(detectSources);
}

async function commandNamed(noun: string, verb: string): Promise<Command | undefined> {
  const loaded = await nouns.find((entry) => entry.name === noun)?.load();
  return loaded?.noun.commands.find((command) => command.verb === verb);
}

/** What is wrong with a command line as it stands in a playbook; null for one that the CLI takes. */
async function problemOf(line: string, detector: Detector): Promise<string | null> {
  const [noun = "", verb = "", ...args] = line.replace(/^bun run cli /, "").split(" ");
  const command = await commandNamed(noun, verb);
  if (command === undefined) return `no command ${noun} ${verb}`;
  const flags = Object.entries(command.flags ?? {});
  const options = Object.fromEntries(
    flags.map(([name, { kind }]) => [name, { type: kind === "boolean" ? "boolean" : "string" } as const]),
  );
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
  if (positionals.length !== (command.positionals ?? []).length) return "wrong number of arguments";
  const missing = flags.find(([name, { required }]) => required === true && values[name] === undefined);
  if (missing !== undefined) return `--${missing[0]} is missing`;
  if (noun !== "detector") return null;
  if (positionals[0] !== detector.failureClass) return `configures ${positionals[0]}`;
  return settingProblemOf(values, detector);
}

function settingProblemOf(values: Record<string, unknown>, detector: Detector): string | null {
  const { threshold, allow, enabled } = values;
  if (typeof enabled === "string" && !["on", "off"].includes(enabled)) return "--enabled is on or off";
  const chosen: Record<string, unknown> = {};
  if (typeof threshold === "string") {
    const pairs = threshold.split(",").map((pair) => pair.split("="));
    chosen.thresholds = Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
    const idle = pairs.find(([name = "", value]) => detector.thresholds[name]?.default === Number(value));
    if (idle !== undefined) return `${idle.join("=")} is the default`;
  }
  if (typeof allow === "string") {
    chosen.allow = allow.split(",");
    if (!readsAllowList(detector)) return "the detector has no allow-list";
  }
  const { problems } = checkDetectorSettings({ [detector.failureClass]: chosen }, DETECTORS);
  return problems[0]?.detail ?? null;
}

function readsAllowList({ failureClass }: Detector): boolean {
  const file = join(src, "detect/detectors", `${failureClass.replaceAll("_", "-")}.ts`);
  return /settings\.allow|\ballow\b/.test(readFileSync(file, "utf8"));
}

test("every class of the registry has its playbook, and no other exists", () => {
  const classes = DETECTORS.map(({ failureClass }) => failureClass);
  expect(PLAYBOOKS.map(({ failureClass }) => failureClass)).toEqual(classes);
  const files = readdirSync(import.meta.dir).filter((name) => !/^playbooks?\.(?:test\.)?ts$/.test(name));
  expect(files.sort()).toEqual(classes.map((name) => `${name.replaceAll("_", "-")}.ts`).sort());
  for (const name of classes) expect(playbookOf(name)?.failureClass).toBe(name);
  expect(playbookOf("no_such_class")).toBeUndefined();
});

test("the parts of a text are its words and its code, in order", () => {
  expect(spansOf("open `input` and `output`")).toEqual([
    { kind: "text", text: "open " },
    { kind: "code", text: "input" },
    { kind: "text", text: " and " },
    { kind: "code", text: "output" },
  ]);
  expect(spansOf("plain")).toEqual([{ kind: "text", text: "plain" }]);
  expect(spansOf("")).toEqual([]);
});

describe.each(PLAYBOOKS.map((playbook) => [playbook.failureClass, playbook] as const))(
  "%s",
  (_, playbook) => {
    test("has texts within bounds", () => {
      expect(playbook.meaning.length).toBeGreaterThan(100);
      expect(playbook.meaning.length).toBeLessThanOrEqual(520);
      for (const section of SECTIONS) {
        const [least, most] = LISTS[section];
        expect(playbook[section].length).toBeGreaterThanOrEqual(least);
        expect(playbook[section].length).toBeLessThanOrEqual(most);
        for (const text of playbook[section]) {
          expect(text.length).toBeGreaterThan(30);
          expect(text.length).toBeLessThanOrEqual(440);
        }
      }
    });

    test("is written in the markup that is promised", () => {
      for (const text of textsOf(playbook)) {
        expect(text.split("`").length % 2).toBe(1);
        expect(text).not.toMatch(/``|[\n\r\t]|https?:\/\/|\*\*|<\/?[a-z]|\]\(/);
        expect(text).toMatch(/^[A-Z0-9`].*[.:?]$/);
      }
      for (const code of codesOf(playbook)) expect(code.length).toBeLessThanOrEqual(CODE_CHARS_MAX);
    });

    test("names commands that the CLI takes", async () => {
      const detector = detectorOf(playbook);
      const setting = `bun run cli detector configure ${playbook.failureClass} --project PROJECT_ID`;
      for (const code of codesOf(playbook)) {
        if (!/^(?:bun run cli|--)/.test(code)) continue;
        const line = code.startsWith("--") ? `${setting} ${code}` : code;
        expect([code, await problemOf(line, detector)]).toEqual([code, null]);
      }
    });

    test("names fields, rules and classes that exist", () => {
      for (const code of codesOf(playbook)) {
        if (/^(?:bun run cli|--)/.test(code)) continue;
        // `server/tool`, `sha256:`, `prompt_injection/…`: each part that is a word. One family of rules is
        // put together.
        const words = code.replace(/^hidden-in-/, "").split(/[/:…]/);
        const unknown = words.filter((word) => word !== "" && !isKnownWord(word));
        expect([code, unknown]).toEqual([code, []]);
      }
    });

    test("refers to addresses that can be opened", () => {
      expect(playbook.references.length).toBeGreaterThanOrEqual(1);
      expect(playbook.references.length).toBeLessThanOrEqual(4);
      for (const { label, url } of playbook.references) {
        expect(label.length).toBeGreaterThan(5);
        expect(label.length).toBeLessThanOrEqual(90);
        expect(label).not.toContain("`");
        expect(new URL(url).protocol).toBe("https:");
        expect(new URL(url).href).toBe(url);
      }
    });
  },
);

test("no text stands in two playbooks", () => {
  const seen = new Map<string, string>();
  const repeated: string[] = [];
  for (const playbook of PLAYBOOKS) {
    for (const text of textsOf(playbook)) {
      if (seen.has(text)) repeated.push(`${seen.get(text)} and ${playbook.failureClass}: ${text}`);
      seen.set(text, playbook.failureClass);
    }
  }
  expect(repeated).toEqual([]);
});
