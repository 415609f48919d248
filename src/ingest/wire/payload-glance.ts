import { type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";
import { skipPrintable, skipSpace, skipString, skipValue } from "./batch-scan.ts";
import { isDestination } from "./destination.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";
import { NameTable } from "./name-table.ts";
import { PAYLOAD_DEPTH_MAX } from "./payload.ts";
import { payloadSchemas } from "./wire-schemas.ts";

/**
 * Sees in the bytes of a payload that the fields which the interface names are right, so that most payloads
 * need not be parsed for it.
 *
 * Invariant: what is found right here, `judgePayload` finds right. What is not may be either: it is to be
 * parsed and judged. The rules are read off the schemas; a schema of a kind that is not known here leaves its
 * field to be judged.
 */

/** Of a value that stands in `bytes` from `start` to `end`, quotes included. */
type IsRight = (bytes: Buffer, start: number, end: number) => boolean;

interface NamedField {
  readonly isRight: IsRight;
  /** A bit of its own if it is required, else 0. */
  readonly bit: number;
}

interface NamedFields {
  readonly byName: NameTable<NamedField>;
  /** The bits of those that are required. */
  readonly required: number;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

const isText: IsRight = (bytes, start) => bytes[start] === QUOTE;

/** Digits alone. The scan has let no number pass that a double would bend. */
const isCount: IsRight = (bytes, start, end) => {
  for (let at = start; at < end; at++) if (!(bytes[at]! >= 48 && bytes[at]! <= 57)) return false;
  return true;
};

/** Printable ASCII without an escape, so that its bytes are its characters. */
function isPlainText(charsMin: number, charsMax: number): IsRight {
  return (bytes, start, end) => {
    const chars = end - start - 2;
    return (
      bytes[start] === QUOTE &&
      chars >= charsMin &&
      chars <= charsMax &&
      skipPrintable(bytes, start + 1) === end - 1
    );
  };
}

function ruleOf(schema: TSchema): IsRight {
  if (TypeGuard.IsString(schema) && schema.pattern === undefined && schema.format === undefined) {
    const { minLength = 0, maxLength } = schema;
    if (minLength === 0 && maxLength === undefined) return isText;
    return isPlainText(minLength, maxLength ?? Number.POSITIVE_INFINITY);
  }
  const isUnbounded =
    TypeGuard.IsInteger(schema) &&
    (schema.minimum ?? 0) <= 0 &&
    schema.exclusiveMinimum === undefined &&
    schema.maximum === undefined &&
    schema.exclusiveMaximum === undefined &&
    schema.multipleOf === undefined;
  return isUnbounded ? isCount : () => false;
}

function namedFields(type: EventType, schema: TObject): NamedFields {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties).map(([name, property]): [string, NamedField] => {
    const rule = ruleOf(property);
    const isHost: IsRight = (bytes, start, end) =>
      rule(bytes, start, end) && isDestination(bytes.toString("latin1", start + 1, end - 1));
    const isRight = type === "egress" && name === "destination" ? isHost : rule;
    return [name, { isRight, bit: required.includes(name) ? 1 << required.indexOf(name) : 0 }];
  });
  return { byName: new NameTable(fields), required: (1 << required.length) - 1 };
}

/** By type code; undefined for a type of whose payload the interface names no field. */
const fieldsByCode = [
  undefined,
  ...EVENT_TYPES.map((type) => {
    const schema = (payloadSchemas as Partial<Record<EventType, TObject>>)[type];
    return schema && namedFields(type, schema);
  }),
];

/**
 * True if the named fields of the payload in `bytes` from `start` on, which is a valid JSON object, are right
 * for certain.
 */
export function isPayloadRight(typeCode: number, bytes: Buffer, start: number): boolean {
  const fields = fieldsByCode[typeCode];
  if (fields === undefined) return true;
  let missing = fields.required;
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] === QUOTE) {
    const name = at + 1;
    let nameEnd = skipPrintable(bytes, name);
    // An escape may spell a field's name; what is not ASCII is none.
    if (bytes[nameEnd] === BACKSLASH) return false;
    const isAscii = bytes[nameEnd] === QUOTE;
    if (!isAscii) nameEnd = skipString(bytes, nameEnd) - 1;
    const value = skipSpace(bytes, skipSpace(bytes, nameEnd + 1) + 1);
    const valueEnd = skipValue(bytes, value, PAYLOAD_DEPTH_MAX);
    const field = isAscii ? fields.byName.find(bytes, name, nameEnd) : undefined;
    if (field !== undefined) {
      if (!field.isRight(bytes, value, valueEnd)) return false;
      missing &= ~field.bit;
    }
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  return missing === 0;
}
