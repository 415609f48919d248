import type { Destination } from "../../building-blocks/hosts/normalise-host.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { WordStarts } from "../scan/word-starts.ts";
import { carriedText, unescaped } from "./carried-text.ts";
import { copiedAway } from "./copies-away.ts";
import { COVERED, coverOf } from "./covers.ts";
import { covertWay } from "./covert-ways.ts";
import { CallHosts } from "./outside-hosts.ts";
import { AD_HOC_REMOTE, type Sink, sinksOf } from "./sinks.ts";
import { bulkSources, keySources, type Source, variableOf } from "./sources.ts";
import { toldOutside } from "./told-outside.ts";

/**
 * What one call takes out of the run, read as where data comes from × where it goes × what hides it. A key, a
 * screen or a clipboard that goes to another's host is enough; a way that serves nothing else is enough; data
 * of many on a way that people keep copies on, and anything else, needs signs that it is hidden. Pure;
 * bounded by the characters of a call that are looked at.
 */
export interface CallText {
  readonly text: string;
  readonly tool: string;
  readonly isMessage: boolean;
  readonly isFile: boolean;
}

/** Longer scripts are judged by their beginning. */
const CALL_MAX = 8_000;

/**
 * Commands, calls and places by which something leaves; by their beginnings one walk over a text tells that
 * it has none.
 */
const WAYS =
  /\b(?:curl|wget|ssh|scp|rsync|nc|ncat|socat|telnet|dig|nslookup|host|drill|ping6?|hping3?|ftp|tftp|rclone|chisel|ngrok|bore|frpc|s3|gsutil|azcopy|docker|crane|croc|wormhole|gh|glab|gist|steghide|IPPROTO_ICMP|SOCK_RAW|dns|Resolv|whois|finger|http\.server|media|Volumes|www|htdocs|wwwroot|nginx|gethostby\w{1,12}|getaddrinfo|Resolve-DnsName|UTL_\w{3,8}|xp_\w{3,16}|PROGRAM|OPENROWSET|OPENDATASOURCE|FEDERATED|DATABASE|anyone|public|mail|iodine|dnscat2?|modify-[\w-]{4,60})\b/gi;
const STARTS = new WordStarts();
/** How each of them begins: what stands before the first mark of a pattern. */
const BEGINNINGS = STARTS.needs(
  WAYS.source
    .slice("\\b(?:".length, -")\\b".length)
    .split("|")
    .map((one) => /^[\w-]+/.exec(one)![0])
    .join(" "),
);
/** Procedures of a database have one word by every name that begins so. */
const SIGNS = /:\/\/|@|\\\\|\/dev\/|xp_|XP_/;
const LONG_NAME = /[\da-f]{32}\./i;
const LONG_NAME_CHARS_MIN = 33;
/** Files that a message takes along. */
const TAKES_FILES = /(?:attachments?|files?|path)\w{0,8}["']?:/i;

/** Without an address, a way or, in a message, a file nothing leaves. */
export function mayLeave(text: string, isMessage: boolean): boolean {
  if (SIGNS.test(text)) return true;
  if ((STARTS.bitsOf(text) & BEGINNINGS) !== 0 && text.search(WAYS) >= 0) return true;
  if (isMessage && TAKES_FILES.test(text)) return true;
  return text.length >= LONG_NAME_CHARS_MIN && LONG_NAME.test(text);
}

const match = (id: string, weight: number, { start, end }: { start: number; end: number }): RuleMatch => ({
  id,
  weight,
  start,
  end,
});

/** The way from where something is read to where it is sent: the nearest, forwards or back. */
function nearest(source: Source, sinks: readonly Sink[], carried: string): Sink | null {
  const variable = variableOf(carried, source);
  let best: Sink | null = null;
  for (const sink of sinks) {
    if (variable !== "") {
      const sent = carried.slice(sink.start, sink.end + 700);
      if (!new RegExp(`[$%]\\{?${variable}\\b|\\b${variable}\\b`).test(sent)) continue;
    }
    const gap = Math.max(sink.start - source.end, source.start - sink.end);
    if (gap > 2_500) continue;
    if (best === null || gap < Math.max(best.start - source.end, source.start - best.end)) best = sink;
  }
  return best;
}

const BACKS_UP = /^(?:backups?|bkp|nas|storage|artifacts?|minio|vault|archive|offsite|replica|standby|dr)\b/i;

/** Whether data of many goes where its owner would hardly keep it. */
function isOddPlace(sink: Sink, text: string): boolean {
  if (sink.to === null && sink.id !== "cloud") return sink.id === "relay" || coverOf(text) >= COVERED;
  if (sink.to?.isNumber === true && !sink.keepsCopies) return true;
  if (sink.keepsCopies || BACKS_UP.test(sink.to?.host ?? ""))
    return AD_HOC_REMOTE.test(text) || coverOf(text) >= COVERED;
  return (
    sink.id === "cloud" ||
    sink.id.startsWith("web-") ||
    sink.id === "socket" ||
    sink.id === "relay" ||
    sink.id === "web-root" ||
    sink.id === "share" ||
    sink.id === "ftp" ||
    coverOf(text) >= 1
  );
}

function bySourceAndSink(text: string, hosts: CallHosts): RuleMatch | null {
  const isHidden = coverOf(text) > COVERED;
  // Most calls end here: blanking and looking for ways takes ten times as long.
  if (!isHidden && keySources(text).length + bulkSources(text).length === 0) return null;
  const carried = carriedText(text);
  const sinks = sinksOf(carried, hosts);
  if (sinks.length === 0) return null;
  for (const source of keySources(carried)) {
    const sink = nearest(source, sinks, carried);
    // A site's own settings stand beside it.
    if (sink === null || sink.id === "web-root" || (source.id === "key-variable" && sink.to === null))
      continue;
    return match(`${source.id}-sent`, 0.9, {
      start: Math.min(source.start, sink.start),
      end: Math.max(source.end, sink.end),
    });
  }
  for (const source of bulkSources(carried)) {
    const sink = nearest(source, sinks, carried);
    if (sink !== null && isOddPlace(sink, text))
      return match(`${source.id}-sent`, 0.85, {
        start: Math.min(source.start, sink.start),
        end: Math.max(source.end, sink.end),
      });
  }
  const hidden = sinks.find(
    (sink) => sink.to !== null && sink.id !== "script" && sink.id !== "web-value" && sink.to.host !== "",
  );
  return hidden !== undefined && isHidden ? match("sent-under-cover", 0.75, hidden) : null;
}

/** null: nothing is seen to leave. To be asked of texts that `mayLeave`. */
export function wayOut(
  { text: raw, tool, isMessage, isFile }: CallText,
  allowed: (destination: Destination) => boolean,
): RuleMatch | null {
  const text = unescaped(raw.length > CALL_MAX ? raw.slice(0, CALL_MAX) : raw);
  const hosts = new CallHosts(text, allowed);
  const told = toldOutside(text, tool, { isMessage, isFile }, hosts);
  if (told !== null) return match(told.id, 0.85, told);
  if (isFile || isMessage) return null;
  const covert = covertWay(text, hosts) ?? copiedAway(text, hosts);
  return covert === null ? bySourceAndSink(text, hosts) : match(covert.id, 0.85, covert);
}
