/**
 * What the documents say of failure groups, in plain words and without a database: how firings are counted,
 * what operators' acts make of a group, and which firings are sent. Written from docs/detection-engine.md and
 * the interface, to be held against the store.
 */
export type Severity = "low" | "medium" | "high" | "critical";
const WORST_FIRST: readonly Severity[] = ["critical", "high", "medium", "low"];

export interface Firing {
  readonly class: string;
  readonly signature: string;
  readonly count: number;
  readonly severity: Severity;
  readonly executionId: string;
}

interface Group {
  readonly key: string;
  readonly class: string;
  severity: Severity;
  count: number;
  firstMs: number;
  lastMs: number;
  samples: string[];
  state: "open" | "resolved" | "ignored";
  /** It came back after it had been resolved, and was not resolved since. */
  cameBack: boolean;
  untilMs: number | null;
  firingsLeft: number | null;
  into: string | null;
  sentMs: number | null;
}

/** As lists show it. */
export interface Shown {
  readonly key: string;
  readonly severity: Severity;
  readonly state: Group["state"];
  readonly regressed: boolean;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** How many; which of those of merged groups are shown is left open. */
  readonly samples: number;
  readonly merged: readonly string[];
}

export type Sent = Pick<Shown, "key" | "severity" | "firstMs">;

export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key.localeCompare(b.key);

const SAMPLES_MAX = 10;
/** A send that far ahead was dated by a clock that has been set back since. */
const AHEAD_MS = 60_000;

export const keyOf = (failureClass: string, signature: string): string => `${failureClass}/${signature}`;

export class GroupModel {
  readonly groups = new Map<string, Group>();
  readonly #sentMs = new Map<string, number>();
  scope: "class" | "group" = "class";
  cooldownMs = 0;
  hasReceiver = true;

  copy(): GroupModel {
    const other = new GroupModel();
    for (const [key, group] of this.groups) other.groups.set(key, { ...group, samples: [...group.samples] });
    for (const [name, ms] of this.#sentMs) other.#sentMs.set(name, ms);
    other.scope = this.scope;
    other.cooldownMs = this.cooldownMs;
    other.hasReceiver = this.hasReceiver;
    return other;
  }

  /** Firings of one transaction; gives the groups that are sent. */
  fire(firings: readonly Firing[], nowMs: number): Sent[] {
    const sent: Sent[] = [];
    for (const name of new Set(firings.map((one) => one.class))) {
      const heard = firings.filter((one) => one.class === name).map((one) => this.#heard(one, nowMs));
      const chosen = this.#chosen(name, heard, nowMs);
      sent.push(...chosen.map((group) => this.#told(group)));
      if (!this.hasReceiver || chosen.length === 0) continue;
      this.#sentMs.set(name, nowMs);
      for (const group of chosen) group.sentMs = nowMs;
    }
    return sent;
  }

  /** A notification tells of a group what lists do. */
  #told({ key }: Group): Sent {
    const { severity, firstMs } = this.shown().find((one) => one.key === key)!;
    return { key, severity, firstMs };
  }

  #heard(firing: Firing, nowMs: number): { group: Group; news: "none" | "firing" | "regression" } {
    const key = keyOf(firing.class, firing.signature);
    const own = this.groups.get(key) ?? this.#opened(key, firing, nowMs);
    own.count += firing.count;
    own.lastMs = Math.max(own.lastMs, nowMs);
    if (WORST_FIRST.indexOf(firing.severity) < WORST_FIRST.indexOf(own.severity))
      own.severity = firing.severity;
    if (own.samples.length < SAMPLES_MAX && !own.samples.includes(firing.executionId))
      own.samples.push(firing.executionId);
    const group = own.into === null ? own : this.get(own.into);
    if (group.state === "open") return { group, news: "firing" };
    if (group.state === "resolved") {
      Object.assign(group, { state: "open", cameBack: true });
      return { group, news: "regression" };
    }
    if (group.firingsLeft !== null) group.firingsLeft -= firing.count;
    const isOver =
      (group.untilMs !== null && nowMs >= group.untilMs) ||
      (group.firingsLeft !== null && group.firingsLeft < 0);
    if (!isOver) return { group, news: "none" };
    Object.assign(group, { state: "open", untilMs: null, firingsLeft: null });
    return { group, news: "firing" };
  }

  #opened(key: string, { class: name, severity }: Firing, nowMs: number): Group {
    const group: Group = {
      key,
      class: name,
      severity,
      count: 0,
      firstMs: nowMs,
      lastMs: nowMs,
      samples: [],
      state: "open",
      cameBack: false,
      untilMs: null,
      firingsLeft: null,
      into: null,
      sentMs: null,
    };
    this.groups.set(key, group);
    return group;
  }

  #chosen(name: string, heard: readonly { group: Group; news: string }[], nowMs: number): Group[] {
    const regressed = new Set(heard.filter(({ news }) => news === "regression").map(({ group }) => group));
    const firing = heard.filter(({ news }) => news === "firing").map(({ group }) => group);
    const cooledDown = (ms: number | null | undefined) =>
      ms === null || ms === undefined || nowMs - ms >= this.cooldownMs || ms - nowMs > AHEAD_MS;
    if (this.scope === "group")
      return [...new Set([...regressed, ...firing.filter(({ sentMs }) => cooledDown(sentMs))])];
    if (regressed.size > 0) return [...regressed];
    return firing.length > 0 && cooledDown(this.#sentMs.get(name)) ? [firing[0]!] : [];
  }

  get(key: string): Group {
    const group = this.groups.get(key);
    if (group === undefined) throw new Error(`no group ${key}`);
    return group;
  }

  /** Each of these answers whether it is allowed. */
  resolve(key: string): boolean {
    return this.#become(key, { state: "resolved", cameBack: false, untilMs: null, firingsLeft: null });
  }
  reopen(key: string): boolean {
    return this.#become(key, { state: "open", untilMs: null, firingsLeft: null });
  }
  ignore(key: string, how: { untilMs: number | null; firings: number | null }): boolean {
    return this.#become(key, { state: "ignored", untilMs: how.untilMs, firingsLeft: how.firings });
  }
  #become(key: string, change: Partial<Group>): boolean {
    const group = this.get(key);
    if (group.into !== null) return false;
    Object.assign(group, change);
    return true;
  }
  merge(key: string, into: string): boolean {
    const [group, target] = [this.get(key), this.get(into)];
    if (group === target || group.class !== target.class || group.into !== null || target.into !== null)
      return false;
    for (const one of this.groups.values()) if (one.into === key) one.into = into;
    group.into = into;
    return true;
  }
  unmerge(key: string): boolean {
    const group = this.get(key);
    if (group.into === null) return false;
    group.into = null;
    return true;
  }

  shown(): Shown[] {
    const all = [...this.groups.values()];
    return all
      .filter(({ into }) => into === null)
      .map((group) => {
        const merged = all.filter(({ into }) => into === group.key);
        const family = [group, ...merged];
        return {
          key: group.key,
          severity: WORST_FIRST.find((one) => family.some(({ severity }) => severity === one))!,
          state: group.state,
          regressed: group.state === "open" && group.cameBack,
          count: family.reduce((sum, { count }) => sum + count, 0),
          firstMs: Math.min(...family.map(({ firstMs }) => firstMs)),
          lastMs: Math.max(...family.map(({ lastMs }) => lastMs)),
          samples: Math.min(SAMPLES_MAX, new Set(family.flatMap(({ samples }) => samples)).size),
          merged: merged.map(({ key }) => key).sort(),
        };
      })
      .sort(byKey);
  }
}
