import type { Sql } from "../store/database/connect.ts";
import {
  type DirectorySnapshot,
  noteKeyUse,
  readDirectory,
  readDirectoryVersion,
} from "../store/projects/directory.ts";
import { looksMinted } from "../store/projects/keys.ts";
import type { TokenBuckets } from "./token-bucket.ts";

/**
 * Projects and keys in memory, one copy a thread: no request asks the database who it is. A single version
 * row, bumped by triggers, is polled; when it has moved, everything is read again. While PostgreSQL is away
 * the last copy stands. A request whose key may have been minted a moment ago waits for a look at the
 * database, which all such requests share, some twenty a second at most, so unknown keys cost the database
 * next to nothing.
 */

/**
 * How long a revoked key or a changed limit may go unnoticed. The promise is 2 s; a notification usually
 * beats the poll.
 */
const POLL_MS = 500;
const KEY_USE_NOTE_MS = 30_000;
/**
 * Raw keys remembered with their caller, so that a hot key is hashed once. Dropped whole when the directory
 * changes.
 */
const RECENT_KEYS_MAX = 10_000;
const KEY_LENGTH_MAX = 256;
/** Between two looks that unknown keys ask for, and how long one of them waits. */
const ASKED_LOOKS_EVERY_MS = 50;
const WAIT_FOR_LOOK_MS_MAX = 1_000;
/** More requests than this are refused at once. */
const WAITING_MAX = 256;

export interface Caller {
  readonly projectNo: number;
  readonly projectId: string;
  readonly keyId: string;
  /** Slot of the project's bucket; undefined when the table of buckets is full. */
  readonly bucket: number | undefined;
}

export interface DirectoryOptions {
  readonly sql: Sql;
  readonly buckets: TokenBuckets;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

export class Directory {
  readonly #options: DirectoryOptions;
  #version = -1;
  #byHash = new Map<string, Caller>();
  #recent = new Map<string, Caller>();
  #used = new Map<string, { projectNo: number; keyId: string; usedMs: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #noteTimer: ReturnType<typeof setInterval> | undefined;
  #refreshing: Promise<void> | undefined;
  #stopped = false;
  /** A look that has not begun yet. */
  #askedLook: Promise<void> | undefined;
  #askedLookMs = 0;
  #waiting = 0;

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** Loads the first copy and keeps it fresh from then on. Throws when the database cannot be read. */
  async start(): Promise<void> {
    await this.#load();
    this.#schedule();
    this.#noteTimer = setInterval(() => this.#noteUse(), KEY_USE_NOTE_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#noteTimer);
    await this.#refreshing;
    await this.#noteUse();
  }

  /** Who presents `key`; undefined for a key that is unknown or revoked. */
  find(key: string): Caller | undefined {
    let caller = this.#recent.get(key);
    if (caller === undefined) {
      if (key.length > KEY_LENGTH_MAX) return undefined;
      caller = this.#byHash.get(new Bun.CryptoHasher("sha256").update(key).digest("hex"));
      if (caller === undefined) return undefined;
      if (this.#recent.size >= RECENT_KEYS_MAX) this.#recent.clear();
      this.#recent.set(key, caller);
    }
    return caller;
  }

  /** The same for a key that `find` did not know: it may be newer than the copy. */
  async findNew(key: string): Promise<Caller | undefined> {
    if (!looksMinted(key) || this.#waiting >= WAITING_MAX || this.#stopped) return undefined;
    this.#waiting++;
    this.#askedLook ??= this.#lookAgain();
    await Promise.race([this.#askedLook, Bun.sleep(WAIT_FOR_LOOK_MS_MAX)]);
    this.#waiting--;
    return this.find(key);
  }

  /** A look under way may have begun before the key was minted. */
  async #lookAgain(): Promise<void> {
    await this.#refreshing;
    await Bun.sleep(Math.max(0, this.#askedLookMs + ASKED_LOOKS_EVERY_MS - performance.now()));
    this.#askedLook = undefined;
    this.#askedLookMs = performance.now();
    if (!this.#stopped) await this.refresh();
  }

  noteUse(caller: Caller, nowMs: number): void {
    const use = this.#used.get(caller.keyId);
    if (use === undefined) {
      this.#used.set(caller.keyId, { projectNo: caller.projectNo, keyId: caller.keyId, usedMs: nowMs });
    } else use.usedMs = nowMs;
  }

  /** Looks at once whether something changed; calls that overlap share one look. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    try {
      if ((await readDirectoryVersion(this.#options.sql)) !== this.#version) await this.#load();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.refresh().then(() => this.#schedule()), POLL_MS);
  }

  async #load(): Promise<void> {
    this.#adopt(await readDirectory(this.#options.sql));
  }

  #adopt(snapshot: DirectorySnapshot): void {
    const { buckets, clock } = this.#options;
    const projects = new Map<number, { projectId: string; bucket: number | undefined }>();
    for (const project of snapshot.projects) {
      const policy = { burst: project.rateBurst, perSecond: project.ratePerSecond };
      const bucket = buckets.slotOf(project.projectNo, policy, clock());
      if (bucket !== undefined) buckets.configure(bucket, policy);
      projects.set(project.projectNo, { projectId: project.projectId, bucket });
    }
    const byHash = new Map<string, Caller>();
    for (const key of snapshot.keys) {
      const project = projects.get(key.projectNo)!;
      byHash.set(key.hashHex, { projectNo: key.projectNo, keyId: key.keyId, ...project });
    }
    this.#byHash = byHash;
    this.#recent = new Map();
    this.#version = snapshot.version;
  }

  async #noteUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used.values()];
    this.#used = new Map();
    try {
      await noteKeyUse(this.#options.sql, uses);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
