/**
 * A project beside the loaded one that sends an event twice a second, each of which fires: how long from the
 * answer until its detection is stored. Until the load has ended; what is sent by then is waited for.
 */
import { BenchDatabase } from "../ingest/database.ts";

const SEND_EVERY_MS = 500;
const ASK_EVERY_MS = 20;
const FOUND_SECONDS_MAX = 120;

export class QuietWatch {
  readonly #headers: Record<string, string>;
  readonly #url: string;
  readonly #database: BenchDatabase;
  readonly #found: Promise<number>[] = [];
  readonly #sending: Promise<void>;
  #isSending = true;

  constructor(target: { readonly url: string; readonly key: string; readonly databaseUrl: string }) {
    this.#url = target.url;
    this.#headers = {
      authorization: `Bearer ${target.key}`,
      "content-type": "application/json",
      "x-service-schema-version": "1",
    };
    this.#database = new BenchDatabase(target.databaseUrl);
    this.#sending = this.#send();
  }

  async #send(): Promise<void> {
    while (this.#isSending) {
      const nextMs = performance.now() + SEND_EVERY_MS;
      const executionId = `quiet_${crypto.randomUUID()}`;
      const time = new Date().toISOString();
      await this.#post("/executions", { execution_id: executionId, status: "started" });
      const event = { event_id: "e1", execution_id: executionId, sequence: 1, timestamp: time };
      const payload = { type: "TypeError", message: "no such field", handled: false };
      await this.#post("/events", [{ ...event, event_type: "exception", payload }]);
      this.#found.push(this.#untilFound(executionId));
      await Bun.sleep(Math.max(0, nextMs - performance.now()));
    }
  }

  async #post(path: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.#url}${path}`, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} of the quiet project was answered ${answer.status}`);
  }

  /** Seconds. */
  async #untilFound(executionId: string): Promise<number> {
    const startedMs = performance.now();
    while (!(await this.#database.hasDetection(executionId))) {
      if (performance.now() - startedMs > FOUND_SECONDS_MAX * 1000)
        throw new Error(`an event of the quiet project was not detected in ${FOUND_SECONDS_MAX} s`);
      await Bun.sleep(ASK_EVERY_MS);
    }
    return (performance.now() - startedMs) / 1000;
  }

  loadEnded(): void {
    this.#isSending = false;
  }

  /** Seconds from each answer to the detection. */
  async found(): Promise<number[]> {
    await this.#sending;
    return await Promise.all(this.#found);
  }

  async end(): Promise<void> {
    this.loadEnded();
    await this.found().catch(() => {});
    await this.#database.end();
  }
}
