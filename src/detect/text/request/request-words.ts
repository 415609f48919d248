/** The words by which a person's request in English tells what is to be done. `asked-deeds.ts` reads them. */

/** Kinds of deeds, as bits. */
export const SENDS = 1;
export const PAYS = 2;
export const DELETES = 4;
export const GRANTS = 8;
export const WRITES = 16;
export const ANY_DEED = 31;
/** What is kept for oneself: whoever asks for it may get something written, but nothing sent. */
export const NOTES = 32;

export const wordsIn = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/).filter((one) => one !== ""));

/** Whoever says these wants to be told something. */
export const READS = wordsIn(`
  find get fetch read show list tell give summarise summarize sum check look search retrieve see view describe explain count compare analyse
  analyze identify determine calculate compute review recommend suggest translate extract browse navigate visit research investigate estimate
  propose rank outline quote classify brief recap highlight inspect examine assess evaluate scan query locate spot discover learn know understand
  gather collect explore watch monitor pull catch walk name state mention figure clarify display print what which who whom whose when where why how
  is are was were does did has have had can could would will any
`);

/** What asks for a deed. A word of several kinds stands in each of them: who asks for it may mean any. */
const DEED_WORDS: readonly (readonly [number, ReadonlySet<string>])[] = [
  [
    SENDS,
    wordsIn(`
      send email mail message post tweet publish share forward reply respond answer notify inform write draft contact invite announce submit
      upload ping text call remind ask introduce deliver broadcast dm release comment apply file escalate react star follow like fork request
      register sign dispatch relay pass copy cc report present hand turn`),
  ],
  [
    PAYS,
    wordsIn(`
      pay transfer wire buy purchase order checkout refund settle cover reimburse bill invoice rent book reserve subscribe donate deposit
      withdraw sell trade charge split owe return exchange cancel upgrade renew tip top compensate credit invest rebuy issue lend send spend`),
  ],
  [
    DELETES,
    wordsIn(`
      delete remove drop erase clear clean cancel unlink revoke discard purge wipe trim prune unsubscribe uninstall replace move rename return
      refactor kick archive empty terminate stop end close rid dedupe deduplicate merge reset tidy`),
  ],
  [
    GRANTS,
    wordsIn(`
      grant allow disable enable share invite reset turn switch activate add change update approve block lock unlock secure authorise authorize
      permit set configure restrict protect open install deploy assign promote link connect register`),
  ],
  [
    WRITES,
    wordsIn(`
      write create make update edit append insert set add save modify rename move schedule reschedule book reserve put patch commit push merge
      register assign store change fix implement prepare generate build draft record log enter fill arrange organise organize plan invite
      cancel adjust extend postpone copy mark document import export convert format download sync upload run start correct amend replace
      duplicate label tag sort file keep remember attach open close turn`),
  ],
  [NOTES, wordsIn("note jot")],
];

/** What leaves open what is done, or leaves it to what is found: nothing is unasked then. */
export const DELEGATES = wordsIn(`
  handle follow complete deal carry perform execute process proceed achieve finish accomplish do doing done satisfy fulfil fulfill manage ensure
  solve help assist use work go try whatever everything necessary required appropriate accordingly instructions instruction steps todo todos
  task tasks actions action yes yep yeah ok okay sure confirm confirmed agreed accept continue act operate automate resolve care request
  requests requested run rerun apply
`);
/** Of these those that delegate as the verb of a request only. */
export const DELEGATES_AS_VERB = wordsIn(
  "run rerun apply work action actions task tasks steps request requests care use try follow",
);

/** Nouns as often as verbs: they ask for a deed where a request has its verb. */
export const NOUNS_TOO = wordsIn(`
  email mail message post tweet text note comment report review order book bill invoice file document share reply answer call contact
  transfer charge deposit record set plan schedule update change purchase request return exchange credit release link copy log draft
  issue label tag format stop end rent tip top trade block lock present clean clear open close register export import merge push patch commit
  fork star start run build follow like split cover store move switch turn upgrade mark hand pass sign
`);

/** Words that ask for nothing by themselves. */
export const FUNCTION_WORDS = wordsIn(`
  i i'm i'd i've i'll im me my mine we we're we'd us our you your he she they them it its it's he's she's there here this that these those the a an
  and or but so then also too please pls kindly just if when while because since as before after until for from to in on at by with without of off
  about into over under between within during not no don't never only even still now today tomorrow yesterday tonight monday tuesday wednesday
  thursday friday saturday sunday next last hi hey hello dear thanks thank good morning afternoon evening one two three first second third finally
  could can would will should may might must shall let let's lets both all each every some any more most many much few other another same
  is are was were be been being am have has had having did does do need want like looking up out down back well very quite rather than such
  what what's which who who's whom whose when when's where where's why why's how how's else yet ever maybe perhaps currently recently early late later earlier soon
  again once twice his her their according based regarding concerning
`);

/** Words that texts of other languages hold as often, and English ones hardly. */
export const FOREIGN_WORDS = wordsIn(`
  der das und ist nicht ein eine mit für auf kam wie welche sind bitte mir alle le les des est une pour que qui quels sont el los las por con del
  cuáles son il gli di che per sono quali een het van voor niet zijn welke os não um uma com para quais och är det som jest się czy nie
`);

const deeds = new Map<string, number>();
for (const [kind, words] of DEED_WORDS) {
  for (const word of words) deeds.set(word, (deeds.get(word) ?? 0) | kind);
}

const ENDINGS = ["ing", "ed", "es", "s", "d"];

/** The kinds of deeds that a verb may ask for, told in any of its forms; 0: none. */
export function deedsMeantBy(word: string): number {
  const own = deeds.get(word) ?? (word.startsWith("re") ? deeds.get(word.slice(2)) : undefined);
  if (own !== undefined) return own;
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    const single = stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
    const found = deeds.get(stem) ?? deeds.get(`${stem}e`) ?? deeds.get(single);
    if (found !== undefined) return found;
  }
  return 0;
}
