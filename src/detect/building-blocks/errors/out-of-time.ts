/**
 * Whether an error says that time ran out: a call that was waited for too long, a task beyond what it may
 * take. Read of what is said to have failed alone, never of a page, a log or an answer, which may be about
 * other people's timeouts. A setting called `timeout` that is wrong, and a date in business that passed, are
 * none.
 */
const HEAD_MAX = 600;
const TAIL_MAX = 300;

const SPAN =
  "\\d[\\d.,]{0,12} ?(?:m ?\\d{1,2} ?s|ms|msecs?|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hours?)\\b";
/** Time as something that a task is given. */
const TIME =
  "(?:(?:max(?:imum)?[ _-])?(?:execution|run(?:ning)?|processing|wall[- ]?clock|wall|response|query|wait(?:ing)?|cpu|build|job|step|compute)[ _-]?(?:time|duration)|(?:allowed|permitted|allotted|max(?:imum)?)[ _-]?time|(?:time|wall[- ]?clock|duration)[ _-]?(?:limit|budget|allowance|quota)|run[ _-]?time)";
const STOPPED = "(?:killed|terminated|aborted|cancell?ed|stopped|interrupted|gave up|given up|giving up)";

/** What can be said of nothing but time that ran out. */
const SAID_OUTRIGHT = new RegExp(
  [
    "timed[ _-]?out|\\btimes out\\b|\\btiming out\\b|time[ _-]?out\\b[^.;\\n]{0,40}\\b(?:exceeded|expired|elaps(?:ed|ing)|reached|hit)\\b",
    "deadline[ _-]?(?:was |has been )?exceeded|exceeded (?:[\\w'-]{1,20} ){0,3}deadline|than (?:the )?specified deadline|activedeadlineseconds",
    `${TIME}(?:[ _-](?:[\\w'"():.]{1,20}[ _-]){0,4})?(?:exceeded|reached|exhausted|expired|elapsed|used up|hit)|timelimitexceeded|maxdurationexceeded|maxtimemsexpired`,
    `\\b(?:exceed(?:ed|s|ing)?|overran|hit|reached|ran past|went over)[ :"'(]{1,2}(?:[\\w'.-]{1,24} ){0,5}?${TIME}\\b`,
    `\\b(?:exceeded|overran|(?:ran|took|running|taking|waited) (?:for )?longer than)[ :(]{1,2}(?:[\\w'-]{1,20} ){0,4}?${SPAN}`,
    `\\bdue to (?:the |its |a )?${TIME}\\b|\\btime(?:'s| is) up\\b|deadline_?(?:missed|expired|reached|hit)|\\b(?:run|job|task|execution|workflow)[ _.-]{1,2}(?:has |was )?expired\\b`,
    `\\b(?:took|ran|running|after) (?:for )?${SPAN}[^.\\n]{0,20}?\\b(?:limit|max(?:imum)?|budget|allowed)\\b[^.\\n]{0,8}?${SPAN}`,
    `\\bwatchdog\\b[^.\\n]{0,30}?\\b(?:kill|stop|terminat|abort|cancel|expired|fired|trigger)|${STOPPED} by (?:the |a )?(?:[\\w'-]{1,16} )?watchdog\\b`,
    `\\b(?:over|past|beyond|above) (?:[\\w'-]{1,16} ){0,3}?${SPAN} (?:[\\w'-]{1,16} )?(?:limit|budget|mark|allowed)\\b`,
    `\\b(?:hung|hangs|hanging|stuck|unresponsive|no (?:heartbeat|output|progress|sign of life))(?: [\\w'-]{1,16}){0,3}? (?:for|since) (?:more than |over )?${SPAN}`,
    "\\b(?:ran|run|runs|running) out of time\\b|\\bout of time\\b|\\b(?:took|taking|ran|running|waited) (?:for )?(?:far |much )?too long\\b",
    `\\b(?:no (?:response|reply|answer|result)|(?:did|does) ?n[o']t (?:respond|reply|answer|finish|complete|return|come back)|not (?:completed?|finished|answered|ready|done))\\b[^.\\n]{0,40}? (?:after|with ?in|for|in) (?:the )?(?:${SPAN}|time\\b|(?:allowed|allotted|given) time)`,
    `\\b${STOPPED}\\b(?: (?!by\\b)[\\w']{1,16}){0,4} after (?:running |waiting )?(?:for )?${SPAN}`,
  ].join("|"),
  "i",
);

/** The bare word, as the name of an error or an event. */
const WORD =
  /time[ _-]?out(?:error|exception|expired|exceeded|reached|fired|failure|cancell?ation\w{0,20})?s?(?![a-z])(?!["'`]? {0,2}[=:] {0,2}["']?\d)/i;
/** Where it is a setting, a topic or denied. */
const NOT_MEANT = [
  /\b(?:invalid|unknown|unexpected|unrecogni[sz]ed|unsupported|missing|required|bad|illegal|negative|undefined|no such|no|without|set|setting|settings|configur\w{1,8}|option|argument|arg|parameter|param|property|field|flag|key|attribute|module|import)\W{1,4}(?:\w{1,16}\W{1,3}){0,3}["'`-]{0,3}(?:\w{1,16}[ _-])?time[ _-]?out/i,
  /time[ _-]?out\w{0,12}["'`]?\W{1,3}(?:must|should|needs|has to|cannot be|can't be|may not|is (?:not|in|set|configured)|is a|option|parameter|param|argument|value|setting|field|property|flag|config|question|expected)/i,
  /^\W{0,4}(?:[A-Za-z.]{1,60}: {0,2})?["'`]time[ _-]?out\w{0,12}["'`]\W{0,4}$/i,
  /--[a-z-]{0,20}timeout/i,
];

/** The same in other languages, where the English word is not used. */
const ELSEWHERE = new RegExp(
  [
    // Spanish, Portuguese, Italian, Catalan, Romanian
    "(?:tiempo|tempo|temps|timp(?:ul)?)(?: [\\p{L}']{1,14}){0,4} (?:agotado|excedido|superado|esgotado|excedid[oa]|ultrapassado|scaduto|esaurito|superato|esgotat|exhaurit|expirat|dep[aă][sș]it)",
    "(?:agot[oó]|agotado|excedi[oóuó]|excedido|super[oó]|superado|expir[oóou]{1,2}|expirado|venci[oó]|esgotou|esgotado|ultrapassou|ultrapassado|scaduto|superato|esaurito)(?:[- ][\\p{L}']{1,14}){0,4} (?:tiempo|tempo|temps|timp)",
    "(?:l[ií]mite|limite) (?:de |di )?(?:tiempo|tempo)|(?:no|não|non) (?:respondi[oóuó]|contest[oó]|ha risposto)(?: [\\p{L}']{1,12}){0,3} (?:tiempo|tempo|\\d+ (?:segundos|minutos|secondi|minuti))",
    "(?:deten(?:id[oa]|ido)|cancelad[oa]|interrump?id[oa]|interrompid[oa]|abortad[oa]|terminad[oa]|parad[oa]|arr[êe]t[ée]e?|interrompue?|annul[ée]e?|interrott[oa]|annullat[oa]|fermat[oa])(?: [\\p{L}']{1,12}){0,3} (?:tras|despu[ée]s de|depois de|ap[óo]s|apr[èe]s|dopo|al cabo de) \\d[\\d.,]{0,6} ?(?:s\\b|seg|min|h\\b|hora|heure|ore\\b)",
    // French
    "(?:d[ée]lai|temps)(?: (?:[dl]['’])?[\\p{L}'’]{1,16}){0,4} (?:d[ée]pass[ée]e?|expir[ée]e?|[ée]coul[ée]e?|[ée]puis[ée]e?|atteinte?)|d[ée]passement (?:du|de) (?:d[ée]lai|temps)|(?:a|ont) d[ée]pass[ée] (?:le|la|son|sa)(?: [\\p{L}'’]{1,16}){0,3} (?:d[ée]lai|temps|dur[ée]e)|n['’]a pas r[ée]pondu (?:[àa] temps|dans|en \\d)",
    // German, Dutch, Scandinavian
    "zeit[üu]e?berschreitung|zeit(?:limit|budget|vorgabe|grenze|[üu]berlauf)|(?:lauf|warte|antwort|ausf[üu]hrungs)zeit(?: [\\p{L}\\d]{1,14}){0,5} (?:[üu]berschritten|abgelaufen|erreicht|verstrichen)|zeit (?:ist )?abgelaufen|nicht (?:rechtzeitig|innerhalb)(?: [\\p{L}\\d]{1,14}){0,6} (?:geantwortet|antwortet|fertig|beendet|abgeschlossen|reagiert)|(?:antwortet|reagiert)(?:e)? nicht (?:rechtzeitig|innerhalb)|nach \\d[\\d.,]{0,8} ?(?:s|sek\\w{0,6}|min\\w{0,6}|stunden) (?:abgebrochen|beendet|gestoppt)",
    "tijdslimiet|time-?out verstreken|tijd (?:is )?(?:verstreken|verlopen)|duurde te lang|tidsgr[äa]ns|tidsavbr[oö]tt|tidsavbrudd|tidsfrist(?:en)? (?:er )?(?:overskred|udl)|aikakatkais|idő?t[úu]ll[ée]p[ée]s",
    // Polish, Czech, Russian, Ukrainian, Turkish
    "przekroczono (?:limit |maksymalny )?czas|up[łl]yn[ąa][łl](?: [\\p{L}]{1,12}){0,2} czas|limit czasu|vypr[šs]el(?: [\\p{L}]{1,12}){0,2} (?:limit|[čc]as)|[čc]asov[ýy] limit",
    "врем(?:я|ени)(?: \\p{L}{1,16}){0,3} (?:истекло|вышло|превышен|исчерпан)|(?:истекло|превышен\\p{L}?|истёк|истек|вышло)(?: \\p{L}{1,16}){0,3} (?:врем|тайм|срок ожидания)|тайм-?аут|(?:час|часу)(?: \\p{L}{1,16}){0,2} (?:вичерпано|перевищено|минув)|перевищено(?: \\p{L}{1,16}){0,2} час",
    "zaman ?a[şs][ıi]m[ıi]|s[üu]re(?:si)? (?:doldu|a[şs][ıi]ld[ıi])",
    // Chinese, Japanese, Korean, Arabic, Hebrew, Indonesian, Vietnamese, Thai, Hindi, Greek
    "超时|超時|逾时|逾時|タイムアウト|時間切れ|制限時間|시간 ?(?:이 )?초과|타임 ?아웃|انته[ىت] ?(?:ت )?(?:المهلة|مهلة|وقت)|تجاوز (?:المهلة|مهلة|الوقت)|הזמן הקצוב|פסק זמן|waktu (?:tunggu )?(?:habis|berakhir)|batas waktu|hết thời gian|quá thời gian|หมดเวลา|समय (?:सीमा )?समाप्त|टाइम ?आउट|λήξη χρόνου|χρονικό όριο",
  ].join("|"),
  "iu",
);

/** By itself: among the words it makes them take twice as long. */
const HAS_OTHER_LETTERS = /[^ -~\s·]/;

/** The same for other languages: what of the letters of English none of them can do without. */
const MAY_SAY_ELSEWHERE =
  /\d[\d.,]{0,9} ?[a-z]|tiempo|tempo|temps|timp|delai|depass|repondu|zeit|nicht|antwort|tijd|verstreken|duurde|tids|aikakat|tullep|czas|vyprsel|casov|zaman|sure|waktu/i;

const cut = (text: string): string =>
  text.length <= HEAD_MAX + TAIL_MAX ? text : `${text.slice(0, HEAD_MAX)}\n${text.slice(-TAIL_MAX)}`;

/**
 * Without one of these none of the above is said: a span of time, a word for time or a limit of it, a letter
 * that English has not. Asked first, for it takes a twentieth of the time; word by word, as one pattern of
 * them all takes half as long again.
 */
const MAY_BE_SPAN = /\d ?[a-z]/i;
const MAY_SAY =
  "tim|dead|durat|wall|expired|watchdog|too long|tiempo|temp|delai|depass|zeit|nicht|antwort|tijd|duurde|tids|aikakat|czas|zaman|waktu|doldu".split(
    "|",
  );

function maySay(text: string): boolean {
  if (MAY_BE_SPAN.test(text) || HAS_OTHER_LETTERS.test(text)) return true;
  const lower = text.toLowerCase();
  for (let i = 0; i < MAY_SAY.length; i++) if (lower.includes(MAY_SAY[i]!)) return true;
  return false;
}

/** That time ran out, in words that cannot mean a setting. */
export function saysOutright(text: string): boolean {
  const said = cut(text);
  return maySay(said) && isSaidOutright(said);
}

const isSaidOutright = (said: string): boolean =>
  SAID_OUTRIGHT.test(said) ||
  ((MAY_SAY_ELSEWHERE.test(said) || HAS_OTHER_LETTERS.test(said)) && ELSEWHERE.test(said));

export function saysOutOfTime(text: string): boolean {
  if (text === "") return false;
  const said = cut(text);
  if (!maySay(said)) return false;
  return isSaidOutright(said) || (WORD.test(said) && !NOT_MEANT.some((pattern) => pattern.test(said)));
}

/** What a run is, or runs in. */
const RUN =
  /(?:^|[^a-z])(?:tasks?|functions?|jobs?|cron ?jobs?|workflows?|runs?|executions?|invocations?|lambda|agents?|crews?|sessions?|pods?|containers?|workers?|builds?|pipelines?|flows?|graphs?|activit(?:y|ies)|steps?|scripts?|notebooks?|process(?:es)?|programs?|orchestrat\w{1,6}|sandbox(?:es)?|states|deployments?|lauf|auftrag|aufgabe|tarea|ejecuci[oó]n|t[âa]che|ex[ée]cution|execu[çc][ãa]o|tarefa|esecuzione)(?![a-z])/i;

/** That it is a run's own time, not a call's: of a report by what it runs on, or by whoever watches it. */
export function saysRunOutOfTime(text: string): boolean {
  return RUN.test(cut(text)) && saysOutOfTime(text);
}
