/** Bodies: media types, encodings, sizes, bombs, bad bytes. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { refusal } from "../support/client.ts";
import { eventBatch, eventBody, newExecution } from "../support/fixtures.ts";
import { openRaw, requestHead } from "../support/raw-http.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const bodyBytesMax = 5_242_880;
const encoders: [string, (bytes: Uint8Array) => Buffer][] = [
  ["gzip", (bytes) => gzipSync(bytes)],
  ["deflate", (bytes) => deflateSync(bytes)],
  ["br", (bytes) => brotliCompressSync(bytes, { params: { 1: 4 } })],
  ["zstd", (bytes) => zstdCompressSync(bytes)],
];

/** A valid batch of one event, padded with white space to an exact size. */
function padded(run: string, bytes: number): string {
  const text = JSON.stringify([eventBody(run)]);
  return text + " ".repeat(bytes - Buffer.byteLength(text));
}

describe("media types", () => {
  for (const type of [
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/json ; charset = utf8 ;",
    "application/json;",
  ]) {
    test(`${type} is taken`, async () => {
      const run = await newExecution(suite.client);
      const reply = await suite.client.sendEvents([eventBody(run)], { "content-type": type });
      expect(reply.json).toEqual({ accepted: 1, duplicates: 0 });
    });
  }
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "text/json-seq",
    "json",
    "application/json; charset=latin1",
    "application/json; charset=utf-8; charset=utf-8",
    "application/json; boundary=x",
    "application/json;;",
    "application/json; charset",
  ]) {
    test(`${type}: 415 unsupported_media_type`, async () => {
      const run = await newExecution(suite.client);
      const reply = await suite.client.sendEvents([eventBody(run)], { "content-type": type });
      expect(refusal(reply)).toBe("415 unsupported_media_type");
    });
  }
});

describe("encodings", () => {
  for (const [name, encode] of encoders) {
    test(`${name} is taken`, async () => {
      const run = await newExecution(suite.client);
      const body = encode(Buffer.from(JSON.stringify(eventBatch(run, 200))));
      const reply = await suite.client.sendEvents(body, { "content-encoding": name });
      expect(reply.json).toEqual({ accepted: 200, duplicates: 0 });
    });

    test(`${name.toUpperCase()} is taken on an execution`, async () => {
      const run = await newExecution(suite.client);
      const body = encode(Buffer.from('{"status":"completed"}'));
      const reply = await suite.client.patchExecution(run, body, { "content-encoding": name.toUpperCase() });
      expect(reply.json).toMatchObject({ execution_id: run, status: "completed" });
    });

    test(`${name}: exactly the limit once unpacked is taken, a byte more is 413`, async () => {
      const run = await newExecution(suite.client);
      const headers = { "content-encoding": name };
      const fits = await suite.client.sendEvents(encode(Buffer.from(padded(run, bodyBytesMax))), headers);
      expect(fits.json).toEqual({ accepted: 1, duplicates: 0 });
      const over = await suite.client.sendEvents(encode(Buffer.from(padded(run, bodyBytesMax + 1))), headers);
      expect(refusal(over)).toBe("413 body_too_large");
    });

    test(`${name}: broken, cut off or plain bytes are 400`, async () => {
      const packed = encode(Buffer.from(JSON.stringify({ text: "x".repeat(5_000), n: Math.random() })));
      const broken = Buffer.from(packed);
      broken.fill(0xa5, Math.floor(packed.length / 3), Math.floor(packed.length / 3) + 6);
      for (const body of [
        broken,
        packed.subarray(0, packed.length - 6),
        Buffer.from('{"a":1}'),
        Buffer.alloc(0),
      ]) {
        const reply = await suite.client.sendEvents(body, { "content-encoding": name });
        expect(reply.status).toBe(400);
        expect(refusal(reply)).toBeOneOf(["400 invalid_json", "400 invalid_request"]);
      }
    });

    test(`a bomb of ${name} stops at the limit`, async () => {
      const bomb = encode(Buffer.alloc(300 * 1024 * 1024, " "));
      const before = peakMemoryMiB();
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => suite.client.sendEvents(bomb, { "content-encoding": name })),
      );
      expect(replies.map(refusal)).toEqual(replies.map(() => "413 body_too_large"));
      expect(peakMemoryMiB() - before).toBeLessThan(250);
      const run = await newExecution(suite.client);
      expect((await suite.client.sendEvents([eventBody(run)])).status).toBe(200);
    });
  }

  test("identity is taken", async () => {
    const run = await newExecution(suite.client);
    const reply = await suite.client.sendEvents([eventBody(run)], { "content-encoding": "identity" });
    expect(reply.status).toBe(200);
  });

  for (const name of ["compress", "x-lzma", "gzip, gzip", "utf-8", "constructor", "toString", "__proto__"]) {
    test(`${name}: 415 unsupported_encoding`, async () => {
      const reply = await suite.client.sendEvents("[]", { "content-encoding": name });
      expect(refusal(reply)).toBe("415 unsupported_encoding");
    });
  }
});

/** Highest resident memory so far of the service; Linux only, 0 elsewhere. */
function peakMemoryMiB(): number {
  try {
    const status = readFileSync(`/proc/${suite.service.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe("sizes", () => {
  test("a body of exactly the limit is taken, a byte more is 413", async () => {
    const run = await newExecution(suite.client);
    expect((await suite.client.sendEvents(padded(run, bodyBytesMax))).json).toEqual({
      accepted: 1,
      duplicates: 0,
    });
    expect(refusal(await suite.client.sendEvents(padded(run, bodyBytesMax + 1)))).toBe("413 body_too_large");
  });

  test("the limit holds for executions too", async () => {
    const body = JSON.stringify({ status: "completed" }) + " ".repeat(bodyBytesMax);
    expect(refusal(await suite.client.createExecution(body))).toBe("413 body_too_large");
    expect(refusal(await suite.client.patchExecution("any", body))).toBe("413 body_too_large");
  });

  test("1,000 events are taken, 1,001 are 413 batch_too_large and nothing is stored", async () => {
    const run = await newExecution(suite.client);
    const over = await suite.client.sendEvents(eventBatch(run, 1_001));
    expect(refusal(over)).toBe("413 batch_too_large");
    expect((await suite.database.sql`select 1 from events where execution_id = ${run}`).length).toBe(0);
    expect((await suite.client.sendEvents(eventBatch(run, 1_000))).json).toEqual({
      accepted: 1_000,
      duplicates: 0,
    });
  });

  test("a declared length beyond the limit is refused, and the service lives on", async () => {
    const connection = await openRaw(suite.service.port);
    await connection.write(
      requestHead("POST", "/events", suite.project.key, { "content-length": 50_000_000_000 }),
    );
    await connection.write("[".repeat(1_000));
    const run = await newExecution(suite.client);
    expect((await suite.client.sendEvents([eventBody(run)])).status).toBe(200);
    connection.destroy();
  });

  test("a chunked body beyond the limit is 413", async () => {
    const connection = await openRaw(suite.service.port);
    await connection.write(
      requestHead("POST", "/events", suite.project.key, { "transfer-encoding": "chunked" }),
    );
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    // 80 of them are exactly the limit. What is written after the refusal could reset the connection under
    // it.
    for (let sent = 0; sent < 81 && connection.received() === ""; sent += 1) {
      await connection.write(chunk).catch(() => {});
    }
    expect(await connection.status()).toBe(413);
    connection.destroy();
  });

  test("a chunked body of good events is taken", async () => {
    const run = await newExecution(suite.client);
    const text = JSON.stringify([eventBody(run)]);
    const connection = await openRaw(suite.service.port);
    await connection.write(
      requestHead("POST", "/events", suite.project.key, { "transfer-encoding": "chunked" }),
    );
    for (const part of [text.slice(0, 10), text.slice(10)]) {
      await connection.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    }
    await connection.write("0\r\n\r\n");
    expect(await connection.status()).toBe(200);
    connection.destroy();
  });
});

describe("JSON", () => {
  const bad: [string, string | Uint8Array][] = [
    ["an empty body", new Uint8Array(0)],
    ["white space only", " \n "],
    ["a body cut off", '[{"event_id":"a"'],
    ["a trailing comma", "[1,]"],
    ["a comment", "[] // none"],
    ["single quotes", "['a']"],
    ["NaN", "[NaN]"],
    ["two documents", "[][]"],
    ["a raw control character in a string", '["a\u0001b"]'],
    ["bytes that are no UTF-8", Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])],
    ["an overlong encoding", Buffer.from([0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d])],
    ["a surrogate encoded as UTF-8", Buffer.from([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d])],
    ["a cut-off UTF-8 sequence", Buffer.from([0x5b, 0x22, 0xe2, 0x82, 0x22, 0x5d])],
    ["UTF-16", Buffer.from("[]", "utf16le")],
  ];
  for (const [name, body] of bad) {
    test(`${name}: 400 invalid_json on every call`, async () => {
      expect(refusal(await suite.client.sendEvents(body))).toBe("400 invalid_json");
      expect(refusal(await suite.client.createExecution(body))).toBe("400 invalid_json");
      expect(refusal(await suite.client.patchExecution("any", body))).toBe("400 invalid_json");
    });
  }

  test("a good batch with one byte that is no UTF-8 in a payload: 400 invalid_json, nothing stored", async () => {
    const run = await newExecution(suite.client);
    const bytes = Buffer.from(JSON.stringify([eventBody(run, { payload: { text: "~" } })]));
    bytes[bytes.lastIndexOf("~")] = 0xff;
    expect(refusal(await suite.client.sendEvents(bytes))).toBe("400 invalid_json");
    expect((await suite.database.sql`select 1 from events where execution_id = ${run}`).length).toBe(0);
  });

  for (const body of ["{}", "null", '"events"', "7", "true"]) {
    test(`${body} in place of a batch: 400 invalid_request`, async () => {
      expect(refusal(await suite.client.sendEvents(body))).toBe("400 invalid_request");
    });
  }

  test("a batch of no events stores none", async () => {
    const reply = await suite.client.sendEvents("[]");
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ accepted: 0, duplicates: 0 });
  });

  test("a refusal echoes neither the key nor the body", async () => {
    const reply = await suite.client.sendEvents('[{"secret-marker-1": secret-marker-2}]');
    expect(reply.text).not.toContain("secret-marker");
    expect(reply.text).not.toContain(suite.project.key);
  });
});
