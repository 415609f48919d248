/**
 * Which execution a batch belongs to, and how ids and times look. Pure arithmetic, shared by the load generator and
 * the ceiling so that both store the same rows.
 *
 * Batches are numbered without end. `executionsActive` executions send at the same time, one batch each in turn;
 * when each has sent `batchesPerExecution`, the next ones start:
 *
 *     block 0                              block 1
 *     x0 x1 … x63 | x0 x1 … x63 | …        x64 x65 … x127 | …
 *
 * Every event id is unique: it holds the event's number, scrambled so that ids of one batch do not sort by it alone.
 */
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

export const ID_LENGTH = 26;
export const EXECUTION_ID_LENGTH = 31;
/** Leading characters of an id that change when a template is used again: 10 of time, 6 of the event's number. */
export const ID_CHANGING_LENGTH = 16;
export const TIMESTAMP_LENGTH = 27;

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const alphabetCodes = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const SERIAL_MASK = 0x3fff_ffff;
/** Odd, so that multiplying by it modulo 2^30 is a bijection: no two numbers below 2^30 meet. */
const SERIAL_SCRAMBLE = 0x2545_f491 & SERIAL_MASK;

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

/** Executions that batches `from` to `to` - 1 name, when `from` starts a block: numbers `first` to `first + count - 1`. */
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

/** Writes time and number into `target`: the first 16 characters of an id, in Crockford's base 32. */
export function writeIdHead(target: Uint8Array, at: number, timeMs: number, serial: number): void {
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

const headBytes = new Uint8Array(ID_CHANGING_LENGTH);
const headText = new TextDecoder("latin1");

/** The 26 characters of an event id; `tail` is the ten characters that stay when its template is used again. */
export function eventId(timeMs: number, serial: number, tail: string): string {
  writeIdHead(headBytes, 0, timeMs, serial);
  return headText.decode(headBytes) + tail;
}

/** The run's prefix and the execution's number: 31 characters, so that a number can be written over another. */
export function executionId(run: string, executionNo: number): string {
  return `${run}${executionNo.toString(36).toUpperCase().padStart(8, "0")}`;
}

/** The 23 leading characters of all execution ids of one run. */
export function runPrefix(timeMs: number, nonce: string): string {
  writeIdHead(headBytes, 0, timeMs, 0);
  return `run_${headText.decode(headBytes).slice(0, 10)}${nonce.slice(0, 9).padEnd(9, "0")}`;
}

/** Ten characters of the id alphabet from two random words. */
export function idTail(first: number, second: number): string {
  let text = "";
  for (let shift = 0; shift < 25; shift += 5) text += ALPHABET[(first >>> shift) & 31];
  for (let shift = 0; shift < 25; shift += 5) text += ALPHABET[(second >>> shift) & 31];
  return text;
}

/** RFC 3339 with microseconds, in UTC. */
export function timestampText(timeMs: number, micros: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`;
}
