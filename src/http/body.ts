import zlib from "node:zlib";
import { ElementCounter } from "../ingest/element-counter.ts";
import type { Problem } from "./problem.ts";

/**
 * Bodies, bounded: no request holds more than `bodyBytesMax`, compressed or not, and all requests together hold no more than the
 * memory budget. Whoever reads a body gives its bytes back to the budget when the request is answered.
 */

/** What all requests in flight may hold. One per HTTP thread. */
export class MemoryBudget {
  readonly #max: number;
  #held = 0;

  constructor(bytesMax: number) {
    this.#max = bytesMax;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes `bytes`; false when that would exceed the budget. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

export type BodyResult =
  | { readonly kind: "body"; readonly text: string; readonly heldBytes: number }
  | { readonly kind: "problem"; readonly problem: Problem; readonly heldBytes: number };

const DECODERS: ReadonlyMap<string, (bytes: Uint8Array, bytesMax: number) => Uint8Array> = new Map([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength })],
  ["zstd", (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { maxOutputLength })],
]);

/**
 * A body that declares no more is taken from the budget at once and read in one piece, which is what SDKs' batches are. A larger
 * one is counted as it arrives, so that a few clients which declare much and send nothing cannot use the budget up.
 */
const WHOLE_BODY_BYTES_MAX = 262_144;

const utf8 = new TextDecoder("utf-8", { fatal: true });

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

/** Reads, decompresses and decodes a body whose media type and encoding are fine. */
export async function readBody(
  request: Request,
  bodyBytesMax: number,
  budget: MemoryBudget,
): Promise<BodyResult> {
  const tooLarge: Problem = {
    code: "body_too_large",
    detail: `A body may hold ${bodyBytesMax} bytes after decompression`,
  };
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > bodyBytesMax) return { kind: "problem", problem: tooLarge, heldBytes: 0 };
  const held = new Holding(budget);
  const fail = (problem: Problem): BodyResult => ({ kind: "problem", problem, heldBytes: held.bytes });

  let bytes: Uint8Array;
  if (declared <= WHOLE_BODY_BYTES_MAX) {
    if (!held.take(declared)) return fail(OVERLOADED);
    bytes = await request.bytes();
  } else {
    const read = await readChunks(request, bodyBytesMax, held);
    if (read === "too_large") return fail(tooLarge);
    if (read === "overloaded") return fail(OVERLOADED);
    bytes = read;
  }

  const encoding = encodingOf(request);
  if (encoding !== undefined) {
    try {
      bytes = DECODERS.get(encoding)!(bytes, bodyBytesMax);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (code === "ERR_BUFFER_TOO_LARGE") return fail(tooLarge);
      return fail({ code: "invalid_json", detail: `The body is not valid ${encoding}` });
    }
    if (!held.take(bytes.length)) return fail(OVERLOADED);
  }
  try {
    return { kind: "body", text: utf8.decode(bytes), heldBytes: held.bytes };
  } catch {
    return fail({ code: "invalid_json", detail: "The body is not valid UTF-8" });
  }
}

/**
 * How many events a body holds that will not be parsed, reading it in pieces and keeping none. At most `bytesMax` bytes
 * are looked at; an encoding that cannot be read counts as none.
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

const OVERLOADED: Problem = { code: "overloaded", detail: "Too many bytes are waiting to be stored" };

/** What one request took from the budget. */
class Holding {
  bytes = 0;
  readonly #budget: MemoryBudget;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.bytes += bytes;
    return true;
  }
}

async function readChunks(
  request: Request,
  bodyBytesMax: number,
  held: Holding,
): Promise<Uint8Array | "too_large" | "overloaded"> {
  const chunks: Uint8Array[] = [];
  if (request.body === null) return new Uint8Array();
  let length = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bodyBytesMax) return "too_large";
    if (!held.take(chunk.length)) return "overloaded";
    chunks.push(chunk);
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

function isJson(contentType: string | null): boolean {
  if (contentType === "application/json") return true;
  const match = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?;?\s*$/i.exec(
    contentType ?? "",
  );
  return match !== null && (match[1] === undefined || /^utf-?8$/i.test(match[1]));
}

function gunzip(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  return zlib.gunzipSync(bytes, { maxOutputLength });
}

/** `deflate` means the zlib format (RFC 9110), but some clients send the bare stream: the first two bytes tell them apart. */
function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  const zlibFormat =
    bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && (bytes[0]! * 256 + bytes[1]!) % 31 === 0;
  return zlibFormat
    ? zlib.inflateSync(bytes, { maxOutputLength })
    : zlib.inflateRawSync(bytes, { maxOutputLength });
}
