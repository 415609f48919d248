/**
 * Whole HTTP requests as bytes, made before the clock starts. A template is one batch; when more batches are
 * asked for than templates are kept, a template is used again after its ids and times are overwritten in
 * place (every text keeps its length), so memory is bounded by `templatesMax` whatever the number of batches.
 *
 * Invariant: no two batch numbers ever carry the same event id. Owned by the load generator's process. A
 * template in flight must not be written over: `request()` is asked for a batch only when its answer's
 * predecessor has come in, which the engine's window (far smaller than the number of templates) guarantees.
 */
import type { EventType } from "../../src/ingest/wire/event-types.ts";
import {
  type BatchPlace,
  batchPlace,
  blockBatches,
  EXECUTION_NUMBER_LENGTH,
  eventId,
  executionId,
  ID_FORMS,
  type IdKind,
  idTail,
  type PlanOptions,
  timestampText,
  writeIdHead,
} from "./batch-plan.ts";
import { nextType, payloadJson } from "./payloads.ts";
import { SeededRandom } from "./random.ts";

export interface BatchOptions extends PlanOptions {
  seed: number;
  ids: IdKind;
  /** What all execution ids of the run share. */
  run: string;
  payloadBytes: number;
  /** Of a hundred events, how many carry an event type that the service must refuse. */
  badPercent: number;
}

export interface PlainEvent {
  eventId: string;
  executionId: string;
  eventType: string;
  sequence: number;
  timestamp: string;
  payload: string;
}

export interface RequestOptions {
  path: string;
  host: string;
  key: string;
  lenient: boolean;
}

/**
 * Templates are made once for batches 0 … n-1; the seed of each is its own, so any of them can be made alone.
 */
export function makeBatch(options: BatchOptions, batchNo: number, timeMs: number): PlainEvent[] {
  const random = new SeededRandom(
    Math.imul(options.seed + 1, 0x9e37_79b1) ^ Math.imul(batchNo + 1, 0x85eb_ca77),
  );
  const place = batchPlace(options, batchNo);
  const events: PlainEvent[] = [];
  for (let index = 0; index < options.eventsPerBatch; index++) {
    const sequence = place.firstSequence + index;
    const type: EventType = sequence === 1 ? "environment_declaration" : nextType(random);
    // Spread around the mean by a half either way, as real payloads are never all of one size.
    const target = Math.round(options.payloadBytes * (0.5 + random.below(1000) / 1000));
    const payload = payloadJson(type, random, target);
    const bad = random.below(10_000) < options.badPercent * 100;
    events.push({
      eventId: eventId(
        options.ids,
        timeMs,
        batchNo * options.eventsPerBatch + index,
        idTail(options.ids, random),
      ),
      executionId: executionId(options.ids, options.run, place.executionNo),
      eventType: bad ? "validator_check" : type,
      sequence,
      timestamp: timestampText(timeMs + (index >> 3), (index * 131) % 1000),
      payload,
    });
  }
  return events;
}

const HEAD = '{"event_id":"';
const AFTER_ID = '","execution_id":"';

function eventJson(event: PlainEvent): string {
  return (
    `${HEAD}${event.eventId}${AFTER_ID}${event.executionId}","event_type":"${event.eventType}",` +
    `"sequence":${event.sequence},"timestamp":"${event.timestamp}","payload":${event.payload}}`
  );
}

export interface RequestBytes {
  bytes: Uint8Array;
  /** Where each event's id starts, and each event's timestamp. */
  idAt: Uint32Array;
  timestampAt: Uint32Array;
}

export function requestHead(options: RequestOptions, bodyLength: number, encoding?: string): string {
  return (
    `POST ${options.path} HTTP/1.1\r\nHost: ${options.host}\r\nAuthorization: Bearer ${options.key}\r\n` +
    "Content-Type: application/json\r\nX-Service-Schema-Version: 1\r\n" +
    (options.lenient ? "Prefer: handling=lenient\r\n" : "") +
    (encoding === undefined ? "" : `Content-Encoding: ${encoding}\r\n`) +
    `Content-Length: ${bodyLength}\r\n\r\n`
  );
}

function encodeRequest(events: readonly PlainEvent[], options: RequestOptions): RequestBytes {
  const parts = events.map(eventJson);
  const bodyLength = parts.reduce((sum, part) => sum + part.length + 1, 1);
  const head = requestHead(options, bodyLength);
  const idAt = new Uint32Array(events.length);
  const timestampAt = new Uint32Array(events.length);
  let at = head.length + 1;
  parts.forEach((part, index) => {
    idAt[index] = at + HEAD.length;
    timestampAt[index] = at + part.indexOf(`"timestamp":"`) + `"timestamp":"`.length;
    at += part.length + 1;
  });
  const bytes = Buffer.from(`${head}[${parts.join(",")}]`, "utf8");
  if (bytes.length !== head.length + bodyLength) throw new Error("a request holds more than ASCII");
  return { bytes, idAt, timestampAt };
}

const ascii = new TextEncoder();

/** Overwrites ids and times, so that the template becomes another batch of the same shape. */
function rewriteRequest(
  request: RequestBytes,
  to: { ids: IdKind; run: string; place: BatchPlace; firstSerial: number; timeMs: number },
): void {
  const { bytes, idAt, timestampAt } = request;
  const { eventIdLength, executionNumberAt } = ID_FORMS[to.ids];
  const numberOffset = eventIdLength + AFTER_ID.length + executionNumberAt;
  const execution = executionId(to.ids, to.run, to.place.executionNo);
  const number = ascii.encode(
    execution.slice(executionNumberAt, executionNumberAt + EXECUTION_NUMBER_LENGTH),
  );
  // Times of one batch share their second; what follows it stays as it is.
  const second = ascii.encode(timestampText(to.timeMs, 0).slice(0, 19));
  for (let index = 0; index < idAt.length; index++) {
    const id = idAt[index]!;
    writeIdHead(to.ids, bytes, id, to.timeMs, to.firstSerial + index);
    const numberAt = id + numberOffset;
    for (let place = 0; place < EXECUTION_NUMBER_LENGTH; place++) bytes[numberAt + place] = number[place]!;
    const timestamp = timestampAt[index]!;
    for (let place = 0; place < second.length; place++) bytes[timestamp + place] = second[place]!;
  }
}

/** The batch's body alone. */
export function bodyOf(request: Uint8Array): Uint8Array {
  const end = Buffer.from(request.buffer, request.byteOffset, request.byteLength).indexOf("\r\n\r\n");
  return request.subarray(end + 4);
}

export class RequestTemplates {
  readonly count: number;
  private readonly plain: RequestBytes[] = [];
  private readonly batchNos: Float64Array;
  private readonly packed: (Uint8Array | undefined)[] = [];

  constructor(
    private readonly batch: BatchOptions,
    private readonly http: RequestOptions,
    options: { batches: number; templatesMax: number },
  ) {
    const block = blockBatches(batch);
    // A whole number of blocks: the same template then always stands at the same place of its execution.
    const blocks = Math.max(1, Math.ceil(Math.min(options.batches, options.templatesMax) / block));
    this.count = blocks * block;
    this.batchNos = new Float64Array(this.count).fill(-1);
  }

  /** Makes the next templates, at most `templates` of them; answers how many there are now. */
  build(templates: number): number {
    const until = Math.min(this.count, this.plain.length + templates);
    const timeMs = Date.now();
    for (let slot = this.plain.length; slot < until; slot++) {
      this.plain.push(encodeRequest(makeBatch(this.batch, slot, timeMs), this.http));
      this.batchNos[slot] = slot;
    }
    return this.plain.length;
  }

  /** Turns the template of this batch number into it, before the clock starts; with `gzip` compressed too. */
  prepare(batchNo: number, gzip: boolean): void {
    const slot = batchNo % this.count;
    const request = this.current(slot, batchNo, Date.now());
    this.packed[slot] = gzip ? this.compress(request.bytes) : undefined;
  }

  /** The bytes of a batch, rewritten from its template if another batch used it last. */
  request(batchNo: number): Uint8Array {
    const slot = batchNo % this.count;
    const packed = this.packed[slot];
    if (packed !== undefined && this.batchNos[slot] === batchNo) return packed;
    return this.current(slot, batchNo, Date.now()).bytes;
  }

  private current(slot: number, batchNo: number, timeMs: number): RequestBytes {
    const request = this.plain[slot];
    if (request === undefined) throw new RangeError(`template ${slot} is not built`);
    if (this.batchNos[slot] !== batchNo) {
      rewriteRequest(request, {
        ids: this.batch.ids,
        run: this.batch.run,
        place: batchPlace(this.batch, batchNo),
        firstSerial: batchNo * this.batch.eventsPerBatch,
        timeMs,
      });
      this.batchNos[slot] = batchNo;
      this.packed[slot] = undefined;
    }
    return request;
  }

  private compress(request: Uint8Array): Uint8Array {
    const body = Bun.gzipSync(new Uint8Array(bodyOf(request)), { level: 6 });
    return Buffer.concat([Buffer.from(requestHead(this.http, body.length, "gzip")), body]);
  }
}
