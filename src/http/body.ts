import zlib from "node:zlib";
import { ElementCounter } from "../ingest/wire/element-counter.ts";
import type { Problem } from "./problem.ts";

/**
 * Bodies, bounded: no request holds more than `bodyBytesMax`, compressed or not, and all requests together
 * hold no more than the memory budget. Whoever reads a body gives its bytes back to the budget when the
 * request is answered.
 */

/**
 * A body that has been arriving for this long gives way to one that finds no room. What declares much and
 * sends little, out of malice or on a bad line, would otherwise lock everybody out for as long as its
 * connection lives.
 */
const ARRIVAL_MS_MAX = 2_000;

/** What all requests in flight may hold. One per HTTP thread. */
export class MemoryBudget {
  readonly #max: number;
  #held = 0;
  /** Shares whose bodies are not whole yet, by when they began. */
  readonly #arriving = new Map<BudgetShare, number>();

  constructor(bytesMax: number) {
    this.#max = bytesMax;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes `bytes`; false when that would exceed the budget, and nobody gives way. */
  take(bytes: number, nowMs = performance.now()): boolean {
    while (this.#held + bytes > this.#max) if (!this.#oneGivesWay(nowMs)) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }

  began(share: BudgetShare, nowMs: number): void {
    this.#arriving.set(share, nowMs);
  }

  ended(share: BudgetShare): void {
    this.#arriving.delete(share);
  }

  #oneGivesWay(nowMs: number): boolean {
    for (const [share, beganMs] of this.#arriving) {
      if (nowMs - beganMs < ARRIVAL_MS_MAX) return false;
      share.giveWay();
      return true;
    }
    return false;
  }
}

/** What one request took from the budget; given back when it is answered, whatever became of its body. */
export class BudgetShare {
  readonly #budget: MemoryBudget;
  #bytes = 0;
  #stopReading: (() => void) | undefined;
  #gaveWay = false;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  /** True once the body was given up for others. */
  get gaveWay(): boolean {
    return this.#gaveWay;
  }

  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#bytes += bytes;
    // It may itself have been what gave way.
    if (this.#gaveWay) this.release();
    return !this.#gaveWay;
  }

  /** Until `arrived`, `stopReading` may be called: what was taken is given back by then. */
  arriving(stopReading: () => void, nowMs = performance.now()): void {
    this.#stopReading = stopReading;
    this.#budget.began(this, nowMs);
  }

  arrived(): void {
    this.#stopReading = undefined;
    this.#budget.ended(this);
  }

  giveWay(): void {
    const stopReading = this.#stopReading;
    this.arrived();
    this.release();
    this.#gaveWay = true;
    stopReading?.();
  }

  release(): void {
    this.#budget.give(this.#bytes);
    this.#bytes = 0;
  }
}

export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Buffer }
  | { readonly kind: "problem"; readonly problem: Problem };

const DECODERS: ReadonlyMap<string, (bytes: Uint8Array, bytesMax: number) => Uint8Array> = new Map([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength })],
  ["zstd", (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { maxOutputLength })],
]);

/**
 * A body that declares no more is taken from the budget at once and read in one piece, which is what SDKs'
 * batches are. A larger one is counted as it arrives, so that a few clients which declare much and send
 * nothing cannot use the budget up.
 */
const WHOLE_BODY_BYTES_MAX = 262_144;

/** The problem with a request's media type or encoding; undefined when both are fine. */
export function contentProblem(request: Request): Problem | undefined {
  if (!isJson(request.headers.get("content-type"))) {
    return {
      code: "unsupported_media_type",
      detail: "Content-Type must be application/json (charset utf-8)",
    };
  }
  const encoding = encodingOf(request);
  if (encoding !== undefined && !DECODERS.has(encoding)) {
    return {
      code: "unsupported_encoding",
      detail: "Content-Encoding must be one of gzip, deflate, br, zstd",
    };
  }
  return undefined;
}

/** Buffers of fewer bytes may lie in one that others share. */
const OWN_BUFFER_BYTES_MIN = 16_384;

/**
 * Gives the memory of a body that nobody reads any more back at once. Left to a collection, bodies are most
 * of what there is to collect under load, and those whose requests wait for a commit while it runs grow old,
 * until the next collection of everything.
 */
export function freeBody({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < OWN_BUFFER_BYTES_MIN || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Smaller bodies become little enough for the collector to keep up with. */
const LARGE_BODY_BYTES_MIN = 1_048_576;

/**
 * How many objects and arrays a large body becomes, about: brackets in strings count too. None of a smaller
 * one.
 */
export function countObjects(bytes: Uint8Array): number {
  if (bytes.length < LARGE_BODY_BYTES_MIN) return 0;
  let objects = 0;
  // 0x5b and 0x7b: `[` and `{`.
  for (let at = 0; at < bytes.length; at++) if ((bytes[at]! & 0xdf) === 0x5b) objects++;
  return objects;
}

/**
 * Reads and decompresses a body whose media type and encoding are fine. `held` is the request's own share.
 */
export async function readBody(
  request: Request,
  bodyBytesMax: number,
  held: BudgetShare,
): Promise<BodyResult> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  const read = declared > bodyBytesMax ? "too_large" : await readBytes(request, declared, bodyBytesMax, held);
  if (typeof read === "string") return { kind: "problem", problem: unreadable(read, bodyBytesMax) };

  let bytes = read;
  const encoding = encodingOf(request);
  if (encoding !== undefined) {
    try {
      bytes = DECODERS.get(encoding)!(read, bodyBytesMax);
      freeBody(read);
    } catch (error) {
      const isBomb = (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
      const problem = isBomb
        ? unreadable("too_large", bodyBytesMax)
        : ({ code: "invalid_json", detail: `The body is not valid ${encoding}` } as const);
      return { kind: "problem", problem };
    }
    if (!held.take(bytes.length)) return { kind: "problem", problem: unreadable("overloaded", bodyBytesMax) };
  }
  return { kind: "body", bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

type Unreadable = "too_large" | "overloaded" | "gave_way" | "broken_off";

function unreadable(reason: Unreadable, bodyBytesMax: number): Problem {
  switch (reason) {
    case "too_large": {
      const detail = `A body may hold ${bodyBytesMax} bytes after decompression`;
      return { code: "body_too_large", detail, closes: true };
    }
    case "overloaded":
      return { code: "overloaded", detail: "Too many bytes are waiting to be stored" };
    case "gave_way":
      return {
        code: "overloaded",
        detail: "The body came too slowly while others waited for room",
        closes: true,
      };
    case "broken_off":
      return { code: "invalid_json", detail: "The body ended before its declared length" };
  }
}

async function readBytes(
  request: Request,
  declared: number,
  bodyBytesMax: number,
  held: BudgetShare,
): Promise<Uint8Array | Unreadable> {
  try {
    if (!(declared <= WHOLE_BODY_BYTES_MAX)) return await readChunks(request, bodyBytesMax, held);
    return held.take(declared) ? await readWhole(request, held) : "overloaded";
  } catch {
    // The client went away in the middle: nobody reads the answer.
    return "broken_off";
  } finally {
    held.arrived();
  }
}

function readWhole(request: Request, held: BudgetShare): Promise<Uint8Array | "gave_way"> {
  return new Promise((resolve, reject) => {
    held.arriving(() => resolve("gave_way"));
    request.bytes().then(resolve, reject);
  });
}

/**
 * How many events a body holds that will not be parsed, reading it in pieces and keeping none. At most
 * `bytesMax` bytes are looked at; an encoding that cannot be read counts as none.
 */
export async function countEvents(request: Request, bytesMax: number): Promise<number> {
  const counter = new ElementCounter();
  const encoding = encodingOf(request);
  if (request.body === null || (encoding !== undefined && !DECODERS.has(encoding))) return 0;
  try {
    let left = bytesMax;
    for await (const chunk of decodedStream(request.body, encoding)) {
      counter.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch {
    // Half-sent or damaged: what was seen is what counts.
  }
  return counter.count;
}

/** How many events a body holds that could not be parsed: what there is of them is what counts. */
export function elementsOf(bytes: Uint8Array): number {
  const counter = new ElementCounter();
  counter.push(bytes);
  return counter.count;
}

async function readChunks(
  request: Request,
  bodyBytesMax: number,
  held: BudgetShare,
): Promise<Uint8Array | Unreadable> {
  const chunks: Uint8Array[] = [];
  if (request.body === null) return new Uint8Array();
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  // A read that is waited for ends as if the body had ended.
  const stop = () => void reader.cancel().catch(() => undefined);
  held.arriving(stop);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (held.gaveWay) return "gave_way";
    if (done) break;
    length += value.length;
    if (length > bodyBytesMax || !held.take(value.length)) {
      stop();
      if (length > bodyBytesMax) return "too_large";
      return held.gaveWay ? "gave_way" : "overloaded";
    }
    chunks.push(value);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
}

function decodedStream(
  body: ReadableStream<Uint8Array>,
  encoding: string | undefined,
): AsyncIterable<Uint8Array> {
  if (encoding === undefined) return body as unknown as AsyncIterable<Uint8Array>;
  const format = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" }[encoding];
  const decoder = new DecompressionStream(format as CompressionFormat);
  return body.pipeThrough(
    decoder as unknown as ReadableWritablePair<Uint8Array, Uint8Array>,
  ) as unknown as AsyncIterable<Uint8Array>;
}

function encodingOf(request: Request): string | undefined {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase();
  return encoding === undefined || encoding === "" || encoding === "identity" ? undefined : encoding;
}

/**
 * In steps: one pattern for all of it tried every way to divide the blanks of 16 kB between its parts, 0.2 s.
 */
function isJson(contentType: string | null): boolean {
  if (contentType === "application/json") return true;
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim());
  if (type.toLowerCase() !== "application/json") return false;
  // One semicolon may end it.
  if (parameters.at(-1) === "") parameters.pop();
  const [charset, ...others] = parameters;
  return others.length === 0 && (charset === undefined || isUtf8(charset));
}

function isUtf8(parameter: string): boolean {
  const equals = parameter.indexOf("=");
  if (parameter.slice(0, equals).trim().toLowerCase() !== "charset") return false;
  return /^"?utf-?8"?$/i.test(parameter.slice(equals + 1).trim());
}

function gunzip(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  return zlib.gunzipSync(bytes, { maxOutputLength });
}

/**
 * `deflate` means the zlib format (RFC 9110), but some clients send the bare stream: the first two bytes tell
 * them apart.
 */
function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  const zlibFormat =
    bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && (bytes[0]! * 256 + bytes[1]!) % 31 === 0;
  return zlibFormat
    ? zlib.inflateSync(bytes, { maxOutputLength })
    : zlib.inflateRawSync(bytes, { maxOutputLength });
}
