import type { Sql } from "../../store/database/connect.ts";
import type { Member } from "../api/guard.ts";
import type { TailFilter } from "./live-event.ts";
import { ProjectTail, type TailLimits } from "./project-tail.ts";
import { Viewer, type ViewerLimits } from "./viewer.ts";

/** All streams of the dashboard's thread: one tail a project, however many watch it. */
export interface LiveLimits extends TailLimits, ViewerLimits {
  readonly streamsMax: number;
  readonly streamsPerMember: number;
  /** How often it is asked whether the member may still look. */
  readonly recheckMs: number;
}

export const LIVE_LIMITS: LiveLimits = {
  pollMs: 500,
  lateMs: 3_000,
  eventsPerSecond: 200,
  burst: 400,
  keptMax: 400,
  keptCharsMax: 2_000_000,
  lingerMs: 15_000,
  itemsMax: 1_000,
  charsMax: 2_000_000,
  // Below the 10 s after which Bun closes a connection that is silent.
  heartbeatMs: 5_000,
  streamsMax: 128,
  streamsPerMember: 8,
  recheckMs: 30_000,
};

export class LiveTails {
  readonly #tails = new Map<number, ProjectTail>();
  readonly #streamsOf = new Map<string, number>();
  #streams = 0;

  constructor(
    readonly sql: Sql,
    readonly limits: LiveLimits,
  ) {}

  open(request: {
    readonly member: Member;
    readonly projectNo: number;
    readonly filter: TailFilter;
    readonly lastEventId: string | null;
    /** Why the member may not look any longer; null while it may. */
    readonly refusal: () => Promise<string | null>;
  }): Viewer | "too_many" | "too_many_of_member" {
    const { member, projectNo, limits } = { ...request, limits: this.limits };
    const own = this.#streamsOf.get(member.id) ?? 0;
    if (this.#streams >= limits.streamsMax) return "too_many";
    if (own >= limits.streamsPerMember) return "too_many_of_member";
    const tail = this.#tailOf(projectNo);
    const viewer = new Viewer(request.filter, tail.id, limits, () => {
      clearInterval(recheck);
      tail.remove(viewer);
      this.#count(member.id, -1);
    });
    const recheck = setInterval(async () => {
      // A session that cannot be looked up is none: better to connect anew than to go on unseen.
      const reason = await request.refusal().catch(() => "unknown");
      if (reason !== null) viewer.end(reason);
    }, limits.recheckMs);
    this.#count(member.id, 1);
    tail.add(viewer, request.lastEventId);
    return viewer;
  }

  #tailOf(projectNo: number): ProjectTail {
    const known = this.#tails.get(projectNo);
    if (known !== undefined) return known;
    const made = new ProjectTail(this.sql, projectNo, this.limits, () => {
      if (this.#tails.get(projectNo) === made) this.#tails.delete(projectNo);
    });
    this.#tails.set(projectNo, made);
    return made;
  }

  #count(memberId: string, change: 1 | -1): void {
    this.#streams += change;
    const own = (this.#streamsOf.get(memberId) ?? 0) + change;
    if (own > 0) this.#streamsOf.set(memberId, own);
    else this.#streamsOf.delete(memberId);
  }
}
