import {
  ARRAY_HEADER_BYTES,
  COPY_HEADER_BYTES,
  EPOCH_2000_US,
  PACK_AT,
  readInt64,
  TRAILER_BYTES,
} from "./pack-format.ts";

/** The two texts of an event as bytes of UTF-8 that stand elsewhere; ends are exclusive. */
export interface EventTexts {
  readonly bytes: Buffer;
  readonly eventId: number;
  readonly eventIdEnd: number;
  readonly payload: number;
  readonly payloadEnd: number;
}

/**
 * An event that stands in packs, with its texts where they stand. Valid during the call that it is handed to.
 */
export interface WrittenEvent {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly typeCode: number;
  readonly sequence: number;
  readonly seconds: number;
  readonly micros: number;
  readonly receivedMs: number;
  readonly texts: EventTexts;
}

export function eventIdOf({ bytes, eventId, eventIdEnd }: EventTexts): string {
  return bytes.toString("utf8", eventId, eventIdEnd);
}

/**
 * Every event of the packs in [start, end) in order; without, of a whole COPY stream. Stand-ins hold none.
 */
export function* eventsOf(
  bytes: Buffer,
  start = COPY_HEADER_BYTES,
  end = bytes.length - TRAILER_BYTES,
): Generator<WrittenEvent> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = start; row < end; ) {
    const starts: number[] = [];
    let at = row + PACK_AT.arrays;
    for (let array = 0; array < 5; array++) {
      starts.push(at + 4 + ARRAY_HEADER_BYTES);
      at += 4 + view.getInt32(at);
    }
    const typesAt = row + PACK_AT.arrays + 4 + view.getInt32(row + PACK_AT.arrays);
    const count = view.getInt32(typesAt + 4) === 0 ? 0 : view.getInt32(typesAt + 16);
    let [id, type, sequence, timestamp, payload] = starts as [number, number, number, number, number];
    for (let nth = 0; nth < count; nth++) {
      const idEnd = id + 4 + view.getInt32(id);
      const payloadEnd = payload + 4 + view.getInt32(payload);
      const micros = view.getBigInt64(timestamp + 4);
      const seconds = Number((micros - modulo(micros)) / 1_000_000n);
      yield {
        projectNo: view.getInt32(row + PACK_AT.projectNo),
        executionNo: readInt64(view, row + PACK_AT.executionNo),
        typeCode: view.getInt16(type + 4),
        sequence: view.getInt32(sequence + 4),
        seconds,
        micros: Number(modulo(micros)),
        receivedMs: (readInt64(view, row + PACK_AT.receivedAt) + EPOCH_2000_US) / 1000,
        texts: { bytes, eventId: id + 4, eventIdEnd: idEnd, payload: payload + 4, payloadEnd },
      };
      id = idEnd;
      payload = payloadEnd;
      type += 6;
      sequence += 8;
      timestamp += 12;
    }
    row = at;
  }
}

function modulo(micros: bigint): bigint {
  return ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
}
