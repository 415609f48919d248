import { describe, expect, test } from "bun:test";
import { type HttpResponse, parseResponse, RESPONSE_BYTES_MAX, ResponseReader } from "./http-response.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

const PLAIN =
  'HTTP/1.1 200 OK\r\nX-RateLimit-Limit: 100\r\ncontent-LENGTH:  9 \r\nContent-Type: application/json\r\n\r\n{"ok":1}\n';
const CHUNKED =
  'HTTP/1.1 207 Multi-Status\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"ok\r\n0C;note=x\r\n":[\r\n1,2,3]}\r\n0\r\nTrailer: y\r\n\r\n';

function textOf(response: HttpResponse): string {
  return Buffer.from(response.body).toString("latin1");
}

function whole(text: string): HttpResponse {
  const result = parseResponse(bytes(text), 0);
  if (result.kind !== "response") throw new Error(`expected a response, got ${result.kind}`);
  expect(result.end).toBe(text.length);
  return result.response;
}

describe("parseResponse", () => {
  test("Content-Length, whatever the case of the name", () => {
    const response = whole(PLAIN);
    expect(response.status).toBe(200);
    expect(response.keepAlive).toBe(true);
    expect(response.retryAfterS).toBeUndefined();
    expect(textOf(response)).toBe('{"ok":1}\n');
  });

  test("chunks, an extension and a trailer", () => {
    expect(textOf(whole(CHUNKED))).toBe('{"ok":[\r\n1,2,3]}');
  });

  test("Retry-After and Connection: close", () => {
    const response = whole(
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n",
    );
    expect(response).toMatchObject({ status: 503, retryAfterS: 7, keepAlive: false });
  });

  test("HTTP/1.0 closes unless it says otherwise", () => {
    expect(whole("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keepAlive).toBe(false);
    expect(whole("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n").keepAlive).toBe(
      true,
    );
  });

  test("an interim answer is skipped, 204 has no body", () => {
    expect(whole(`HTTP/1.1 100 Continue\r\n\r\n${PLAIN}`).status).toBe(200);
    expect(whole("HTTP/1.1 204 No Content\r\n\r\n").status).toBe(204);
  });

  test.each([
    ["not HTTP", "SSH-2.0-x\r\n\r\n"],
    ["a status out of range", "HTTP/1.1 999 Odd\r\n\r\n"],
    ["a status of letters", "HTTP/1.1 abc Odd\r\n\r\n"],
    ["a line without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"],
    ["a length above the limit", `HTTP/1.1 200 OK\r\nContent-Length: ${RESPONSE_BYTES_MAX + 1}\r\n\r\n`],
    ["an unknown transfer encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"],
    ["a bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"],
    ["a chunk longer than it says", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"],
  ])("%s is malformed", (_name, text) => {
    expect(parseResponse(bytes(text), 0).kind).toBe("malformed");
  });
});

describe("ResponseReader", () => {
  test.each([
    ["Content-Length", PLAIN],
    ["chunked", CHUNKED],
  ])("%s: every cut into two reads, and byte by byte, gives the same response", (_name, text) => {
    const expected = textOf(whole(text));
    for (let cut = 1; cut < text.length; cut++) {
      const reader = new ResponseReader();
      expect(reader.push(bytes(text.slice(0, cut)))).toBeUndefined();
      const response = reader.push(bytes(text.slice(cut)));
      if (response === undefined || "malformed" in response)
        throw new Error(`cut at ${cut} lost the response`);
      expect(textOf(response)).toBe(expected);
    }
    const reader = new ResponseReader();
    const results = [...bytes(text)].map((byte) => reader.push(Uint8Array.of(byte)));
    expect(results.slice(0, -1).every((result) => result === undefined)).toBe(true);
    expect(results.at(-1)).toMatchObject({ keepAlive: true });
  });

  test("what is held does not change with the socket's buffer", () => {
    const reader = new ResponseReader();
    const first = bytes(PLAIN.slice(0, 40));
    reader.push(first);
    first.fill(0);
    expect(reader.push(bytes(PLAIN.slice(40)))).toMatchObject({ status: 200 });
  });

  test("one response after another on the same connection", () => {
    const reader = new ResponseReader();
    expect(reader.push(bytes(PLAIN))).toMatchObject({ status: 200 });
    expect(reader.push(bytes(CHUNKED))).toMatchObject({ status: 207 });
  });

  test("bytes that nobody asked for are malformed", () => {
    expect(new ResponseReader().push(bytes(PLAIN + PLAIN))).toHaveProperty("malformed");
  });

  test("without a length the close ends the body; a cut response stays unknown", () => {
    const reader = new ResponseReader();
    expect(reader.push(bytes("HTTP/1.1 200 OK\r\n\r\n{}"))).toBeUndefined();
    expect(reader.close()).toMatchObject({ status: 200, keepAlive: false });
    reader.push(bytes(PLAIN.slice(0, -1)));
    expect(reader.close()).toBeUndefined();
  });
});
