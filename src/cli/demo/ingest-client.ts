/**
 * Speaks the service's public interface like every other client: nothing here knows of the database. What the
 * service asks to be sent again (a full bucket, an overload, a key it has not read yet) is sent again;
 * anything else is an error.
 */
export class IngestError extends Error {
  override readonly name = "IngestError";
}

export interface Accepted {
  readonly accepted: number;
  readonly duplicates: number;
}

const TRIES_MAX = 40;
const WAIT_MS_MAX = 5_000;
/** A new key is known within 2 s. */
const KEY_TRIES_MAX = 25;
const REQUEST_TIMEOUT_MS = 30_000;
const AWAY_TRIES_MAX = 20;
const AWAY_PAUSE_MS = 1_000;

export class IngestClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url.replace(/\/+$/, "");
  }

  /** Throws unless a service answers there. */
  async ping(): Promise<void> {
    const response = await this.#fetch("/health", { method: "GET" });
    await response.body?.cancel();
  }

  async create(key: string, execution: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#send(key, "POST", "/executions", execution, [200, 201]);
  }

  async finish(key: string, executionId: string, end: Readonly<Record<string, unknown>>): Promise<void> {
    // 409: sent before, in an earlier replay of the same seed, with another clock.
    await this.#send(key, "PATCH", `/executions/${encodeURIComponent(executionId)}`, end, [200, 409]);
  }

  async events(key: string, events: readonly unknown[]): Promise<Accepted> {
    const body = await this.#send(key, "POST", "/events", events, [200]);
    const { accepted, duplicates } = body as Partial<Accepted>;
    return { accepted: accepted ?? 0, duplicates: duplicates ?? 0 };
  }

  /** Sends what the service is expected to refuse. */
  async refusedEvents(key: string, events: readonly unknown[]): Promise<void> {
    await this.#send(key, "POST", "/events", events, [400]);
  }

  async #send(
    key: string,
    method: string,
    path: string,
    body: unknown,
    good: readonly number[],
  ): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${key}`,
      "x-service-schema-version": "1",
      "content-type": "application/json",
    };
    for (let attempt = 1; ; attempt++) {
      let response: Response;
      try {
        response = await this.#fetch(path, { method, headers, body: JSON.stringify(body) });
      } catch (error) {
        // A restart, perhaps: whatever was stored is answered as known.
        if (attempt >= AWAY_TRIES_MAX) throw error;
        await Bun.sleep(AWAY_PAUSE_MS);
        continue;
      }
      const text = await response.text();
      if (good.includes(response.status)) return JSON.parse(text);
      const waitMs = waitBefore(response, attempt);
      if (waitMs === null)
        throw new IngestError(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`);
      await Bun.sleep(waitMs);
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(this.#url + path, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new IngestError(
        `No service answers at ${this.#url} (${reason}). Start it with \`bun start\`, or name its address with --url.`,
      );
    }
  }
}

/** Null: sending it again would not help. */
function waitBefore(response: Response, attempt: number): number | null {
  if (response.status === 401) return attempt < KEY_TRIES_MAX ? 200 : null;
  if ((response.status !== 429 && response.status !== 503) || attempt >= TRIES_MAX) return null;
  const seconds = Number(response.headers.get("retry-after") ?? "1");
  return Math.min(WAIT_MS_MAX, Math.max(100, Number.isFinite(seconds) ? seconds * 1_000 : 1_000));
}
