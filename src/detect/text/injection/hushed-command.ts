/**
 * A command in a text from outside that runs what it downloads or uploads a file, beside words that keep it
 * from the person or do away with that person's consent. Install scripts are silent and unattended, too: what
 * counts is that somebody who would object is passed over.
 */
const AROUND = 500;

const RUNS_OR_SENDS =
  /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n`]{0,240}(?:\|\s{0,2}(?:sudo\s)?(?:ba|z|da)?sh\b|\|\s{0,2}(?:python3?|node|perl|iex)\b|\s(?:-F|--form|-T|--upload-file|--post-file)[\s=]|\s(?:-d|--data(?:-binary|-raw|-urlencode)?)[\s=]["']?[^\n"']{0,60}[@$])/i;

const PERSON = "(?:user|human|person|owner|operator|developer|nutzer|benutzer|utilisateur|usuario|utente)";
const KEPT_FROM = new RegExp(
  [
    `\\b(?:no need to|need not|needn't|do not|don't|never|without|not necessary to|no reason to) (?:[a-z]{2,12} ){0,2}(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|show|showing|report|reporting|alert|alerting|bother|bothering|ask|asking|consult|consulting|disturb)\\b[^.\\n]{0,40}\\b${PERSON}\\b`,
    `\\b${PERSON}(?:'s)? (?:[a-z]{2,12} ){0,2}(?:need not|needn't|does not need to|doesn't need to|do not need to|must not|should not) (?:know|be told|be asked|be shown|be informed|approve|confirm|see|notice)\\b`,
    `\\bno (?:[a-z]{2,12} ){0,1}(?:approval|consent|confirmation|permission) (?:of|by|from) (?:the |your |its ){0,1}${PERSON}\\b[^.\\n]{0,30}\\b(?:needed|required|necessary)`,
    `\\b${PERSON} (?:approval|consent|confirmation|permission) is not (?:needed|required|necessary)\\b`,
  ].join("|"),
  "i",
);

/** `start`: where a program of the network stands. */
export function hushedCommand(text: string, start: number): boolean {
  if (!RUNS_OR_SENDS.test(text.slice(start, start + 300))) return false;
  return KEPT_FROM.test(text.slice(Math.max(0, start - AROUND), start + AROUND));
}
