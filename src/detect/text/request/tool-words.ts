import { byName } from "../../building-blocks/by-name.ts";
import { barelyFolded, foldedText, WordBeginnings, wholeIfShort } from "./folded-words.ts";
import { REQUEST_LANGUAGES } from "./request-languages.ts";
import { deedsMeantBy, wordsIn } from "./request-words.ts";
import { UNDIVIDED_LANGUAGES, type UndividedLanguage } from "./undivided-languages.ts";

/** What a tool's name says in any language: that it does something, or that it only reads. */
const NAME_MAX = 120;
const READS_IN_ENGLISH = wordsIn(`
  get read list search find lookup query view show check count describe fetch load retrieve select inspect stat status open browse info details
  history summary report reports
`);
/** Named as often for what is read there as for what is done. */
const THINGS = wordsIn(
  "mail email emails mails message messages comment comments order orders payment payments transaction transactions note notes review reviews contact contacts ticket tickets report reports file files call calls document documents task tasks issue issues invoice invoices record records log logs label labels post posts draft drafts thread threads text texts plan plans schedule link links copy copies",
);

const listed = (of: "deeds" | "reads"): string =>
  REQUEST_LANGUAGES.map((one) => wholeIfShort(one[of])).join(" ");

interface Names {
  readonly deeds: readonly WordBeginnings[];
  readonly reads: readonly WordBeginnings[];
}
let names: Names | null = null;
function namesOf(): Names {
  const both = (words: string) => [new WordBeginnings(words), new WordBeginnings(words, barelyFolded)];
  names ??= { deeds: both(listed("deeds")), reads: both(listed("reads")) };
  return names;
}

/** Whoever looks at something first names what was done or may be done to it ("review_update_request"). */
const LOOKS = wordsIn(
  "review trace assess analyze analyse examine evaluate compare diagnose explain preview identify",
);

/** The words of a name in any script. */
export const anyWordsOf = (name: string): string[] =>
  name
    .slice(0, NAME_MAX)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}]/u)
    .filter((word) => word !== "");

const longest = (lists: readonly WordBeginnings[], word: string): number =>
  Math.max(...lists.map((one) => one.lengthIn(word)));

const HAN = /[\u4e00-\u9fff]/;

/** The undivided languages that a name may be in: one of Chinese letters alone may be Japanese, too. */
const undividedOf = (name: string): readonly UndividedLanguage[] =>
  UNDIVIDED_LANGUAGES.filter(({ code, script }) => script.test(name) || (code === "ja" && HAN.test(name)));

/**
 * The words of a tool's name that name a deed, folded; of a script that does not divide words the part that
 * does.
 */
export const deedWordsOf = byName((name): readonly string[] => {
  const { deeds, reads } = namesOf();
  const undivided = undividedOf(name);
  // What is looked up there is called by the same word ("注文検索").
  const isRead = undivided.some(({ readsByName }) => readsByName.test(name));
  const found = isRead ? [] : undivided.flatMap((one) => one.deeds.exec(name)?.[0] ?? []).slice(0, 1);
  const words = anyWordsOf(name);
  if (LOOKS.has(foldedText(words[0] ?? ""))) return found;
  for (const word of words) {
    const folded = foldedText(word);
    if (THINGS.has(folded)) continue;
    const deed = longest(deeds, folded);
    if (deedsMeantBy(folded) !== 0 || (deed > 0 && deed >= longest(reads, folded))) found.push(folded);
  }
  return found;
});

/** True if the tool's name says that it reads, and names no deed. */
export const readsByName = byName((name): boolean => {
  if (deedWordsOf(name).length > 0) return false;
  if (undividedOf(name).some((one) => one.readsByName.test(name))) return true;
  const { reads } = namesOf();
  return anyWordsOf(name).some((word) => {
    const folded = foldedText(word);
    return READS_IN_ENGLISH.has(folded) || longest(reads, folded) > 0;
  });
});
