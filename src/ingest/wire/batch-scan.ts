import { isUtf8 } from "node:buffer";
import { EVENT_TYPES, eventTypeCode } from "./event-types.ts";
import { NameTable, startsWith } from "./name-table.ts";
import { PAYLOAD_DEPTH_MAX } from "./payload.ts";

/**
 * Finds the parts of a batch of plain events in the bytes of its body, without making strings or objects of
 * them: the payload is stored as it was sent, so it only has to be JSON that PostgreSQL can read.
 *
 * Invariant: an accepted body is valid JSON in valid UTF-8, its events have every required field with the
 * right type and range, and each payload casts to jsonb with every number unchanged. What is merely unusual —
 * an escape in an id, a long number, a field given twice, a project_id, U+0000 — is not judged here: the
 * answer is false, and the parsed road decides and explains.
 *
 * `scan` overwrites what the scan before it found. One per HTTP thread.
 */

/**
 * Where the parts of an event stand in `BatchScan.fields`; ends are exclusive, strings without their quotes.
 */
export const FIELD = {
  eventId: 0,
  eventIdEnd: 1,
  executionId: 2,
  executionIdEnd: 3,
  typeCode: 4,
  sequence: 5,
  timestamp: 6,
  timestampEnd: 7,
  payload: 8,
  payloadEnd: 9,
} as const;
export const FIELDS_PER_EVENT = 10;

const ID_BYTES_MAX = 128;
const SEQUENCE_MAX = 2_147_483_647;
/** A number of up to this many digits survives a double unchanged, so the two roads agree on it. */
const DIGITS_MAX = 15;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** 1 for a byte that may stand in a string as it is: no quote, backslash or control character. */
const TEXT = new Uint8Array(256).fill(1, 32);
TEXT[QUOTE] = 0;
TEXT[BACKSLASH] = 0;
/** 1 for a byte that may stand in an id: printable ASCII. */
const PRINTABLE = new Uint8Array(256).fill(1, 32, 127);
PRINTABLE[QUOTE] = 0;
PRINTABLE[BACKSLASH] = 0;
const SPACE = new Uint8Array(256);
for (const byte of [32, 9, 10, 13]) SPACE[byte] = 1;
const HEX = new Uint8Array(256);
for (const byte of Buffer.from("0123456789abcdefABCDEF")) HEX[byte] = 1;

const ALL_FIELDS = 0b11_1111;

export class BatchScan {
  /** `FIELDS_PER_EVENT` numbers an event, in the order of `FIELD`. */
  readonly fields: Int32Array;
  readonly #eventsMax: number;
  #count = 0;

  constructor(eventsMax: number) {
    this.#eventsMax = eventsMax;
    this.fields = new Int32Array(eventsMax * FIELDS_PER_EVENT);
  }

  /** Events found by the last scan. */
  get count(): number {
    return this.#count;
  }

  /**
   * True if `bytes` is a batch of one to `eventsMax` plain events; `fields` then tells where their parts are.
   */
  scan(bytes: Uint8Array): boolean {
    this.#count = 0;
    if (!isUtf8(bytes)) return false;
    let at = skipSpace(bytes, 0);
    if (bytes[at] !== OPEN_BRACKET) return false;
    at = skipSpace(bytes, at + 1);
    for (let count = 0; count < this.#eventsMax; count++) {
      at = scanEvent(bytes, at, this.fields, count * FIELDS_PER_EVENT);
      if (at < 0) return false;
      at = skipSpace(bytes, at);
      const next = bytes[at];
      if (next === CLOSE_BRACKET) {
        if (skipSpace(bytes, at + 1) !== bytes.length) return false;
        this.#count = count + 1;
        return true;
      }
      if (next !== COMMA) return false;
      at = skipSpace(bytes, at + 1);
    }
    return false;
  }
}

/** Where the event that starts at `at` ends, or -1. */
function scanEvent(bytes: Uint8Array, start: number, fields: Int32Array, base: number): number {
  if (bytes[start] !== OPEN_BRACE) return -1;
  let at = skipSpace(bytes, start + 1);
  let seen = 0;
  for (;;) {
    if (bytes[at] !== QUOTE) return -1;
    const name = at + 1;
    const nameEnd = skipPrintable(bytes, name);
    if (bytes[nameEnd] !== QUOTE) return -1;
    at = skipSpace(bytes, nameEnd + 1);
    if (bytes[at] !== COLON) return -1;
    at = skipSpace(bytes, at + 1);
    const field = fieldNames.find(bytes, name, nameEnd);
    if (field === undefined) at = skipValue(bytes, at, PAYLOAD_DEPTH_MAX);
    else {
      if (field === REFUSED || (seen & field) !== 0) return -1;
      seen |= field;
      at = scanField(bytes, at, field, fields, base);
    }
    if (at < 0) return -1;
    at = skipSpace(bytes, at);
    const next = bytes[at];
    if (next === CLOSE_BRACE) return seen === ALL_FIELDS ? at + 1 : -1;
    if (next !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

const EVENT_ID = 1;
const EXECUTION_ID = 2;
const EVENT_TYPE = 4;
const SEQUENCE = 8;
const TIMESTAMP = 16;
const PAYLOAD = 32;
/** A field whose value only the parsed road compares. */
const REFUSED = -1;

const fieldNames = new NameTable([
  ["event_id", EVENT_ID],
  ["execution_id", EXECUTION_ID],
  ["event_type", EVENT_TYPE],
  ["sequence", SEQUENCE],
  ["timestamp", TIMESTAMP],
  ["payload", PAYLOAD],
  ["project_id", REFUSED],
]);

function scanField(bytes: Uint8Array, at: number, field: number, fields: Int32Array, base: number): number {
  switch (field) {
    case EVENT_ID:
      return scanId(bytes, at, fields, base + FIELD.eventId);
    case EXECUTION_ID:
      return scanId(bytes, at, fields, base + FIELD.executionId);
    case TIMESTAMP:
      return scanId(bytes, at, fields, base + FIELD.timestamp);
    case EVENT_TYPE: {
      const end = scanId(bytes, at, fields, base + FIELD.typeCode);
      if (end < 0) return -1;
      const code = typeCodes.find(bytes, at + 1, end - 1);
      if (code === undefined) return -1;
      fields[base + FIELD.typeCode] = code;
      return end;
    }
    case SEQUENCE:
      return scanSequence(bytes, at, fields, base + FIELD.sequence);
    default: {
      if (bytes[at] !== OPEN_BRACE) return -1;
      const end = skipValue(bytes, at, PAYLOAD_DEPTH_MAX);
      fields[base + FIELD.payload] = at;
      fields[base + FIELD.payloadEnd] = end;
      return end;
    }
  }
}

/** A string of 1 to 128 printable ASCII characters without an escape; notes start and end. */
function scanId(bytes: Uint8Array, at: number, fields: Int32Array, index: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const end = skipPrintable(bytes, at + 1);
  const length = end - at - 1;
  if (bytes[end] !== QUOTE || length === 0 || length > ID_BYTES_MAX) return -1;
  fields[index] = at + 1;
  fields[index + 1] = end;
  return end + 1;
}

function scanSequence(bytes: Uint8Array, start: number, fields: Int32Array, index: number): number {
  let at = start;
  let value = 0;
  for (; at - start < 11; at++) {
    const digit = bytes[at]! - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
  }
  const length = at - start;
  if (length === 0 || value > SEQUENCE_MAX || (length > 1 && bytes[start] === 48)) return -1;
  fields[index] = value;
  // Not the start of a fraction or an exponent: the caller wants a comma or a brace next.
  return at;
}

const typeCodes = new NameTable(EVENT_TYPES.map((name) => [name, eventTypeCode(name)!]));

export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  // Mostly there is none: one comparison says so.
  while (bytes[at]! <= 32 && SPACE[bytes[at]!] === 1) at++;
  return at;
}

export function skipPrintable(bytes: Uint8Array, start: number): number {
  let at = start;
  while (PRINTABLE[bytes[at]!] === 1) at++;
  return at;
}

/** Where the value that starts at `start` ends, or -1. `levels`: of objects and arrays that it may nest. */
export function skipValue(bytes: Uint8Array, start: number, levels: number): number {
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start + 1);
  if (first === OPEN_BRACE) return levels === 0 ? -1 : skipObject(bytes, start + 1, levels - 1);
  if (first === OPEN_BRACKET) return levels === 0 ? -1 : skipArray(bytes, start + 1, levels - 1);
  switch (first) {
    case 116:
      return startsWith(bytes, start, TRUE) ? start + 4 : -1;
    case 102:
      return startsWith(bytes, start, FALSE) ? start + 5 : -1;
    case 110:
      return startsWith(bytes, start, NULL) ? start + 4 : -1;
    default:
      return skipNumber(bytes, start);
  }
}

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NULL = Buffer.from("null");

function skipObject(bytes: Uint8Array, start: number, levels: number): number {
  let at = skipSpace(bytes, start);
  if (bytes[at] === CLOSE_BRACE) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return -1;
    at = skipString(bytes, at + 1);
    if (at < 0) return -1;
    at = skipSpace(bytes, at);
    if (bytes[at] !== COLON) return -1;
    at = skipValue(bytes, skipSpace(bytes, at + 1), levels);
    if (at < 0) return -1;
    at = skipSpace(bytes, at);
    const next = bytes[at];
    if (next === CLOSE_BRACE) return at + 1;
    if (next !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

function skipArray(bytes: Uint8Array, start: number, levels: number): number {
  let at = skipSpace(bytes, start);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    at = skipValue(bytes, at, levels);
    if (at < 0) return -1;
    at = skipSpace(bytes, at);
    const next = bytes[at];
    if (next === CLOSE_BRACKET) return at + 1;
    if (next !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

/** From behind the opening quote to behind the closing one. */
export function skipString(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    while (TEXT[bytes[at]!] === 1) at++;
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return -1;
    at = skipEscape(bytes, at + 1);
    if (at < 0) return -1;
  }
}

/**
 * After the backslash. U+0000 and a surrogate without its other half are for the parsed road: jsonb refuses
 * them.
 */
function skipEscape(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 34: // "
    case 47: // /
    case 92: // \
    case 98: // b
    case 102: // f
    case 110: // n
    case 114: // r
    case 116: // t
      return at + 1;
    case 117:
      if (!isHex(bytes, at + 1) || startsWith(bytes, at + 1, ZERO)) return -1;
      if (!isSurrogate(bytes, at + 1)) return at + 5;
      return isHighSurrogate(bytes, at + 1) &&
        bytes[at + 5] === BACKSLASH &&
        bytes[at + 6] === 117 &&
        isHex(bytes, at + 7) &&
        isSurrogate(bytes, at + 7) &&
        !isHighSurrogate(bytes, at + 7)
        ? at + 11
        : -1;
    default:
      return -1;
  }
}

const ZERO = Buffer.from("0000");

function isHex(bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < 4; index++) if (HEX[bytes[at + index]!] !== 1) return false;
  return true;
}

/** Of four hexadecimal digits: d800 to dfff. */
function isSurrogate(bytes: Uint8Array, at: number): boolean {
  return (bytes[at]! | 32) === 100 && bytes[at + 1]! >= 56;
}

/** Of a surrogate: d800 to dbff. */
function isHighSurrogate(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1]! | 32;
  return second === 56 || second === 57 || second === 97 || second === 98;
}

/** A number without an exponent and of few digits. */
function skipNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 45 ? start + 1 : start;
  const whole = at;
  while (isDigit(bytes[at])) at++;
  let digits = at - whole;
  if (digits === 0 || (digits > 1 && bytes[whole] === 48)) return -1;
  if (bytes[at] === 46) {
    const fraction = ++at;
    while (isDigit(bytes[at])) at++;
    if (at === fraction) return -1;
    digits += at - fraction;
  }
  const next = bytes[at];
  return digits > DIGITS_MAX || next === 101 || next === 69 ? -1 : at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
