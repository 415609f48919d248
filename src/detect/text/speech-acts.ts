import type { RuleMatch } from "./chain-rules.ts";
import { foldedCodes } from "./char-classes.ts";
import { WORD_CLASSES, type WordClass } from "./lexicon.ts";
import type { TextScan } from "./scan-text.ts";

/**
 * What an injected instruction is, whatever its words: an order, in data, to the machine that reads it. Each passage of two
 * sentences around a telling word is weighed by signs that do not depend on each other: is a machine spoken to, is it told to do
 * something (by the form of the sentence, for a verb may be any), is something of worth or an address named, is silence asked for,
 * is the task at hand set aside. The sum of the signs is a log-odds; no sign alone is enough.
 *
 * Bounded: at most `PASSAGES_MAX` passages a text, each at most `BEFORE_MAX` + `AFTER_MAX` characters, every pattern without
 * unbounded repetition. A passage without a reader, a demand for silence or a turning away from the task costs no pattern.
 */
export interface Signs {
  /** A machine is spoken to or spoken of: 2 plainly, 1 by a word that may mean one, 0 not. */
  readonly reader: 0 | 1 | 2;
  /** The machine is told: as the subject of "must", by an order after its name, or by any order where it is plainly addressed. */
  readonly told: boolean;
  /** Somebody is told by the form of an order, nobody says who. */
  readonly order: boolean;
  /** A verb that a tool could carry out stands there. */
  readonly verb: boolean;
  /** Neither a reader nor a frame nor the task is named: it may be said from one person to another. */
  readonly unread: boolean;
  /** It is told what it must not do, or to ask first: what careful operators write. */
  readonly careful: boolean;
  /** Text about machines: studies, products, incidents, requirements. */
  readonly about: boolean;
  readonly stake: boolean;
  readonly address: boolean;
  readonly quiet: boolean;
  readonly diverge: boolean;
  readonly override: boolean;
  readonly replyTalk: boolean;
  /** The one that the machine works for, in the third person. */
  readonly person: boolean;
  readonly authority: boolean;
  readonly frame: boolean;
  readonly urge: boolean;
  readonly store: boolean;
  readonly path: boolean;
  readonly passIn: boolean;
  readonly crossing: boolean;
  readonly standing: boolean;
  readonly weaken: boolean;
  readonly harmful: boolean;
  /** An act that changes something outside, or gives trust away. */
  readonly risky: boolean;
  /** Something leaves: it is sent, forwarded, posted. */
  readonly leaves: boolean;
  /** A step beside what was asked for. */
  readonly extra: boolean;
  /** Other tools or results are called wrong, old or dangerous. */
  readonly discredits: boolean;
  /** One side of a conversation, which speaks of itself and asks the other. */
  readonly talk: boolean;
  /** What somebody likes or wants, told as such: what a memory is for. */
  readonly wish: boolean;
}

export type SignWeights = Readonly<Partial<Record<keyof Signs, number>>> & {
  readonly bias: number;
  /** For a plain address of a machine, above what the sign weighs at 1. */
  readonly readerPlain?: number;
};

const BEFORE_MAX = 220;
const AFTER_MAX = 340;
const PASSAGES_MAX = 24;

const numberOf = (name: WordClass): number => WORD_CLASSES.indexOf(name);

/** One bit a class, over two words, as in `TextScan`. */
export class ClassSet {
  readonly low: number;
  readonly high: number;

  constructor(...names: readonly WordClass[]) {
    let low = 0;
    let high = 0;
    for (const number of names.map(numberOf)) {
      if (number < 30) low |= 1 << number;
      else high |= 1 << (number - 30);
    }
    this.low = low;
    this.high = high;
  }

  has(cls: number): boolean {
    return cls < 30 ? (this.low & (1 << cls)) !== 0 : (this.high & (1 << (cls - 30))) !== 0;
  }

  in(low: number, high: number): boolean {
    return (low & this.low) !== 0 || (high & this.high) !== 0;
  }
}

const READER = new ClassSet("toMachine");
const QUIET = new ClassSet("secrecy");
const DIVERGE = new ClassSet("diverge", "instead", "voided");
const OVERRIDE = new ClassSet("override");
const REPLY = new ClassSet("replyTalk");
const TASK = new ClassSet("taskRef");
const PERSON = new ClassSet("userWord", "taskRef");
const AUTHORITY = new ClassSet("authority");
const FRAME = new ClassSet("frame");
const URGE = new ClassSet("urge");
const STAKE = new ClassSet("stake", "asset", "bulk");
const STORE = new ClassSet("bulk");
const PATH = new ClassSet("sensitivePath");
const PASS_IN = new ClassSet("passIn");
const CROSSING = new ClassSet("toolCross");
const STANDING = new ClassSet("persist");
const WEAKEN = new ClassSet("weaken");
const HARMFUL = new ClassSet("netTool", "dropSite", "harm");
const LEAVES = new ClassSet("outward");
const VERB = new ClassSet("act", "deed", "outward", "reveal");

/** Classes around which passages are weighed. */
const CARRIED_ANCHORS = new ClassSet(
  "toMachine",
  "machine",
  "model",
  "secrecy",
  "hush",
  "override",
  "taskRef",
  "frame",
);
const DESCRIPTION_ANCHORS = new ClassSet(
  "toMachine",
  "machine",
  "secrecy",
  "hush",
  "sensitivePath",
  "toolCross",
  "bulk",
  "passIn",
  "override",
  "diverge",
  "netTool",
  "stake",
  "act",
  "deed",
  "outward",
  "asset",
  "all",
  "userWord",
  "reveal",
  "matter",
  "model",
  "instead",
);
/** What later runs are ruled by: a standing order, a permission, silence, a rule that is over, a store. */
const MEMORY_ANCHORS = new ClassSet(
  "persist",
  "authority",
  "weaken",
  "secrecy",
  "hush",
  "override",
  "diverge",
  "instead",
  "voided",
  "noRefuse",
  "bulk",
  "sensitivePath",
  "toMachine",
  "urge",
);
/** Beside an address, a word for sending is enough for a look. */
const MEMORY_ANCHORS_ADDRESSED = new ClassSet("outward", "deed", "stake", "asset", "persist", "bulk");
/** Turns from the task, or towards the answer: beside a word that may mean a machine, or beside each other, worth a look. */
const TURNS = [DIVERGE, OVERRIDE, REPLY, PERSON, AUTHORITY, FRAME, WEAKEN] as const;
const HUSHED = new ClassSet("secrecy", "hush");

/** Words that open a clause and are no verb: function words, greetings, numbers, of seven languages. */
const NO_VERB = new Set(
  "the a an this that these those it its he she they we i you our my your their his her in on at of for to from by with as if when while and or but so is are was were be been has have had will would can could may might do does did not no all any some each every both there here what who which how why where also only just because since after before until than then now thanks thank hi hello dear hey yes per via about into over under between during within without against through across around along upon like unlike near despite except including according due once even though although unless whether either neither nor yet still too very more most less least such same other another one two three first last next new me us them him up down out off der die das den dem des ein eine einen einem einer und oder aber ist sind war wird werden hat haben kann auf aus bei mit nach von vor zu zum zur im am als wie wenn dass nicht auch nur noch es er sie wir ich du ihr le la les un une de et ou est sont au aux en dans sur pour par avec sans qui que ce cette ces il elle nous vous je tu el los las una y o e son con por para sin se su del al lo gli di da che os um uma do dos com".split(
    " ",
  ),
);
/** What follows a verb that is told: an object or a direction. */
const OBJECT = new Set(
  "the this that these those all any every each your my our their its it them him her his a an no to from with me us both out off up down back in into as at on only everything anything nothing for how what whatever whose which and den dem das die der des alle alles allen diese diesen dieses dieser diesem jede jeden jedes ein eine einen einem einer dein deine deinen sein seine seinen mein meine meinen es ihn ihm sie dich sich dass le la les un une ce cet cette ces tout toute tous toutes son sa ses ton ta tes votre vos en au aux que el los las una este esta estos estas todo toda todos todas su sus tu tus al il lo gli questo questa queste questi tutto tutta tutti tutte sua suo o os as um uma esta este esse".split(
    " ",
  ),
);
/** Words that lead into an order without being one. */
const LEADS_IN = new Set(
  "please kindly now then also first just and always immediately quietly simply therefore instead bitte jetzt dann zuerst sofort immer stattdessen und veuillez puis ensuite plutot et ahora luego primero siempre y per poi subito ora prima e agora por favor favore".split(
    " ",
  ),
);
const POLITE = new Set("please kindly bitte veuillez".split(" "));
/** Marks that end a clause: . ! ? : ; , quotes, brackets, dashes, bullets. */
const CLAUSE_MARKS = /[.!?:;,"'()[\]{}<>|*\n-]/;

/**
 * An order by its form: a clause opens with a word that is none of the function words, so a verb or a name, and an object follows
 * at once. No list of verbs can hold what may be told.
 */
function hasImperative(folded: string): boolean {
  const words = folded.split(/(?<=[^a-z0-9'_])|(?=[^a-z0-9'_])/);
  let opens = true;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === " ") continue;
    const first = word.charCodeAt(0);
    if (!isLetter(first)) {
      if (CLAUSE_MARKS.test(word)) opens = true;
      continue;
    }
    if (opens && !LEADS_IN.has(word)) {
      if (!NO_VERB.has(word) && word.length > 1 && takesObject(words, i)) return true;
      opens = false;
    } else if (POLITE.has(word)) opens = true;
    else if (word === "and" || word === "und" || word === "et") opens = true;
  }
  return false;
}

function takesObject(words: readonly string[], at: number): boolean {
  if (words[at + 1] !== " ") return false;
  const next = words[at + 2];
  return next !== undefined && (OBJECT.has(next) || (next === "l" && words[at + 3] === "'"));
}

/** An order after the reader's name, or any order in a passage that speaks to the reader by what it is. */
function toldAfter(body: string, named: string, order: boolean): boolean {
  if (toldByName(named)) return true;
  return order && MEETS_READER.test(body.slice(0, Math.max(0, body.length - named.length)));
}

const isLetter = (unit: number): boolean => unit >= 97 && unit <= 122;

/** The same after the name of the one spoken to: "Assistant, cancel the …", "for agents: merge this". */
function toldByName(folded: string): boolean {
  const mark = folded.slice(0, 100).search(/[:,)\]]/);
  if (mark < 0 || /[.!?\n]/.test(folded.slice(0, mark))) return false;
  let left = folded.slice(mark + 1, mark + 90);
  for (let i = 0; i < 4; i++) {
    const word = /^[ "'(]{0,3}([a-z]{1,24})/.exec(left);
    if (word === null) return false;
    if (!LEADS_IN.has(word[1] as string)) {
      if (NO_VERB.has(word[1] as string)) return false;
      return folded.charCodeAt(mark) === 58 || hasImperative(left);
    }
    left = left.slice(word[0].length);
  }
  return false;
}

/** All patterns below read folded text: lower case, no accents. */
const SUBJECT =
  /^[a-z-]{0,12}(?: [^.!?\n]{0,80}?)?[ ,](?:must|shall|should|ought to|has to|have to|needs? to|(?:is|are) (?:now |hereby |also )?(?:to|expected to|required to|instructed to|obliged to|asked to|advised to|told to|permitted to|allowed to|supposed to|requested to|cleared to|authori[sz]ed to)|will (?:now|first|also|then|please)|is responsible for|you'?ll|you will|muss|mussen|musst|soll|sollen|sollst|sollte|sollten|(?:hat|haben) [a-z]{2,20} zu|ist verpflichtet|w[ie]rde?n? (?:gebeten|angewiesen)|darf|doit|doivent|dois|devez|devra|est tenue?|est priee?|sont pries|est chargee?|debe|deben|debes|deberia|tiene que|tienes que|ha de|se ruega|se pide|deve|devono|devi|devem|e tenuto|tem que)\b/;
/** The machine is named as the one spoken to: what stands right before its name. */
const VOCATIVE =
  /(?:^|[.!?;:\n("'<>[|,*#-] {0,3}|\b(?:to|for|attention|dear|hey|hi|hello|ok|okay|listen|hallo|liebe[rs]?|an|fur|achtung|hinweis|chere?|chers|a|a l'attention d[eu]|pour|bonjour|al|para|estimad[oa]|hola|atencion|car[oa]|ciao|per|ao) (?:(?:the|all|any|every|our|your|alle|den|die|das|les|le|la|los|el|il|gli|o|os) ){0,2})(?:[a-z][a-z'-]{0,20} ){0,3}$/;
const MACHINE_KIND =
  /\b(?:ai|artificial|automated|automatic|autonomous|digital|virtual|software|machine|intelligent|smart|llm|robotic|ki|ia|digitale[rns]?|virtuelle[rns]?|automatische[rns]?|kunstliche[rns]?|automatique|virtuel(?:le)?|numerique|automatic[oa]|virtuale?|shopping|booking|travel|support|coding|code|review|mail|email|research|browsing|planning|trading|reading|translation|summary|voice|chat|home|office|personal|helpful)[ -]$/;
/** People who are called agents or assistants. */
const PERSONS_KIND =
  /\b(?:human|live|real|real estate|estate|letting|insurance|travel|ticket|gate|secret|federal|press|sales|free|shipping|customs|undercover|cleaning|medical|dental|teaching|executive|research|nursing|shop|store|parser|transfer|reservation|special) $/;
const MACHINE_DEED =
  /^[a-z-]{0,12}[ ,]{1,2}(?:(?:that|who|which|or [a-z]{2,20}) ){0,2}(?:(?:is|are|may be|happens to be|currently) ){0,1}(?:read|process|handl|summari[sz]|pars|crawl|scan|brows|review|visit|automat|work|encounter|see|index|translat|assist|help|serv|open|der |die |das |qui |que |che |lisant|traitant)/;
/** What is told is a ban, a question or a check: what careful operators write. */
const CAREFUL =
  /\b(?:(?:must|should|shall|may|can|will|do|does|to) (?:not|never)|mustn't|shouldn't|can't|cannot|don't|doesn't|never|refuses?|refused|asks? (?:the|for|you|before|them|your)|confirm with|confirmation|approval|approved by|human (?:review|oversight|in the loop)|before (?:sending|deleting|acting|paying|making)|with (?:the user's )?(?:consent|permission)|be careful|careful with|treat(?:ed)? (?:[a-z]{2,20} ){0,5}as (?:data|untrusted)|untrusted|nicht (?:ohne|folgen|befolgen|ausfuhren)|niemals|darf nicht|durfen nicht|nachfragen|bestatig|jamais|demander|nunca|no debe|preguntar|confirmar|confirmacion)/;
/** Text about machines rather than to one: studies, products, incidents, programs. */
const ABOUT_MACHINES =
  /\b(?:study|studies|research(?:ers)?|paper|article|survey|report finds|benchmark|requirements?:|specification|user story|attacks?|attackers?|injection|vulnerabilit|hidden text|such as|for example|e\.g\.|examples? of|tutorial|training data|(?:is|are) an? [a-z]{2,20}|we built|how to build|angreifer|angriff|attaquant|atacante|studie|etude|estudio|self\.|def |class |import |function|const |return )/;
/** Menus and lists: rows of short pieces between commas, bars or dashes. */
const NO_PROSE =
  /(?:\b[a-z][a-z ]{1,20}, ){5}|(?: [-|•·] [^-|•·\n]{1,30}){3}|\.{3} [^.]{1,60}\.{3}|(?:["'] ?: ?["'\d{[][^:]{0,80}){3}/;
/** Some words in a row: a sentence, not a record. */
const PROSE = /[a-z']{1,24}[,:]? [a-z']{1,24}[,:]? [`'"]?[a-z']{1,24}/;
/** The reader is met under a condition, or by what it is doing: whatever order follows is meant for it. */
const MEETS_READER =
  /\b(?:if|when|whenever|whoever|whatever|since|as|while|in case|should|falls|wenn|sofern|sollte|si|quand|lorsque|cuando|quien|se|quando)\b[^.!?\n]{0,60}$|\byou (?:who|that|are)\b/;
const ADDRESS =
  /[a-z0-9.+_-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2,12}|https?:\/\/|\bwww\.|\b[a-z0-9-]{2,40}\.(?:example|com|net|org|io|dev|app|site|xyz)\b|\b[a-z]{2}\d{2}[a-z0-9]{10,30}\b|\+\d{8,15}|#[a-z][a-z0-9_-]{2,30}/;
const THINGS =
  /\b(?:orders?|refunds?|branch|branches|calendar|folders?|files?|invoices?|accounts?|projects?|reports?|messages?|tickets?|e-?mails?|events?|notes?|tables?|rows?|code|documents?|chats?|conversations?|reviews?|meetings?|tests?|results?)\b|[$€£] ?\d|\b\d{1,9}(?:[.,]\d{1,3})? (?:eur|euros?|usd|dollars?|gbp|chf|btc|eth)\b/;
const SOMEBODY =
  /\b(?:(?:the|this|that|their|your|its) (?:user|person|customer|client|guest|passenger|travell?er|patient|buyer|shopper|reader|visitor|human|owner|requester|operator|employee|student|people)|they|their|them|somebody|someone|people|de[rsnm] (?:nutzer|benutzer|kunde|gast|person|anwender|mensch)|l'utilisateur|le client|la personne|quelqu'un|l'usager|el usuario|al usuario|la persona|el cliente|del cliente|l'utente|o usuario|alguien|qualcuno)/;
const SILENCE =
  /\b(?:no need to (?:mention|tell|inform|announce|ask|say|bring|bother|report)|need not (?:be )?(?:mention|told|know|announce|inform)|(?:not|never|nor) (?:be )?(?:mention|announc|disclos|reveal|report|tell|told|inform|say |said|bother|troubl|discuss|alert|notif)|no (?:mention|word|trace|notice|announcement) (?:of|about|to|in)|without (?:mention|telling|say|notice|a word|inform|announc|show|bother|troubl|leaving)|leave (?:no trace|(?:this|that|it|them) out)|as if nothing|stays? (?:hidden|unaware|silent|quiet|between)|remains? (?:hidden|unaware|silent|quiet)|unaware of|keep (?:quiet|silent|this|it) |of no (?:interest|concern)|nicht (?:erwahn|verrat|sag|mitteil|ansprech|angesproch|zeig|anzeig|inform|melde)|erwahnt?\b[^.!?\n]{0,60}\bnicht|nichts (?:sagen|davon|erwahnen|verraten|melden)|verschweig|unerwahnt|stille?[snr]?\b|stillschweigend|ohne (?:es |das |dies |daruber )?(?:zu (?:erwahnen|sagen|sprechen|melden|zeigen)|hinweis|meldung)|daruber zu sprechen|sans (?:le |la |en |rien )?(?:dire|mentionner|parler|montrer|signaler|prevenir|avertir|informer)|ne (?:le |la |les |lui |leur |pas )?(?:[a-z]{2,12} )?(?:dis|dites|mentionnez?|parlez?|signale|revele)\b|ne (?:jamais|pas|rien) (?:dire|mentionner|signaler|montrer|parler)|sin (?:decir|mencionar|avisar|mostrar|informar|comentar)|no (?:lo |la |se lo |le )?(?:menciones?|comentes?|digas?|comente|avises?|reveles?|informes?|cuentes?)\b|senza (?:dir|menzion|avvis|mostr|inform|parl)|non (?:lo |la |ne )?(?:dire|menzionare|parlare|rivelare|mostrare)|sem (?:dizer|mencionar|avisar|mostrar))/;

/** Nobody need be asked any more. */
const PERMITTED =
  /\b(?:(?:no|without) (?:further |any |more |additional )?(?:questions?|approval|confirmation|consent|permission|review|query|queries|asking|prompt(?:ing)?|sign-?off|ok)|need(?:s|ed)? (?:no|not be|not) (?:further |more |any |be )?(?:questions?|approv|confirm|consent|permission|ask)|(?:agreed|consented|allowed|approved|permitted|authori[sz]ed) (?:to )?(?:once and for all|permanently|in advance|for good|forever|everything|all|any)|once and for all|act on (?:its|his|her|their) own|ohne (?:weitere |jede |vorherige )?(?:ruckfrage|nachfrage|zustimmung|bestatigung|freigabe|genehmigung|prufung)|ein fur alle ?mal|keine (?:ruckfrage|zustimmung|bestatigung|freigabe|genehmigung)|pauschal|sans (?:autre |nouvelle )?(?:demande|demander|accord|confirmation|validation|autorisation)|une fois pour toutes|aucune (?:confirmation|validation|autorisation)|sin (?:mas |otra |previa )?(?:pregunta|preguntar|confirmacion|aprobacion|autorizacion|permiso)|de una vez por todas|senza (?:chiedere|conferma|autorizzazione|approvazione)|sem (?:perguntar|confirmacao|autorizacao))\b/;
/** Places of a person's own, or of keys, that no ordinary tool looks into. */
const PRIVATE_PLACE =
  /~\/\.?[a-z]|\.(?:pem|p12|pfx|kdbx|ppk|key)\b|\/etc\/|\/root\/|private keys?|key files?|passwords? (?:file|store|manager|vault)|browser(?:'s)? (?:passwords?|cookies?|history|profile)|credentials? (?:file|store)|passwortdatei|schlusseldatei|fichiers? de mots? de passe|fichero de contrasenas|archivo de contrasenas|contrasenas del navegador|file delle password/;
/** A named place of a call to put something into. */
const FIELD =
  /\b(?:in|into|as|to|via|through|im|ins|als|dans|comme|en|como|nel|come) (?:the |an? |its |das |dem |ein |le |la |un |el |il )?(?:\w{2,20} )?(?:field|parameter|argument|feld|champ|parametre|campo|parametro)\b|(?:in|into|to|as|im|dans|en|nel|a|als|comme|como) [`'"][\w-]{1,30}[`'"]/;
/** It reaches beyond the tool: other tools, every call, what was said, a step before or after its own work. */
const BEYOND_TOOL =
  /\b(?:ahead of (?:each|every|any)|(?:before|after|prior to|on|with|for|at) (?:each|every|any|all) (?:call|use|request|run|query|answer|step|message)s?|(?:all|any|every|other|another|remaining|built-?in|different) (?:other )?(?:tools?|servers?|services?|functions?|calculators?|search(?:es)?)|(?:meant|intended) for (?:other|another)|regardless of (?:which|what)|whatever (?:address|recipient|file|path|was|the)|(?:call|run|use|invoke|with|to|if|via|by) (?:it |the )?(?:tool |function )?[`'][a-z]+_[a-z_]+[`']|prior (?:messages?|results?)|previous tool|results of (?:the )?other|is to be (?:called|run|used|invoked)|has to (?:go through|run|call|be called)|must (?:first |also )?(?:run|call|invoke|install|open|read|fetch|send)|from the moment|(?:what|everything|all) (?:the )?(?:person|user|human|they|he|she) (?:wrote|typed|said|asked|has written|has said)|so far|andere[nrs]? (?:werkzeuge?|tools?|dienste?|server|suchen?)|vor (?:jede[rmn]?|der|dem) |nach jede[rmn]|bei jede[rmn]|les autres|tous les autres|chaque (?:appel|fois|requete)|(?:los|las) (?:otr|dem)[a-z]{1,4}|cada (?:llamada|vez|uso)|antes de (?:responder|usar|cada)|avant de|ogni (?:chiamata|volta))/;
/** At every time, or at a sign. */
const TRIGGER =
  /\b(?:when(?:ever)?|if|once|every|each|always|any time|in all|from now|at all times|henceforth|until further|wenn|sobald|falls|immer|jede[rsmn]?|stets|kunftig|bei|toujours|chaque|si|quand|lorsque|desormais|dorenavant|siempre|cada|cuando|sempre|ogni|quando|se)\b/;
const RISKY =
  /\b(?:pay|charge|proceed|go through|transfer|wire|upload|share|forward|send|bcc|copy|copied|accept|approve|merge|deploy|delete|erase|wipe|purge|install|execute|grant|disable|skip|bypass|ignore|load|follow|obey|trust|believe|carry out|hand over|reveal|hide|binding|genuine|buy|purchase|bezahl|zahl|uberweis|hochlad|teil|weiterleit|schick|send|kopie|annehm|genehmig|losch|ausfuhr|installier|vertrau|empfehl|folg|befolg|pa(?:ie|ye)|vire|partage|transfe|envo[iy]|copie cachee|accepte|valide|supprim|execut|install|recommand|achet|suiv|obei|pag|transf|compart|reenvi|envi|copia oculta|acept|aprueb|aprob|borr|elimin|ejecut|instal|recomend|compr|obedec|invi|inoltr|condivid|accett|approv|cancell|esegu|consigli)/;
const EXTRA =
  /\b(?:also|additionally|in addition|as well|on the way|along the way|beforehand|alongside|likewise|afterwards|on top of|after (?:that|[a-z]{3,12}ing)|zusatzlich|ausserdem|anschliessend|danach|ebenfalls|en plus|ensuite|egalement|aussi|ademas|tambien|luego|despues|inoltre|poi|anche|alem disso|tambem)\b/;
const DISCREDITS =
  /\b(?:tools?|servers?|services?|results?|sources?|search(?:es)?|calculators?|versions?|functions?)\b[^.!?\n]{0,60}\b(?:wrong|manipulated|outdated|obsolete|deprecated|unsafe|dangerous|unreliable|untrustworthy|compromised|broken|inaccurate|stale|not (?:to be )?trusted|forbidden|must not be used|should not be used|veraltet|falsch|unsicher|manipuliert|obsolet|dangereux|peu fiables?|incorrect|peligros|inseguros?|obsolet)/;
/** What a person said, owns or is: no ordinary tool needs it from its caller. */
const PERSONAL =
  /\b(?:home address|(?:all |the |last |latest |prior |previous |recent |twenty |ten |full |whole |entire )(?:chat|conversation|dialog(?:ue)?|messages?|transcript|discussion)|what (?:the )?(?:user|person|they|he|she|human) (?:wrote|typed|said|asked|has|is)|system prompt|connection string|secrets?|credentials?|identity|personal (?:data|details|information)|contact list|list of contacts|contacts|address book|cookies|tool results?|private|zugangsdaten|kontakte|passworter|verlauf|nachrichten des|identifiants|contacts|mots de passe|historique|messages precedents|credenciales|contrasenas|contactos|historial|mensajes anteriores|credenziali|contatti|cronologia)\b/;
const TALK =
  /\b(?:you|your|i'll|i can|i'm|i am|i will|i have|i've|i recommend|i could|i was|would you like|let me know|could you|can you|may i|thank you|thanks|sorry|unfortunately|please provide|ich kann|ich habe|konnten sie|je peux|puedo)\b|\?/;
const WISH =
  /\b(?:(?:user|customer|she|he|they|client|team|person|nutzer|kunde|utilisateur|usuario|utente)\b.{0,20}\b(?:prefers?|wants?|likes?|loves?|dislikes?|hates?|enjoys?|is allergic|wishes|would like|mochte|mag|bevorzugt|wunscht|prefere|aime|souhaite|prefiere|quiere|gusta|preferisce)|i (?:prefer|like|want|am allergic))\b/;

/** "fails silently", "silently ignored": how a program fails, not what it hides. */
const QUIET_FAILURE =
  /\b(?:runs?|fails?|succeeds?|ignore[sd]?|skip(?:s|ped)|drop(?:s|ped)|overwritten|truncated|works?) silently|silently (?:ignor|fail|skip|drop|overwr|truncat|discard|run|succeed)/;

/** The folded form of a stretch of a text, without its invisible characters. */
const foldBuffer = new Uint16Array(1_024);
export function foldPassage(text: string, start: number, end: number): string {
  let length = 0;
  const most = Math.min(end, start + foldBuffer.length);
  for (let i = start; i < most; i++) {
    const unit = text.charCodeAt(i);
    const code = unit === 10 || unit === 13 ? 10 : (foldedCodes[unit] as number);
    if (code !== 0) foldBuffer[length++] = code;
  }
  return String.fromCharCode.apply(null, foldBuffer.subarray(0, length) as unknown as number[]);
}

interface Passage {
  readonly start: number;
  readonly end: number;
}

function isBreak(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === 10 || unit === 13) return true;
  if (unit === 46 || unit === 33 || unit === 63) {
    const after = text.charCodeAt(at + 1);
    return !(after > 32) || after === 34 || after === 39 || after === 60 || after === 93;
  }
  if (unit === 34) return isFieldEdge(text, at);
  return unit === 92 && text.charCodeAt(at + 1) === 110;
}

/** A quote that ends one field of a structure or opens the next. */
function isFieldEdge(text: string, at: number): boolean {
  const after = text.charCodeAt(at + 1);
  const before = text.charCodeAt(at - 1);
  return (
    ((after === 44 || after === 125 || after === 93) && before !== 44) ||
    ((before === 58 || (before === 32 && text.charCodeAt(at - 2) === 58)) &&
      /["'\w]\s{0,1}$/.test(text.slice(at - 3, at - 1)))
  );
}

/** The sentence of a word, with what leads into it and the one after it. */
export function passageAround(text: string, from: number, to: number): Passage {
  let start = from;
  const least = Math.max(0, from - BEFORE_MAX);
  while (start > least && !isBreak(text, start - 1)) start--;
  let end = to;
  const most = Math.min(text.length, to + AFTER_MAX);
  let breaks = 0;
  while (end < most) {
    if (isBreak(text, end)) {
      if (isFieldEdge(text, end)) break;
      if (end > to + 24) breaks++;
      if (breaks === 2) break;
    }
    end++;
  }
  return { start, end };
}

/** The machine is spoken to or spoken of in a way that leaves no doubt that it is one. */
function readerSign(text: string, start: number, end: number, low: number, high: number): 0 | 1 | 2 {
  const next = text.charCodeAt(end);
  if (text.charCodeAt(end - 1) === 58 || (next === 58 && (start === 0 || text.charCodeAt(start - 1) !== 32)))
    return 1;
  if (READER.in(low, high)) return 2;
  if (PERSONS_KIND.test(foldPassage(text, Math.max(0, start - 16), start))) return 0;
  const before = foldPassage(text, Math.max(0, start - 60), start);
  const after = foldPassage(text, end, Math.min(text.length, end + 60));
  if (VOCATIVE.test(before) && /^[a-z-]{0,12}(?: [^.!?\n]{0,50})?[:,\]]/.test(after)) return 2;
  if (MACHINE_KIND.test(before) || MACHINE_DEED.test(after)) return 2;
  return 1;
}

class Weigher {
  private readonly hits: readonly number[];
  private readonly text: string;
  low = 0;
  high = 0;
  /** The first word that names a machine, and where it ends; −1 if none does. */
  private machineStart = -1;
  private machineEnd = -1;

  constructor(scan: TextScan) {
    this.hits = scan.hits;
    this.text = scan.text;
  }

  /** Which classes stand in a passage; `near` is a hit inside it. */
  collect(passage: Passage, near: number): void {
    const { hits } = this;
    this.low = 0;
    this.high = 0;
    this.machineStart = -1;
    let first = near;
    while (first >= 3 && (hits[first - 1] as number) > passage.start) first -= 3;
    for (let i = first; i < hits.length && (hits[i + 1] as number) < passage.end; i += 3) {
      if ((hits[i + 1] as number) < passage.start) continue;
      const cls = hits[i] as number;
      if (cls < 30) this.low |= 1 << cls;
      else this.high |= 1 << (cls - 30);
      if (this.machineStart < 0 && isMachine[cls] === 1) {
        this.machineStart = hits[i + 1] as number;
        this.machineEnd = hits[i + 2] as number;
      }
    }
  }

  /** null where a look at the text would be in vain. */
  signs(passage: Passage, carried: boolean): Signs | null {
    const { low, high, text } = this;
    const { start, end } = passage;
    const reader =
      this.machineStart < 0 ? 0 : readerSign(text, this.machineStart, this.machineEnd, low, high);
    if (carried && !worthALook(low, high, reader)) return null;
    const body = foldPassage(text, start, end);
    const quiet = SILENCE.test(body) || (QUIET.in(low, high) && !QUIET_FAILURE.test(body));
    const named = this.machineStart < 0 ? body : foldPassage(text, this.machineEnd, end);
    if (NO_PROSE.test(body) || !PROSE.test(body)) return null;
    const order = hasImperative(body);
    const told = reader > 0 && (SUBJECT.test(named) || (reader === 2 && toldAfter(body, named, order)));
    return {
      reader,
      told,
      order: order && !told,
      verb: VERB.in(low, high) && !told,
      unread: reader === 0 && !FRAME.in(low, high) && !TASK.in(low, high),
      careful: !quiet && CAREFUL.test(body),
      about: ABOUT_MACHINES.test(body),
      stake: STAKE.in(low, high) || THINGS.test(body),
      address: ADDRESS.test(body),
      quiet,
      diverge: DIVERGE.in(low, high),
      override: OVERRIDE.in(low, high),
      replyTalk: REPLY.in(low, high),
      person: PERSON.in(low, high) || SOMEBODY.test(body),
      authority: AUTHORITY.in(low, high) || PERMITTED.test(body),
      frame: FRAME.in(low, high),
      urge: URGE.in(low, high),
      store: STORE.in(low, high) || PERSONAL.test(body),
      path: PATH.in(low, high) || PRIVATE_PLACE.test(body),
      passIn: PASS_IN.in(low, high) || FIELD.test(body),
      crossing: CROSSING.in(low, high) || BEYOND_TOOL.test(body),
      standing: STANDING.in(low, high) || TRIGGER.test(body),
      weaken: WEAKEN.in(low, high),
      harmful: HARMFUL.in(low, high),
      risky: RISKY.test(body),
      leaves: LEAVES.in(low, high),
      extra: EXTRA.test(body),
      discredits: DISCREDITS.test(body),
      talk: TALK.test(body),
      wish: WISH.test(body),
    };
  }
}

/** False where no sum could be reached: no reader in plain words, no silence, and less than two turns from the task. */
function worthALook(low: number, high: number, reader: 0 | 1 | 2): boolean {
  if (reader === 2 || HUSHED.in(low, high)) return true;
  let turns: number = reader;
  for (let i = 0; i < TURNS.length; i++) if ((TURNS[i] as ClassSet).in(low, high)) turns++;
  return turns >= 2;
}

const isMachine = new Uint8Array(WORD_CLASSES.length);
for (const name of ["toMachine", "machine", "model"] as const) isMachine[numberOf(name)] = 1;

function weigh(signs: Signs, weights: SignWeights): number {
  let sum = weights.bias;
  for (const name in signs) {
    const value = signs[name as keyof Signs];
    if (value !== false && value !== 0) sum += weights[name as keyof Signs] ?? 0;
  }
  if (signs.reader === 2) sum += weights.readerPlain ?? 0;
  return sum;
}

const CARRIED_WEIGHTS: SignWeights = {
  bias: -4,
  reader: 0.7,
  readerPlain: 1.2,
  told: 1.6,
  order: 0.9,
  verb: 0.3,
  unread: -0.6,
  careful: -1.6,
  about: -2,
  stake: 0.8,
  address: 0.8,
  quiet: 1.7,
  diverge: 0.9,
  override: 0.9,
  replyTalk: 0.7,
  person: 0.6,
  authority: 0.9,
  frame: 0.9,
  urge: 0.6,
  weaken: 0.7,
  harmful: 0.4,
  path: 0.8,
};

const DESCRIPTION_WEIGHTS: SignWeights = {
  bias: -2.6,
  reader: 0.4,
  readerPlain: 0.4,
  told: 0.6,
  order: 0.2,
  careful: -1.6,
  stake: 0.4,
  address: 1,
  quiet: 1.9,
  diverge: 0.9,
  override: 0.7,
  person: 0.3,
  authority: 0.9,
  frame: 1,
  urge: 0.5,
  store: 1.1,
  path: 1.4,
  passIn: 0.9,
  crossing: 1.2,
  weaken: 0.7,
  harmful: 0.6,
  about: -1,
  risky: 0.4,
  leaves: 0.4,
  extra: 0.6,
  discredits: 1.4,
};

const MEMORY_WEIGHTS: SignWeights = {
  bias: -2.4,
  told: 0.4,
  order: 0.3,
  verb: 0.2,
  careful: -0.4,
  about: -0.6,
  stake: 0.5,
  address: 1.3,
  quiet: 1.7,
  diverge: 0.6,
  override: 0.9,
  replyTalk: 0.4,
  person: 0.3,
  authority: 2,
  frame: 0.8,
  store: 0.7,
  path: 0.9,
  standing: 0.7,
  weaken: 1.8,
  harmful: 0.6,
  risky: 0.8,
  talk: -1,
  wish: -1.5,
};

/** The log-odds at which a passage counts by itself: a score of 0.7. */
const EVEN = Math.log(0.7 / 0.3);

function strongest(scan: TextScan, anchors: ClassSet, weights: SignWeights, id: string): RuleMatch | null {
  const carried = weights === CARRIED_WEIGHTS;
  if (!anchors.in(scan.low, scan.high)) return null;
  const { hits, text } = scan;
  const weigher = new Weigher(scan);
  let best = Number.NEGATIVE_INFINITY;
  let where: Passage | null = null;
  let passages = 0;
  let done = 0;
  for (let i = 0; i < hits.length && passages < PASSAGES_MAX; i += 3) {
    const from = hits[i + 1] as number;
    if (from < done || !anchors.has(hits[i] as number)) continue;
    const passage = passageAround(text, from, hits[i + 2] as number);
    weigher.collect(passage, i);
    done = hits[i + 2] as number;
    const signs = weigher.signs(passage, carried);
    if (signs === null) continue;
    passages++;
    const sum = weigh(signs, weights);
    if (sum > best) {
      best = sum;
      where = passage;
    }
  }
  if (where === null) return null;
  const weight = 1 / (1 + Math.exp(-(best + EVEN)));
  return weight < 0.4 ? null : { id, weight, start: where.start, end: where.end };
}

/** An order to the machine that reads, in content that should be data. */
export function orderInData(scan: TextScan): RuleMatch | null {
  return strongest(scan, CARRIED_ANCHORS, CARRIED_WEIGHTS, "order-in-data");
}

/** A description of a tool that reaches beyond the tool. */
export function reachBeyondTool(scan: TextScan): RuleMatch | null {
  return strongest(scan, DESCRIPTION_ANCHORS, DESCRIPTION_WEIGHTS, "beyond-the-tool");
}

/** Content for a memory that rules over later runs. */
export function orderForLater(scan: TextScan): RuleMatch | null {
  const addressed = scan.text.includes("@") || scan.text.includes("://");
  const found = strongest(scan, MEMORY_ANCHORS, MEMORY_WEIGHTS, "order-for-later");
  if (found !== null || !addressed) return found;
  return strongest(scan, MEMORY_ANCHORS_ADDRESSED, MEMORY_WEIGHTS, "order-for-later");
}
