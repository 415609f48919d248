import { TEXT_SCANS } from "../building-blocks/event-slots.ts";
import type { DetectorEvent } from "../detector.ts";
import { type Fragment, fragmentsOf, type TextOrigin } from "../event-views/fields.ts";
import type { Turn } from "../event-views/transcript.ts";
import { type AgentFile, agentFileOf } from "./context/prompt-files.ts";
import { quietTexts, type TextDigest, textDigest } from "./quiet-texts.ts";
import type { Verdict } from "./scan/chain-rules.ts";
import { scanText, type TextScan } from "./scan/scan-text.ts";
import type { SecretFinding } from "./secrets/secret-rule.ts";

/**
 * What else a text says, once decoded or with its disguised words spelt out: a text of its own with a scan of
 * its own.
 */
export interface Reading {
  readonly kind: string;
  readonly fragment: FragmentScan;
  /**
   * What is read otherwise than it stands there, in places of the reading: start, end and proof, three
   * numbers a change.
   */
  readonly changes: readonly number[];
  /** Where in the text it stands. */
  readonly start: number;
  readonly end: number;
}

/**
 * The scan of an event's texts, made once and shared by every detector that asks. It is a pure function of
 * the event and is kept on the event itself, or, where the event is frozen, in a WeakMap.
 */
export class FragmentScan implements Fragment {
  readonly origin: TextOrigin;
  readonly text: string;
  readonly repeated: boolean;
  readonly comesAgain: boolean;
  readonly tool: string;
  readonly turns: readonly Turn[];
  #scan: TextScan | null = null;
  /** Both from `quiet-texts.ts`, on first use; undefined: not asked for. */
  #digest: TextDigest | null | undefined = undefined;
  #quiet = 0;
  /** Filled by `injectionVerdict` and `secretsOf` on first use. */
  verdict: Verdict | null = null;
  secrets: readonly SecretFinding[] | null = null;
  /** Filled by `readingsOf` (`disguise/readings.ts`) on first use. */
  readings: readonly Reading[] | null = null;

  /** The event whose text it is; null of a text made from another. */
  readonly #event: DetectorEvent | null;
  /**
   * Judged by more than the text and its origin: what is found here says nothing of the same text elsewhere.
   */
  #isOfItsPlace = false;

  constructor(
    { origin, text, repeated, comesAgain, tool, turns }: Fragment,
    event: DetectorEvent | null = null,
  ) {
    this.#event = event;
    this.origin = origin;
    this.text = text;
    this.repeated = repeated;
    this.comesAgain = comesAgain;
    this.tool = tool;
    this.turns = turns;
  }

  /** The same text in other words. */
  reworded(text: string): FragmentScan {
    const { origin, repeated, comesAgain, tool, turns } = this;
    return new FragmentScan({ origin, text, repeated, comesAgain, tool, turns }, this.#event);
  }

  /** The kind of file for agents that a tool read it from (`context/prompt-files.ts`); null of others. */
  agentFile(): AgentFile | null {
    const file = this.#event === null ? null : agentFileOf(this.#event, this.text);
    if (file !== null) this.#isOfItsPlace = true;
    return file;
  }

  /** True of a tool's description, and of the answer to a server's `tools/list`, which is made of them. */
  describesTools(): boolean {
    if (this.origin === "description") return true;
    if (this.origin !== "tool" || this.#event?.payload.method !== "tools/list") return false;
    this.#isOfItsPlace = true;
    return true;
  }

  /** Made on first use: a text in which no detector found anything before needs none. */
  get scan(): TextScan {
    this.#scan ??= scanText(this.text);
    return this.#scan;
  }

  /** True if the detector with this bit is known to find nothing here. */
  isQuietFor(bit: number): boolean {
    if (this.#digest === undefined) {
      this.#digest = textDigest(this.origin, this.text, this.comesAgain);
      if (this.#digest !== null) this.#quiet = quietTexts.bitsOf(this.#digest);
    }
    return (this.#quiet & bit) !== 0;
  }

  /** Only what holds for every event with such a text, of any execution and project; after `isQuietFor`. */
  noteQuietFor(bit: number): void {
    if (this.#digest === undefined || this.#digest === null || this.#isOfItsPlace) return;
    this.#quiet |= bit;
    quietTexts.note(this.#digest, bit);
  }
}

interface Scanned extends DetectorEvent {
  [TEXT_SCANS]?: readonly FragmentScan[] | undefined;
}

const NOTHING: readonly FragmentScan[] = [];
const frozenScans = new WeakMap<DetectorEvent, readonly FragmentScan[]>();

function scanFragments(event: DetectorEvent): readonly FragmentScan[] {
  const fragments = fragmentsOf(event);
  const count = fragments.length;
  if (count === 0) return NOTHING;
  const scans: FragmentScan[] = [];
  for (let i = 0; i < count; i++) scans.push(new FragmentScan(fragments[i] as Fragment, event));
  return scans;
}

function scanFirst(event: Scanned): readonly FragmentScan[] {
  if (Object.isExtensible(event)) {
    const scans = scanFragments(event);
    event[TEXT_SCANS] = scans;
    return scans;
  }
  let scans = frozenScans.get(event);
  if (scans === undefined) {
    scans = scanFragments(event);
    frozenScans.set(event, scans);
  }
  return scans;
}

export function scanEvent(event: DetectorEvent): readonly FragmentScan[] {
  return (event as Scanned)[TEXT_SCANS] ?? scanFirst(event as Scanned);
}
