/**
 * Which execution a batch belongs to, and how ids and times look. Pure arithmetic, shared by the load
 * generator and the ceiling so that both store the same rows.
 *
 * Batches are numbered without end. `executionsActive` executions send at the same time, one batch each in
 * turn; when each has sent `batchesPerExecution`, the next ones start:
 *
 *     block 0                              block 1
 *     x0 x1 … x63 | x0 x1 … x63 | …        x64 x65 … x127 | …
 *
 * Every event id is unique: it holds the event's number, scrambled so that ids of one batch do not sort by it
 * alone.
 */
import type { SeededRandom } from "./random.ts";

export interface PlanOptions {
  eventsPerBatch: number;
  batchesPerExecution: number;
  executionsActive: number;
}

export interface BatchPlace {
  executionNo: number;
  /** Sequence of the batch's first event; the others follow it. */
  firstSequence: number;
}

/**
 * `ulid`: 26 characters that sort by time, executions numbered in order: kind to a B-tree. `uuid`: random to
 * a B-tree, events and executions alike, as SDKs that call uuid4() send them.
 */
export type IdKind = "ulid" | "uuid";

/** Lengths never change within a kind, so that one id can be written over another in place. */
export const ID_FORMS = {
  ulid: { eventIdLength: 26, executionIdLength: 31, executionNumberAt: 23 },
  uuid: { eventIdLength: 36, executionIdLength: 36, executionNumberAt: 0 },
} as const;
/** Characters of an execution id that hold its number. */
export const EXECUTION_NUMBER_LENGTH = 8;

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const alphabetCodes = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const hexCodes = Uint8Array.from("0123456789abcdef", (letter) => letter.charCodeAt(0));
const SERIAL_MASK = 0x3fff_ffff;
/** Odd, so that multiplying by it modulo a power of two is a bijection: no two numbers below 2^30 meet. */
const SERIAL_SCRAMBLE = 0x9e37_79b1;

export const SERIAL_MAX = SERIAL_MASK;

export function blockBatches(plan: PlanOptions): number {
  return plan.batchesPerExecution * plan.executionsActive;
}

export function batchPlace(plan: PlanOptions, batchNo: number): BatchPlace {
  const inBlock = batchNo % blockBatches(plan);
  const block = (batchNo - inBlock) / blockBatches(plan);
  const turn = Math.floor(inBlock / plan.executionsActive);
  return {
    executionNo: block * plan.executionsActive + (inBlock % plan.executionsActive),
    firstSequence: turn * plan.eventsPerBatch + 1,
  };
}

/**
 * Executions that batches `from` to `to` - 1 name, when `from` starts a block: numbers `first` to `first +
 * count - 1`.
 */
export function executionRange(
  plan: PlanOptions,
  from: number,
  to: number,
): { first: number; count: number } {
  const first = batchPlace(plan, from).executionNo;
  const inLastBlock = (to - from) % blockBatches(plan);
  const fullBlocks = (to - from - inLastBlock) / blockBatches(plan);
  return { first, count: fullBlocks * plan.executionsActive + Math.min(plan.executionsActive, inLastBlock) };
}

/**
 * Writes what changes of an event id when its template is used again: time and number, or the number alone.
 */
export function writeIdHead(
  kind: IdKind,
  target: Uint8Array,
  at: number,
  timeMs: number,
  serial: number,
): void {
  if (kind === "uuid") {
    let scrambled = Math.imul(serial, SERIAL_SCRAMBLE);
    for (let place = 7; place >= 0; place--) {
      target[at + place] = hexCodes[scrambled & 15]!;
      scrambled >>>= 4;
    }
    return;
  }
  // 50 bits of time, cut into digits of 5 bits from the right: 20 upper bits, 30 lower ones.
  let upper = Math.floor(timeMs / 0x4000_0000);
  let lower = timeMs % 0x4000_0000;
  for (let place = 9; place >= 4; place--) {
    target[at + place] = alphabetCodes[lower & 31]!;
    lower >>>= 5;
  }
  for (let place = 3; place >= 0; place--) {
    target[at + place] = alphabetCodes[upper & 31]!;
    upper >>>= 5;
  }
  let scrambled = Math.imul(serial, SERIAL_SCRAMBLE) & SERIAL_MASK;
  for (let place = 15; place >= 10; place--) {
    target[at + place] = alphabetCodes[scrambled & 31]!;
    scrambled >>>= 5;
  }
}

const headBytes = { ulid: new Uint8Array(16), uuid: new Uint8Array(8) };
const headText = new TextDecoder("latin1");

/** `tail` is what stays when the id's template is used again: see `idTail`. */
export function eventId(kind: IdKind, timeMs: number, serial: number, tail: string): string {
  writeIdHead(kind, headBytes[kind], 0, timeMs, serial);
  return headText.decode(headBytes[kind]) + tail;
}

/** The run's part, which all executions of one run share, and the execution's number. */
export function executionId(kind: IdKind, run: string, executionNo: number): string {
  if (kind === "uuid") {
    return `${(Math.imul(executionNo, SERIAL_SCRAMBLE) >>> 0).toString(16).padStart(8, "0")}${run}`;
  }
  return `${run}${executionNo.toString(36).toUpperCase().padStart(EXECUTION_NUMBER_LENGTH, "0")}`;
}

/** The run's part of all its execution ids: no two runs share it. */
export function runPart(kind: IdKind, timeMs: number, random: SeededRandom): string {
  const tail = idTail(kind, random);
  return kind === "uuid" ? tail : `run_${eventId(kind, timeMs, 0, "").slice(0, 10)}${tail.slice(0, 9)}`;
}

/** The random rest of an id: ten digits of base 32, or what follows the first group of a version 4 UUID. */
export function idTail(kind: IdKind, random: SeededRandom): string {
  if (kind === "uuid") {
    const hex = [random.next(), random.next(), random.next()]
      .map((word) => word.toString(16).padStart(8, "0"))
      .join("");
    return `-${hex.slice(0, 4)}-4${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
  }
  let text = "";
  for (const word of [random.next(), random.next()]) {
    for (let shift = 0; shift < 25; shift += 5) text += ALPHABET[(word >>> shift) & 31];
  }
  return text;
}

/** RFC 3339 with microseconds, in UTC. */
export function timestampText(timeMs: number, micros: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`;
}
