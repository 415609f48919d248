import type { Socket } from "node:net";
import { connect, type Sql } from "./connect.ts";
import { closeSocket, type UnansweredSocket, unansweredSockets } from "./open-sockets.ts";

/**
 * Single connections that fall silent while others are answered: a balancer or a firewall has forgotten them.
 * Long silence alone says nothing, since a statement may take its time; so PostgreSQL is asked, on a
 * connection of its own, what the process at the other end does. One that is gone, or that waits for us while
 * we wait for it, will never answer: it is ended, for it may hold locks, and the socket is closed. To its
 * holder that is a lost connection like every other, whose statement's fate is settled as ever.
 *
 * Invariant: a connection whose statement is at work is left alone, and so is one of which PostgreSQL tells
 * nothing. What is asked twice, a round apart, has no answer under way that is only late, in the network or
 * in our own thread. Where nobody answers at all, nothing is closed: that is for availability
 * (src/ingest/availability.ts).
 *
 * A statement that itself waits, for a lock or for a standby's word on a commit, is left alone too, but told
 * of: to whoever waits for it the database is merely slow, and nobody else says what for.
 */

const ROUND_MS = 1_000;
const SILENT_MS = 3_000;
const ASK_MS_MAX = 2_000;
const IDLE_TIMEOUT_S = 10;
/** For this long a wait is an ordinary one: others write, too. */
const WAIT_TOLD_MS = 8_000;
const WAITS_TOLD_EVERY_MS = 60_000;
const WAITING = "PostgreSQL lets statements wait";
const CLOSED = "connections were closed on which PostgreSQL answers no more, though it does on others";

/** Its end has nothing to do for us: it sleeps, or it waits for more of what we have sent long ago. */
const WAITS_FOR_US = "(state like 'idle%' or (state = 'active' and wait_event = 'ClientRead'))";

export interface SilenceFields {
  readonly connections: number;
  /** What for, in PostgreSQL's words: `Lock relation`, `IPC SyncRep` … */
  readonly waits_for?: string;
  /** Who has what is waited for, where that is a lock. */
  readonly held_by?: string;
}

export interface SilenceWatch {
  stop(): void;
}

/** Of this thread's connections. */
export function watchSilence(options: {
  readonly url: string;
  readonly warn: (message: string, fields: SilenceFields) => void;
  readonly silentMs?: number;
  readonly waitToldMs?: number;
}): SilenceWatch {
  let asker: Sql | undefined;
  let before = new Map<Socket, Suspect>();
  let isAsking = false;
  let waitsToldMs = Number.NEGATIVE_INFINITY;

  function askerNow(): Sql {
    asker ??= connect({
      url: options.url,
      connectionsMax: 1,
      applicationName: "ats watch",
      connectTimeoutS: 2,
      statementTimeoutMs: ASK_MS_MAX,
      idleTimeoutS: IDLE_TIMEOUT_S,
      fetchTypes: false,
    });
    return asker;
  }

  function forgetAsker(): void {
    void asker?.end({ timeout: 0 }).catch(() => undefined);
    asker = undefined;
  }

  /** Once a minute: every statement behind the same lock would say the same. */
  async function tellWaits(unanswered: readonly UnansweredSocket[]): Promise<void> {
    if (performance.now() - waitsToldMs < WAITS_TOLD_EVERY_MS) return;
    const waits = await inTime(askWaits(askerNow(), unanswered, options.waitToldMs ?? WAIT_TOLD_MS));
    for (const wait of waits ?? []) {
      waitsToldMs = performance.now();
      options.warn(WAITING, wait);
    }
  }

  async function round(): Promise<void> {
    const unanswered = unansweredSockets(options.silentMs ?? SILENT_MS);
    if (unanswered.length === 0) return before.clear();
    await tellWaits(unanswered);
    const silent = await inTime(askSilent(askerNow(), unanswered));
    if (silent === undefined) {
      before.clear();
      return forgetAsker();
    }
    const suspects = new Map(
      unanswered
        .filter(({ serverPid }) => silent.has(serverPid))
        .map((one) => [one.socket, { ...one, unsentBytes: one.socket.writableLength }]),
    );
    const dead = [...suspects.values()].filter((suspect) => isSame(suspect, before.get(suspect.socket)));
    before = suspects;
    if (dead.length === 0) return;
    if ((await inTime(endSessions(askerNow(), dead))) === undefined) forgetAsker();
    const closed = dead.filter(({ socket }) => closeSocket(socket)).length;
    if (closed > 0) options.warn(CLOSED, { connections: closed });
  }

  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void round().finally(() => {
      isAsking = false;
    });
  }, ROUND_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      forgetAsker();
    },
  };
}

interface Suspect extends UnansweredSocket {
  /** A flush that is still on its way through a narrow line gets less. */
  readonly unsentBytes: number;
}

function isSame(now: Suspect, then: Suspect | undefined): boolean {
  return then !== undefined && now.heardMs === then.heardMs && now.unsentBytes === then.unsentBytes;
}

/** Undefined when there was no answer, or a refusal. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ASK_MS_MAX);
  return await Promise.race([answer.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

const listOf = (sockets: readonly UnansweredSocket[]) => sockets.map(({ serverPid }) => serverPid).join(",");

async function askSilent(sql: Sql, asked: readonly UnansweredSocket[]): Promise<ReadonlySet<number>> {
  const rows = await sql.unsafe<{ pid: number }[]>(`
    select asked.pid from unnest('{${listOf(asked)}}'::int[]) asked(pid)
    left join pg_stat_activity a on a.pid = asked.pid
    where a.pid is null or ${WAITS_FOR_US}`);
  return new Set(rows.map(({ pid }) => pid));
}

/** Those behind one and the same lock, or all that wait for a standby, are one. */
async function askWaits(
  sql: Sql,
  asked: readonly UnansweredSocket[],
  waitMs: number,
): Promise<readonly SilenceFields[]> {
  const rows = await sql.unsafe<{ connections: number; waits_for: string; held_by: string | null }[]>(`
    select count(*)::int as connections, a.wait_event_type || ' ' || a.wait_event as waits_for, held_by
    from pg_stat_activity a
    cross join lateral (
      select string_agg(concat_ws(' ', 'process', b.pid, 'of', b.usename, '(' || nullif(b.application_name, '') || ',', b.state || ')'), ', ')
        as held_by
      from pg_stat_activity b where a.wait_event_type = 'Lock' and b.pid = any(pg_blocking_pids(a.pid))
    ) blocking
    where a.pid = any('{${listOf(asked)}}'::int[]) and (a.wait_event_type = 'Lock' or a.wait_event = 'SyncRep')
      and a.state = 'active' and a.query_start < clock_timestamp() - ${waitMs} * interval '1 ms'
    group by 2, 3 order by 1 desc limit 5`);
  return rows.map(({ held_by, ...wait }) => (held_by === null ? wait : { ...wait, held_by }));
}

async function endSessions(sql: Sql, dead: readonly UnansweredSocket[]): Promise<true> {
  await sql.unsafe(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid = any('{${listOf(dead)}}'::int[]) and usename = current_user and ${WAITS_FOR_US}`);
  return true;
}
