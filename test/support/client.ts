/**
 * A minimal client of the HTTP interface: it sends what it is told, byte for byte, and judges nothing.
 */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when there is none or when it is not JSON. */
  readonly json: Json | undefined;
}

/**
 * A JSON document a test looks into. Absent members read as undefined, so that an assertion fails, not the
 * access.
 */
export interface Json {
  readonly [member: string]: unknown;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly { index?: number; pointer: string; code: string; detail: string }[];
}

export interface RequestOptions {
  /** Sent as it is when a string or bytes; anything else as its JSON text. */
  body?: unknown;
  /** Over the defaults; null leaves a default header out. */
  headers?: Record<string, string | null>;
  signal?: AbortSignal;
}

export interface Client {
  readonly url: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  createExecution(body: unknown, headers?: RequestOptions["headers"]): Promise<Reply>;
  patchExecution(id: string, body: unknown, headers?: RequestOptions["headers"]): Promise<Reply>;
  sendEvents(body: unknown, headers?: RequestOptions["headers"]): Promise<Reply>;
}

function bodyOf(body: unknown): BodyInit | undefined {
  if (body === undefined || typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function clientOf(url: string, key: string | undefined): Client {
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const defaults: Record<string, string | null> = {
      authorization: key === undefined ? null : `Bearer ${key}`,
      "x-service-schema-version": "1",
      "content-type": options.body === undefined ? null : "application/json",
    };
    const headers = new Headers();
    for (const [name, value] of Object.entries({ ...defaults, ...options.headers })) {
      if (value !== null) headers.set(name, value);
    }
    const response = await fetch(url + path, {
      method,
      headers,
      body: bodyOf(options.body),
      redirect: "manual",
      signal: options.signal,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }
  return {
    url,
    request,
    createExecution: (body, headers) => request("POST", "/executions", { body, headers }),
    patchExecution: (id, body, headers) =>
      request("PATCH", `/executions/${encodeURIComponent(id)}`, { body, headers }),
    sendEvents: (body, headers) => request("POST", "/events", { body, headers }),
  };
}

/**
 * The body as problem+json; throws with the whole answer when it is none, because that is what a failing test
 * needs.
 */
export function problemOf(reply: Reply): Problem {
  const type = reply.headers.get("content-type") ?? "";
  const body = reply.json;
  const complete =
    type.split(";")[0] === "application/problem+json" &&
    body !== undefined &&
    ["type", "title", "detail", "code"].every((member) => typeof body[member] === "string") &&
    body.status === reply.status;
  if (!complete)
    throw new Error(`not a problem document: ${reply.status} ${type} ${reply.text.slice(0, 500)}`);
  return body as unknown as Problem;
}

/** Status and code of a refusal in one value, for one assertion. */
export function refusal(reply: Reply): string {
  return `${reply.status} ${problemOf(reply).code}`;
}
