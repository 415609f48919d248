import { listen } from "../store/database/listen.ts";
import { DELIVERIES_CHANNEL } from "../store/webhooks/deliveries.ts";

/**
 * When the delivery loop looks again: on a notice from the database, on `wake()`, or after `pollMs`. The
 * notice only saves time, so losing it, or the connection it comes over, costs at most one poll.
 */

export interface WakeUp {
  /**
   * Resolves at the next reason to look; a reason that came since the last call counts. Call before looking.
   */
  next(): Promise<void>;
  wake(): void;
  /** The database was away and is back: listen anew. */
  relisten(): void;
  close(): void;
}

export function openWakeUp(options: { databaseUrl: string; pollMs: number }): WakeUp {
  let pending = Promise.withResolvers<void>();
  const wake = () => pending.resolve();
  const poll = setInterval(wake, options.pollMs);
  const listener = listen({ url: options.databaseUrl, channel: DELIVERIES_CHANNEL, onNotice: wake });
  return {
    next() {
      pending = Promise.withResolvers<void>();
      return pending.promise;
    },
    wake,
    relisten: () => listener.renew(),
    close() {
      clearInterval(poll);
      listener.close();
      wake();
    },
  };
}
