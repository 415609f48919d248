import type { Severity } from "../../detector.ts";
import { byName } from "../by-name.ts";
import { spaced } from "../name-words.ts";

/**
 * Whether news of the infrastructure is trouble: told from its kind and code, its message where they say
 * nothing. What is done on purpose (scaling, a roll-out, a planned restart), what is well and what is over
 * are none. Words that sound grave within an ordinary one ("scaled down") are taken out before the rest is
 * read; what fails about an ordinary operation is trouble all the same.
 */
const WELL =
  /recover|(?<!un)resolv|restor|healthy(?<!unhealthy|not healthy)|(?<!back |backed |backing )\bup\b|scal(?:ed|ing)|deploy|info|(?<!not |un)ready|(?<!re)start(?:ed|ing|up)|connected(?<!disconnected)|heartbeat/i;
const GRAVE =
  /oom|out.?of.?memory|killed|evict|crash|panic|disk.?full|no.?space|unavailable|outage|down\b|unhealthy|unreachable|corrupt|data.?loss|segfault|node.?lost/i;
const TROUBLE =
  /error|fail|timeout|timed.?out|time.?out|throttl|rate.?limit|too.?many|429|degrad|slow|latency|saturat|exhaust|refused|reset|dns|network|disconnect|restart|retry|backoff|back.off|overload|quota|pressure|stall|lost|expired|warn|insufficient|preempt|circuit.{0,9}open|deadlock|not ready|unresponsive/i;
/** An operation, whatever is done on purpose to it, that did not come about, or does not stay up. */
const FAILS =
  /fail(?!.?(?:over|back))|could ?n[o']t|cannot|unable|exhaust|insufficient|exceed|refused|rejected|aborted|stuck|deadline|out of capacity|no capacity|\bnot (?:ready|healthy|available|running|responding|come up|start)|unready|crash|loop|back.?off|oom|panic|segfault|unexpected|unplanned|unscheduled|ungeplant|imprevist|imprévu|non planifi|no planificad|data.?loss|corrupt|repeated|exit(?:ed)?(?: with)?(?: status| code)? (?!0\b|143\b)\d|\b(?:restart|reboot)\w{0,3} (?:\d{1,4}|several|many|again)\b|\b\d{1,4} (?:times|restarts)\b|rolled back|rolling back|(?:desired|wanted) \d{1,5}[^.;]{0,12} max|max(?:imum)?[\w ]{0,20} reached|limit reached|全部失败|失败|échec|échou|fehlgeschlagen|gescheitert|falló|fallid|falhou/i;
const FAULTY = /error|time.?out|timed.?out|throttl|stall|critical|overload|unhealthy|unreachable/i;
const UNWELL = /unhealthy|unreachable|unavailable|outage/i;

/** HTTP's own fault: no figure of something counted or measured. */
const STATUS_5XX =
  /(?<![\d.,:$€#/-])5(?:0\d|1[01]|2\d|30|99|xx)\b(?![.,:/-]?\d| ?%| ?-> ?| ?(?:ms|sec(?:onds?)?|s|m|h|min(?:utes)?|[kmgt]i?b|bytes|rps|qps|iops|(?:\w{1,12} )?(?:rows|nodes|pods|replicas|instances|workers|requests|messages|connections|tasks|jobs|items|users|records|files|calls|tokens|targets|partitions|v?cpus?|cores|gpus?|units|times|events|chunks|pages|documents))\b)/i;

/** "finished without errors", "0 failures", "failed: 0": a word of trouble that is denied. */
const DENIED =
  /\b(?:no|without|zero|0|ohne|keine?|sin|sans|sem|senza)\s{1,2}(?:of \d{1,7} )?(?:\w{1,16}\s)?(?:errors?|failures?|fail(?:ed)?|timeouts?|restarts?|data loss|outages?|downtime|(?:disk |memory |pid )?pressure|interruptions?|rejected|fehler|ausfall|errores|erreurs?|erros?|errori|interrupción|interruption)\b|\b(?:errors?|failed|failures?|timeouts?|restarts|rejected|unhealthy)(?: ?[:=] ?| )0(?:[./ ]\d{1,7})?(?!\d)%?|\bunhealthy[ :=]{1,3}0\b|\berror rate (?:of |is |at )?0?[.,]?0\d?[\d.,]{0,6} ?%?|\bwithin (?:the )?(?:quota|limits?)\b|\b(?:quota |limit )?(?:was |has been )?(?:raised|increased|extended) (?:to|by|from)\b|\bnever (?:failed|restarted)\b/gi;

/** What sounds of trouble and is part of an ordinary operation. */
const ORDINARY_WORDS =
  /\b(?:scal(?:e|ed|es|ing)|shut(?:s|ting)?|wind(?:s|ing)?|wound|spin(?:s|ning)?|spun|cool(?:s|ed|ing)?|step(?:s|ped|ping)?|ramp(?:s|ed|ing)?|siz(?:e|ed|ing)|count(?:s|ed|ing)?|tear(?:s|ing)?|torn|drill|power(?:s|ed|ing)?)[ -]{0,2}down\b(?![\w ]{0,20}(?:unexpected|by itself|without))|\b(?:cool|count|scale|draw)down\b|\bscaleset\b|\bresets? (?:the )?(?:counter|schedule|timer|window|quota)\b|\b(?:retry|restart|backoff)[ -](?:policy|budget)\b/gi;

/**
 * Work of which an ordinary operation tells why it was done: "adds two nodes for the latency", "fixes the
 * crash in checkout".
 */
const ITS_REASON =
  /\b(?:fix(?:es|ed|ing)?|hotfix|address(?:es|ing)?|reduc(?:e[sd]?|ing)|avoid(?:s|ing)?|prevent(?:s|ing)?|handl(?:e[sd]?|ing)|mitigat(?:e[sd]?|ing)|improv(?:e[sd]?|ing)|resolves|against|in case of|behebt|corrige)\b[^.;,]{0,60}/gi;

/** Trouble that the message says is over: a note for the record. */
const OVER =
  /\b(?:recovered|resolved|restored|succeeded|back to normal|(?:is|are|was) back|cleared|wieder (?:da|normal))\b/i;
const NOT_OVER = /\b(?:not|never|un|nicht|cannot|could not|yet|fail(?:ed|s)?|until|before)\b[^.;]{0,24}$/i;

function isOver(message: string): boolean {
  const found = OVER.exec(message);
  return found !== null && !NOT_OVER.test(message.slice(0, found.index));
}

/** A wait that is told with its figure is trouble from a second on. */
const MEASURED = /^(?:[\w.-]{0,24}[_ -])?(?:latency|rtt|round.?trip)(?:[_ -](?:ms|p\d\d))? ?(?:p\d\d)?$/i;
const MILLISECONDS = /(\d{1,9}(?:\.\d{1,4})?) ?(ms|s|milliseconds|seconds)\b/gi;
const SLOW_MS = 1_000;

function isQuick(message: string): boolean {
  if (TROUBLE.test(message.replace(/latency/gi, ""))) return false;
  const told = [...message.matchAll(MILLISECONDS)].map(([, digits, unit]) => {
    const isSeconds = /^s/i.test(unit ?? "");
    return Number(digits) * (isSeconds ? 1_000 : 1);
  });
  return told.length > 0 && Math.max(...told) < SLOW_MS;
}

/** Work that is announced, or done on purpose, and what is only practised. */
const PLANNED =
  /(?<!un|un-|not )(?:planned|scheduled|upcoming|announced|routine)\b[\w -]{0,20}(?:maintenance|downtime|outage|window|work|upgrade|restart|reboot|migration|failover|drill|test)|maintenance\b[\w -]{0,12}(?:window|scheduled|planned|announced|notice|upcoming)|(?:failover|disaster|chaos|fire|recovery)\b[\w -]{0,10}(?:drill|exercise|test)\b|geplante\w? (?:wartung|ausfall)|wartungs(?:fenster|ankündigung)|mantenimiento (?:programado|planificado)|manutenção (?:programada|planejada)|maintenance (?:planifiée|prévue|programmée)|计划(?:内|中)?的?维护|维护(?:通知|公告|窗口)|定期メンテナンス|メンテナンス(?:予定|のお知らせ)|плановы[ех] работ/i;
/** What may happen, or will: not yet. */
const TO_COME =
  /\b(?:will|may|might|(?:is|are) (?:going|expected|planned|scheduled) to) (?:be|become) (?:\w{1,12} )?(?:unavailable|down|slow(?:er)?|offline|unreachable|restarted|degraded|interrupted|affected)\b|\b(?:wird|werden)\b[^.;]{1,40}\b(?:ausfallen|nicht erreichbar)|\b(?:possible|expected|likely) (?:then|during|on|from|between)\b/i;

const isToCome = (message: string): boolean => PLANNED.test(message) || TO_COME.test(message);

/** Why something is stopped, moved or started anew on purpose. */
const ON_PURPOSE =
  /(?<!\bun|\bun-|\bnot |\bnicht |\bnon |\bno )\b(?:planned|scheduled|rolling|graceful(?:ly)?|manual(?:ly)?|intentional(?:ly)?|routine|requested|on request|by (?:the |an )?(?:operator|admin\w{0,10}|user)|(?:operator|user|admin)[- ]initiated|(?:re)?deploy(?:ed|ing|ment|ments)?|roll-?out|rolled out|new (?:release|version|image|build)|upgrad(?:e|es|ed|ing)|updat(?:e|es|ed|ing)|patch(?:ed|ing)?|maintenance|drain(?:ed|ing)?|cordon(?:ed)?|scal(?:e|ed|ing)[ -](?:in|down|to zero)|consolidat(?:ed|ion)|config(?:uration)? (?:change[ds]?|reload(?:ed)?)|rotat(?:ed|ion|ing)|recycl(?:ed|ing|e)|nightly|weekly|daily|blue.?green|live migration|switch-?over|fail-?back|hot reload|geplant(?:er|e|en|es)?|planmäßig(?:er|e|en|es)?|rollierend(?:er|es|e)?|programad[oa]s?|planificad[oa]s?|planifiée?s?|prévue?s?|programmée?s?|planejad[oa]s?|pianificat[oaie]|programmat[oaie]|gepland(?:e)?)(?![\wäöüßéèáíóúñç])|планов|计划|滚动(?:更新|升级)|定期|計画|ローリング/i;
/** What such work does to what runs: none of these is trouble then. */
const MOVES =
  /restart\w{0,3}|reboot\w{0,3}|evict\w{0,4}|kill(?:ed|ing)?|terminat\w{0,4}|stop(?:ped|ping|s)?|disconnect\w{0,3}|fail-?(?:ed )?over|interrupt\w{0,4}|preempt\w{0,4}|\breset\b|\bdown(?:time)?\b|\bnot ready\b/gi;

/** Kinds of operations that change what runs, in the words of orchestrators, clouds and release tools. */
const OPERATION =
  /scal(?:e|ed|ing)|rescale|deploy|roll-?out|rolling|release|upgrad|updat|provision|migrat|drain|cordon|rebalanc|backup|snapshot|failback|switch-?over|config|maintenance|warm.?up|cold start|lifecycle|rotat|image pull|pulled|scheduled/i;

/** A state that a kind or a code gives by itself. */
const WELL_STATE =
  /^(?:ok(?:ay)?|resolved|recovered|cleared|closed|healthy|up|normal|green|success(?:ful)?|succeeded|passed|passing|pass|available|online|restored|nominal|steady(?: state)?|in ?service|all clear|fail-?back(?: (?:done|completed?|finished))?)$|\b(?:back to normal|steady state|recovered|(?<!un)resolved|restored)\b(?<!not \w{1,12})/i;
/** A message that tells of no more than that all is well again. */
const LEADS_WITH_RECOVERY =
  /^(?!.{0,60}\b(?:no|not|never|nicht|noch|yet|until)\b)(?:[\w./:-]{1,40} ){0,3}?(?:is |are |has |have |now |been |was ){0,3}(?:recovered|resolved|restored|cleared|healthy|back|available|online|reachable|closed|wieder (?:da|erreichbar|verfügbar))\b/i;

/** What a part of what is well, or was, still speaks of: an event that leaves a trace. */
const LASTING =
  /oom|out.?of.?memory|killed|evict|crash|panic|disk.?full|no.?space|corrupt|data.?loss|segfault|node.?lost/i;

/** The words of a kind or code: `NodeNotReady`, `scale_down`. */
const words = (name: string): string => spaced(name).replace(/[_.]/g, " ");

const plain = (said: string): string => said.replace(DENIED, " ").replace(ORDINARY_WORDS, " ");

const isGrave = (said: string): boolean => GRAVE.test(said) || STATUS_5XX.test(said);

/** What kind and code say by themselves; both come from a short list. */
interface Named {
  /** A wait that is told with its figure. */
  readonly isMeasured: boolean;
  /** Nothing that a message adds would make trouble of it. */
  readonly isNone: boolean;
  readonly isGrave: boolean;
  readonly isLasting: boolean;
  readonly isOperation: boolean;
  readonly fails: boolean;
  readonly isWell: boolean;
  readonly isTrouble: boolean;
  readonly isTopic: boolean;
  /** All trouble that they name is what work on purpose does. */
  readonly mayBeOnPurpose: boolean;
}

const readNamed = byName((key): Named => {
  const at = key.indexOf("\n");
  const kind = words(key.slice(0, at));
  const code = words(key.slice(at + 1));
  const named = plain(`${kind} ${code}`.trim());
  const failing = FAILS.test(named);
  const isWellState = WELL_STATE.test(kind) || (code !== "" && WELL_STATE.test(code) && !LASTING.test(kind));
  const isOperation = OPERATION.test(named);
  const isWellKind = WELL.test(kind);
  return {
    isMeasured: MEASURED.test(key.replace("\n", " ").trim()),
    isNone: PLANNED.test(named) || (isWellState && !failing),
    isGrave: !isWellKind && isGrave(named),
    isLasting: LASTING.test(named),
    isOperation,
    fails: failing || (isOperation && FAULTY.test(named)),
    isWell: isWellKind || WELL.test(named),
    isTrouble: TROUBLE.test(named),
    isTopic: TOPIC.test(named),
    mayBeOnPurpose: !failing && !isTroubled(named.replace(MOVES, " ")),
  };
});

/** Null: no trouble. */
export function infrastructureTrouble(kind: string, code: string, message: string): Severity | null {
  const named = readNamed(`${kind}\n${code}`);
  const severity = severityOf(named, message);
  if (severity === null || !named.mayBeOnPurpose) return severity;
  return isOnPurpose(`${words(kind)} ${words(code)} ${message.slice(0, REASON_MAX)}`) ? null : severity;
}

function severityOf(named: Named, message: string): Severity | null {
  if (named.isNone || (named.isMeasured && isQuick(message))) return null;
  if (named.isGrave) return !named.isLasting && LEADS_WITH_RECOVERY.test(message) ? null : "high";
  if (named.fails) return lowUnlessOver(message);
  if (named.isOperation) return failingOperation(message.slice(0, REASON_MAX));
  if (named.isWell) return null;
  if (named.isTrouble) return named.isTopic && isDenied(message) ? null : lowUnlessOver(message);
  return toldTrouble(message);
}

function failingOperation(message: string): Severity | null {
  if (!FAILS.test(message) && !UNWELL.test(message)) return null;
  const failing = plain(spaced(message)).replace(ITS_REASON, " ");
  const isFailing = FAILS.test(failing) || UNWELL.test(failing);
  return !isFailing || isOver(message) || isToCome(message) ? null : "low";
}

/** What a message is about, good or bad. */
const TOPIC =
  /^(?:(?:rate )?limits?|quotas?|network|dns|latency|pressure|(?:disk|memory) pressure|restarts?|errors?|retry|retries|warnings?)$/i;

function isDenied(message: string): boolean {
  const told = plain(message);
  return told.trim() !== message.trim() && !FAILS.test(told) && !TROUBLE.test(told) && !isGrave(told);
}

const lowUnlessOver = (message: string): Severity | null => (isOver(message) ? null : "low");

function toldTrouble(message: string): Severity | null {
  const told = plain(spaced(message));
  if (isGrave(told)) return isToCome(message) ? null : "high";
  const isFault = FAILS.test(told) || (!WELL.test(message) && TROUBLE.test(told));
  return !isFault || isOver(message) || isToCome(message) ? null : "low";
}

/** Why, and how it went, stands at the front of such news. */
const REASON_MAX = 160;
const isTroubled = (said: string): boolean => isGrave(said) || TROUBLE.test(said);

/** Something is stopped, moved or started anew on purpose, and nothing is said to have gone wrong with it. */
function isOnPurpose(said: string): boolean {
  if (!ON_PURPOSE.test(said)) return false;
  const text = plain(said);
  if (FAILS.test(text)) return false;
  const rest = text.replace(MOVES, " ");
  if (rest === text) return false;
  return !isTroubled(rest);
}
