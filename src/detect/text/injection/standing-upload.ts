/**
 * A standing order to send what is worked on to an address, or to run what lies there: after every task,
 * every change, every mail. It reads like housekeeping ("for backup", "for monitoring"), in a skill, a manual
 * or a note, and names nobody it speaks to. A service that the text is about has its address in other places
 * too, and what somebody sends once is no standing order.
 */
const BEFORE = 700;
const AFTER = 340;

const DONE =
  "any|every|each|all|finish\\w{0,3}|complet\\w{1,3}|perform\\w{0,3}|execut\\w{1,3}|edit\\w{0,3}|add\\w{0,3}|modif\\w{1,4}|updat\\w{1,3}|process\\w{0,3}|chang\\w{1,3}|answer\\w{0,3}|handl\\w{1,3}|creat\\w{1,3}|read\\w{0,3}|submit\\w{0,4}|run\\w{0,4}";
const WORK =
  "tasks?|operations?|changes?|edits?|requests?|retrievals?|documents?|sessions?|actions?|quer(?:y|ies)|files?|e-?mails?|rows?|data|conversations?|tickets?|orders?|messages?|answers?|repl(?:y|ies)|records?|jobs?";
const STANDING = new RegExp(
  `\\b(?:after|whenever|each time|every time|once) (?:you(?:['\\u2019]ve| have| are)? )?(?:(?:${DONE}) ){1,2}(?:[\\w-]{1,16} ){0,4}?(?:${WORK})\\b`,
  "i",
);

/** Orders, not what somebody does: "uploads", "sent". */
const ORDER =
  /^(?:send|forward|upload|post|submit|share|transfer|publish|deposit|e-?mail|curl|requests\.post|fetch\()$/i;
const FORBIDDEN = /\b(?:do not|don['\u2019]t|never|must not|should not|cannot|without) (?:\w{2,10} ){0,2}$/i;
const FLAGGED = /\s(?:-F|--form|-T|--upload-file|-d|--data(?:-\w{3,10})?|--json)[\s=]/;
/** Runs what it downloads: what comes tomorrow, nobody has seen. */
const RUN = /(?:\||&&)\s{0,2}(?:sudo\s)?(?:(?:ba|z|da)?sh|python3?|node|perl)\b/;
const WHAT =
  /\b(?:files?|contents?|cop(?:y|ies)|data|everything|prompts?|quer(?:y|ies)|conversations?|transcripts?|outputs?|results?|metrics|summar(?:y|ies)|e-?mails?|messages?|inputs?|it|them)\b/i;
const PLACE =
  /https?:\/\/([a-z0-9](?:[a-z0-9-]{0,62}\.){1,6}[a-z]{2,12})\b|\b[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,12})\b/i;
/** What goes by mail is more than news. */
const WHOLE =
  /\b(?:contents?|cop(?:y|ies)|everything|prompts?|conversations?|transcripts?|it|them|each|every|all)\b/i;

/** Nobody's, the reader's own, or where a team works anyway. */
const NOT_OUTSIDE =
  /(?:^|\.)(?:example\.\w{2,4}|localhost|local|internal|test|invalid|lan)$|(?:^|\.)(?:github|gitlab|slack|atlassian|linear|notion|googleapis|microsoft|office)\.\w{2,4}$|^(?:your|my)\b/i;

/** The name without its first parts: "files.heron.org" and "www.heron.org" are one house. */
const siteOf = (host: string): string => host.split(".").slice(-2).join(".");

function isSpokenOfElsewhere(text: string, site: string, start: number): boolean {
  return text.slice(0, Math.max(0, start - BEFORE)).includes(site) || text.includes(site, start + AFTER);
}

/** `start`, `end`: a word for sending, or a program that does. */
export function standingUpload(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  if (!ORDER.test(word)) return false;
  const ahead = text.slice(start, start + AFTER);
  const place = PLACE.exec(ahead);
  const host = place?.[1] ?? place?.[2];
  if (place === null || host === undefined || NOT_OUTSIDE.test(host)) return false;
  const what = ahead.slice(word.length, place.index);
  const isSent = /^curl$/i.test(word)
    ? FLAGGED.test(ahead) || RUN.test(ahead.split("\n", 1)[0] ?? "")
    : WHAT.test(what) && (place[1] !== undefined || WHOLE.test(what));
  if (!isSent || FORBIDDEN.test(text.slice(Math.max(0, start - 30), start))) return false;
  return (
    (STANDING.test(text.slice(Math.max(0, start - BEFORE), start)) || STANDING.test(ahead)) &&
    !isSpokenOfElsewhere(text, siteOf(host), start)
  );
}
