import { isFields } from "../client-forms/fields.ts";
import { byName } from "./by-name.ts";
import { hashText, hashValue, mix } from "./hash.ts";
import { isIsoTime } from "./iso-time.ts";
import { spaced } from "./name-words.ts";

/**
 * What the state of a checkpoint says of the work, without what moves by itself: clocks, counters of steps
 * and calls, tokens, ids of runs. Only of a state that gives a figure of work that is left or done, with
 * something left; else 0, as nobody can tell whether anything should move.
 */
const FIELDS_MAX = 60;
const DEPTH_MAX = 2;

const MOVES_BY_ITSELF =
  /(?:^| )(?:at|on|time|timestamp|ts|now|date|clock|elapsed|duration|uptime|seconds|secs|ms|millis|minutes|age|step|steps|iter|iteration|iterations|turn|turns|round|rounds|attempt|attempts|tries|retries|retry|tick|ticks|seq|sequence|heartbeat|heartbeats|beat|cycle|cycles|loop|loops|counter|tokens?|cost|spend|spent|calls?|requests?|nonce|uuid|hash|etag|revision|rev|cpu|memory|mem|rss|latency|schritt|schritte|runde|versuch|versuche|paso|pasos|intento|intentos|étape|essai|passo|tentativa|шаг|попытка)(?: |$)|(?:run|trace|span|request|checkpoint|event|message) id$|步|轮|次数|时间|時刻|回数/;
const LEFT =
  /(?:^| )(?:left|remaining|pending|todo|outstanding|unresolved|unmatched|unassigned|unprocessed|open|backlog|missing|failing|restantes?|pendientes?|abiert[oa]s|verbleibend|übrig|offen|offene|restants?|ouverts?|abert[oa]s|aperti|rimanenti|осталось|остаток)(?: |$)|剩余|未完成|残り/;
const DONE =
  /(?:^| )(?:done|merged|processed|completed|complete|resolved|fixed|closed|migrated|written|imported|exported|reviewed|matched|uploaded|downloaded|indexed|converted|sent|finished|solved|assigned|erledigt|fertig|bearbeitet|hech[oa]s|procesad[oa]s|completad[oa]s|faits?|traités?|feit[oa]s|concluíd[oa]s|fatti|completati|готово|обработано)(?: |$)|已完成|已处理|完了/;
const SHARE =
  /(?:^| )(?:percent|percentage|pct|progress|prozent|porcentaje|fortschritt|avance|progreso|progression)(?: |$)|进度|進捗/;
const TOTAL = /(?:^| )(?:total|of|goal|target|gesamt|insgesamt)(?: |$)/;

type Part = "by-itself" | "left" | "done" | "share" | "total" | "other";

const partNamed = byName((name): Part => {
  const words = spaced(name)
    .replace(/[_.\-/]{1,8}/g, " ")
    .toLowerCase();
  if (LEFT.test(words)) return "left";
  if (TOTAL.test(words)) return "total";
  if (MOVES_BY_ITSELF.test(words)) return "by-itself";
  if (SHARE.test(words)) return "share";
  return DONE.test(words) ? "done" : "other";
});

interface Figures {
  hash: number;
  left: number;
  done: number | null;
  total: number;
  share: number | null;
  hasLeft: boolean;
  fields: number;
}

export function workToldBy(state: unknown): number {
  if (!isFields(state) || !hasFigure(state, 0)) return 0;
  const figures: Figures = {
    hash: 11,
    left: 0,
    done: null,
    total: 0,
    share: null,
    hasLeft: false,
    fields: 0,
  };
  if (!read(state, figures, 0)) return 0;
  const { left, done, total, share, hasLeft } = figures;
  const isLeft = hasLeft
    ? left > 0
    : share !== null
      ? share !== 1 && share < 100
      : done !== null && (total > 0 ? done < total : done === 0);
  return isLeft ? figures.hash : 0;
}

/** Most states have none: their values need no hash. */
function hasFigure(fields: Readonly<Record<string, unknown>>, depth: number): boolean {
  let seen = 0;
  for (const name in fields) {
    if (seen++ >= FIELDS_MAX) return false;
    const value = fields[name];
    if (typeof value !== "number" && typeof value !== "object") continue;
    const part = partNamed(name);
    if (part === "left" || part === "done" || part === "share") return true;
    if (isFields(value) && depth < DEPTH_MAX && hasFigure(value, depth + 1)) return true;
  }
  return false;
}

/** False if there is too much to read. */
function read(fields: Readonly<Record<string, unknown>>, figures: Figures, depth: number): boolean {
  for (const name in fields) {
    if (figures.fields++ >= FIELDS_MAX) return false;
    const part = partNamed(name);
    const value = fields[name];
    if (part === "by-itself" || (typeof value === "string" && isIsoTime(value))) continue;
    figures.hash = mix(figures.hash, hashText(name));
    if (isFields(value) && depth < DEPTH_MAX) {
      if (!read(value, figures, depth + 1)) return false;
      continue;
    }
    figures.hash = mix(figures.hash, hashValue(value));
    const amount = typeof value === "number" ? value : Array.isArray(value) ? value.length : null;
    if (amount === null) continue;
    if (part === "left") {
      figures.hasLeft = true;
      figures.left += amount;
    } else if (part === "done") figures.done = (figures.done ?? 0) + amount;
    else if (part === "share") figures.share = amount;
    else if (part === "total") figures.total = amount;
  }
  return true;
}
