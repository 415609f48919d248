import { closeSilentSockets, unansweredSockets } from "../store/database/open-sockets.ts";
import { type SilenceWatch, watchSilence } from "../store/database/silent-connections.ts";
import { parseNetworks } from "./address-guard.ts";
import { type DeliveryLoop, startDeliveryLoop } from "./delivery-loop.ts";
import type { FromThread, NotifyThreadOptions, ToThread } from "./protocol.ts";

/**
 * Entry of the notify thread: a delivery loop and its messages. It keeps nothing that the database does not
 * have, so it may die at any moment; notifier.ts starts it again.
 */

declare const self: Worker;

const METRICS_EVERY_MS = 1_000;
/** So long a statement may take by the loop's own setting. */
const ANSWER_LATE_MS = 3_000;

let loop: DeliveryLoop | null = null;
let silence: SilenceWatch | null = null;
let secondsOwed = 0;

function tell(message: FromThread): void {
  postMessage(message);
}

function tellMetrics(): void {
  if (loop === null) return;
  // A database that stands still is no fault of this thread's; what it owes is settled when it goes on.
  if (unansweredSockets(ANSWER_LATE_MS).length > 0) secondsOwed += 1;
  tell({ type: "metrics", metrics: loop.metrics(), progress: loop.rounds() + secondsOwed });
}

function start({ allowedNetworks, ...options }: NotifyThreadOptions): void {
  loop = startDeliveryLoop({
    ...options,
    allowedNetworks: parseNetworks(allowedNetworks),
    log: (level, fields, message) => tell({ type: "log", level, fields, message }),
  });
  silence = watchSilence({
    url: options.databaseUrl,
    warn: (message, connections) =>
      tell({ type: "log", level: "warn", fields: { ...connections }, message: `notify: ${message}` }),
  });
  setInterval(tellMetrics, METRICS_EVERY_MS);
}

async function drain(): Promise<void> {
  await loop?.drain();
  tellMetrics();
  tell({ type: "drained" });
}

async function stop(): Promise<void> {
  await loop?.stop();
  silence?.stop();
  tellMetrics();
  tell({ type: "stopped" });
}

self.onmessage = async ({ data }: MessageEvent<ToThread>) => {
  if (data.type === "start") start(data.options);
  else if (data.type === "close_silent") closeSilentSockets(data.silentMs);
  else if (data.type === "drain") await drain();
  else await stop();
};
