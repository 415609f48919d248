import { SECOND_LEVELS } from "./well-known-hosts.ts";

/**
 * How two names resemble each other, letter by letter, and which part of a host its owner registered. Pure;
 * each is linear in the names' lengths.
 */

/** Misspellings of shorter names are other people's names. */
export const MISTYPED_CHARS_MIN = 6;
/** Hosts of which is remembered what was found, of either question. */
export const MEMO_MAX = 4096;

export interface Registered {
  /** The registered domain: `example.co.uk`. */
  readonly domain: string;
  /** Its own label: `example`. */
  readonly label: string;
  /** What stands behind it: `co.uk`. */
  readonly ending: string;
}

/**
 * The domain that somebody registered, by a rule: two labels, three below a country's top-level domain with a
 * usual second level. Null for a single label. The public suffix list would be a dependency of 15,000 lines
 * to keep up; of 100,000 popular domains the rule tells 99.9 % the same. Providers where anybody can have a
 * name are no suffix here: tenants beside each other are one project's more often than imitations.
 */
export function registeredOf(host: string): Registered | null {
  const end = host.length;
  const last = host.lastIndexOf(".");
  if (last <= 0) return null;
  const second = host.lastIndexOf(".", last - 1);
  const isCountry = end - last - 1 === 2;
  const isPublic = second > 0 && isCountry && SECOND_LEVELS.has(host.slice(second + 1, last));
  const dot = isPublic ? second : last;
  const start = host.lastIndexOf(".", dot - 1) + 1;
  return { domain: host.slice(start), label: host.slice(start, dot), ending: host.slice(dot + 1) };
}

const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  i: "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "8": "b",
  "9": "g",
  rn: "m",
  vv: "w",
  cl: "d",
};

/** What a reader takes the name for: names that are drawn alike have one skeleton. */
export function skeletonOf(name: string): string {
  const single = name.replace(/[013-589i]/g, (drawn) => DRAWN_ALIKE[drawn]!);
  return single.replace(/rn|vv|cl/g, (drawn) => DRAWN_ALIKE[drawn]!);
}

const ROWS = ["1234567890-", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
const KEYS_BESIDE = new Map<string, string>();
ROWS.forEach((row, at) => {
  [...row].forEach((key, i) => {
    const near = [
      row[i - 1],
      row[i + 1],
      ROWS[at - 1]?.[i],
      ROWS[at - 1]?.[i + 1],
      ROWS[at + 1]?.[i],
      ROWS[at + 1]?.[i - 1],
    ];
    KEYS_BESIDE.set(key, near.join(""));
  });
});

const isDigit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9";

/** One bit apart, as a fault in memory makes it. */
function isBitAway(one: string, other: string): boolean {
  const bits = one.charCodeAt(0) ^ other.charCodeAt(0);
  return (bits & (bits - 1)) === 0;
}

const isVowel = (char: string) => "aeiou".includes(char);

/**
 * `slip`: one stroke apart as a hand slips or a bit flips (a letter left out, doubled, swapped with the next,
 * hit beside its key, another vowel). `other`: one letter apart in any other way. Null: further apart, the
 * same, or told apart by a digit or a plural as siblings are.
 */
export function apartBy(known: string, seen: string): "slip" | "other" | null {
  const longer = seen.length - known.length;
  if (longer > 1 || longer < -1 || known === seen) return null;
  let at = 0;
  while (at < known.length && known[at] === seen[at]) at += 1;
  const [old, fresh] = [known[at], seen[at]];
  if (longer === 0) {
    if (known.slice(at + 1) === seen.slice(at + 1)) {
      if (isDigit(old) || isDigit(fresh)) return null;
      const slips = KEYS_BESIDE.get(old!)?.includes(fresh!) || isBitAway(old!, fresh!);
      return slips || (isVowel(old!) && isVowel(fresh!)) ? "slip" : "other";
    }
    const isSwapped =
      old === seen[at + 1] && fresh === known[at + 1] && known.slice(at + 2) === seen.slice(at + 2);
    return isSwapped && !(isDigit(old) && isDigit(fresh)) ? "slip" : null;
  }
  if (longer < 0) {
    if (known.slice(at + 1) !== seen.slice(at) || isDigit(old)) return null;
    return at === known.length - 1 && old === "s" ? null : "slip";
  }
  if (known.slice(at) !== seen.slice(at + 1) || isDigit(fresh)) return null;
  if (at === known.length && fresh === "s") return null;
  const isDoubled = fresh === seen[at - 1];
  const isBrushed =
    KEYS_BESIDE.get(fresh!)?.includes(seen[at - 1] ?? " ") || KEYS_BESIDE.get(fresh!)?.includes(old ?? " ");
  return isDoubled || fresh === "-" || isBrushed ? "slip" : "other";
}

/** Dots and hyphens left out: what a moved one does not change. */
export const squeezed = (host: string): string => host.replace(/[.-]/g, "");

/** The common endings that a hand or an eye takes for one of these. */
const MISTAKEN: Readonly<Partial<Record<string, readonly string[]>>> = {
  com: ["co", "cm", "om", "con", "cam"],
  net: ["ne", "nt", "met"],
  org: ["or", "og", "ong"],
  io: ["lo", "oi", "id"],
  ai: ["al", "ia"],
};

/** Whether an ending is a known one's mistyped. */
export const isMistakenEnding = (known: string, seen: string): boolean =>
  MISTAKEN[known]?.includes(seen) ?? false;
