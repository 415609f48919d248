import type { LiveEvent } from "../../../live/live-event.ts";
import { ApiError } from "../../client.ts";
import { type StreamMessage, StreamParser } from "./stream-parser.ts";

/**
 * The browser's end of the live tail. It goes on for ever: a lost connection is made again after a pause that
 * grows, with the id of the last message, so that nothing is shown twice or left out while the service
 * remembers. Only a refusal stops it.
 */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly untilMs: number }
  | { readonly kind: "refused"; readonly error: ApiError };

export interface LiveRates {
  readonly stored: number;
  readonly skipped: number;
  readonly seconds: number;
}

export interface LiveHandlers {
  onConnection(connection: Connection): void;
  onEvents(events: readonly LiveEvent[]): void;
  onRate(rates: LiveRates): void;
  onDropped(count: number): void;
  onStore(isAway: boolean): void;
}

const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 15_000;
/** The service says something every 5 s. */
const SILENCE_MS_MAX = 20_000;

/** Follows the stream until the function that it returns is called. */
export function followLive(path: string, handlers: LiveHandlers): () => void {
  const stopped = new AbortController();
  void follow(path, handlers, stopped.signal);
  return () => stopped.abort();
}

async function follow(path: string, handlers: LiveHandlers, stopped: AbortSignal): Promise<void> {
  let lastId: string | null = null;
  let pauseMs = PAUSE_MS_MIN;
  while (!stopped.aborted) {
    handlers.onConnection({ kind: "connecting" });
    try {
      await readStream(path, lastId, stopped, ({ name, id, data }) => {
        if (stopped.aborted) return;
        if (id !== null) lastId = id;
        if (name === "hello") {
          pauseMs = PAUSE_MS_MIN;
          handlers.onConnection({ kind: "open" });
        }
        tell(handlers, name, data);
      });
    } catch (error) {
      if (error instanceof ApiError) {
        if (!stopped.aborted) handlers.onConnection({ kind: "refused", error });
        return;
      }
    }
    if (stopped.aborted) return;
    // Not all browsers of a team at the same moment.
    const waitMs = pauseMs * (0.75 + Math.random() / 2);
    handlers.onConnection({ kind: "waiting", untilMs: Date.now() + waitMs });
    await pause(waitMs, stopped);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
  }
}

function tell(handlers: LiveHandlers, name: string, data: unknown): void {
  if (name === "events") handlers.onEvents(data as readonly LiveEvent[]);
  else if (name === "rate") handlers.onRate(data as LiveRates);
  else if (name === "dropped") handlers.onDropped((data as { count: number }).count);
  else if (name === "store") handlers.onStore((data as { state: string }).state === "away");
}

async function readStream(
  path: string,
  lastId: string | null,
  stopped: AbortSignal,
  onMessage: (message: StreamMessage) => void,
): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
  try {
    const response = await fetch(path, {
      headers: { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) },
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.any([stopped, silent.signal]),
    });
    if (!response.ok) await throwRefusal(response);
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    const parser = new StreamParser();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
      for (const message of parser.push(decoder.decode(value, { stream: true }))) onMessage(message);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal ends it; a service that is away or restarting is tried again. */
async function throwRefusal(response: Response): Promise<void> {
  const answer: unknown = await response.json().catch(() => null);
  const { code, detail } = (answer ?? {}) as { code?: string; detail?: string };
  if (response.status >= 500 && code !== "too_many_streams") throw new Error(`answered ${response.status}`);
  throw new ApiError(
    response.status,
    code ?? "unknown",
    detail ?? `The service answered ${response.status}.`,
  );
}

/** Shorter when the network comes back. */
function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener("online", go);
      stopped.removeEventListener("abort", go);
      resolve();
    };
    const timer = setTimeout(go, milliseconds);
    window.addEventListener("online", go);
    stopped.addEventListener("abort", go);
  });
}
