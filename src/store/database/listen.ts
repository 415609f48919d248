import { connect, type Sql } from "./connect.ts";

/**
 * Notices of one channel, over a connection of its own. A notice is a hint: the driver listens again after a
 * lost connection but not when that fails, so whoever sees the database come back calls `renew()`; until then
 * there are no notices, and no error either.
 */

export interface Listener {
  renew(): void;
  close(): void;
}

export function listen(options: { url: string; channel: string; onNotice: () => void }): Listener {
  let session: Sql | null = null;

  function open(): void {
    const opened = connect({
      url: options.url,
      connectionsMax: 1,
      applicationName: `ats listen ${options.channel}`,
      connectTimeoutS: 5,
      fetchTypes: false,
    });
    session = opened;
    // What was announced while nobody listened is looked for at once.
    opened.listen(options.channel, options.onNotice, options.onNotice).catch(() => {});
  }

  function shut(): void {
    session?.end({ timeout: 1 }).catch(() => {});
    session = null;
  }

  open();
  return {
    renew() {
      shut();
      open();
    },
    close: shut,
  };
}
