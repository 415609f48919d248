import { chain, type ChainRule, opensClause, orders } from "./chain-rules.ts";

/**
 * What an injected instruction looks like. `OVERRIDE_RULES` hold for any text, a user's own prompt included: they ask
 * for words that set aside what governs the model. `CARRIED_RULES` hold for content that has no business giving
 * orders: tool results, retrieved documents, memory.
 */
const atOrder = (text: string, start: number): boolean => orders(text, start);
const atClause = (text: string, start: number): boolean => opensClause(text, start);

/** Somewhere to send things to: a mail address, a URL, an account-like number. */
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,12}|https?:\/\/|\b[A-Z]{2}\d{8,30}\b|\b\d[\d-]{6,30}\b|\+\d{8,15}/i;

function addressAfter(text: string, start: number, end: number): boolean {
  return opensClause(text, start) && ADDRESS.test(text.slice(start, Math.min(text.length, end + 140)));
}

/** Not "your order will be sent" in a mail to a person, but an order whose object is the speaker's own. */
function orderWithMy(text: string, start: number, end: number): boolean {
  return opensClause(text, start) && /\b(?:my|mine|meine[nrsm]?|all of my)\b/i.test(text.slice(start, end));
}

export const OVERRIDE_RULES: readonly ChainRule[] = [
  chain("override-instructions", 0.95, "override <40 prior <40 instructions", atOrder),
  chain("override-all-instructions", 0.9, "override <25 all <40 instructions", atOrder),
  chain("override-your-instructions", 0.9, "override <20 your <30 instructions", atOrder),
  chain("override-everything-before", 0.85, "override <15 all <40 prior|matter", atOrder),
  chain("override-then-new-orders", 0.85, "override <60 instructions|matter|all <120 instead", atOrder),
  chain("override-prior-matter", 0.75, "override <25 prior <25 matter", atOrder),
  chain("verb-final-override", 0.8, "prior|all <40 instructions|matter <20 override", null),
  chain("override-and-reveal", 0.9, "override <80 instructions|all <120 hiddenText", atOrder),
  chain("new-orders-replace-old", 0.8, "instead <60 override <60 prior|all|your", null),
  chain("framed-override", 0.8, "frame <200 override <60 instructions|prior|all", null),
  chain("framed-system-orders", 0.6, "frame <120 model <120 unbound|noRefuse|instead|override", null),
];

export const CARRIED_RULES: readonly ChainRule[] = [
  chain("acts-before-the-task", 0.9, "urge <120 taskRef", null),
  chain("message-to-the-model", 0.85, "urge <160 model <260 act|politePlease", null),
  chain("urgent-orders", 0.7, "urge <30 urge <200 act", null),
  chain("model-addressed", 0.75, "model <40 politePlease|override|instead <60 act", null),
  chain("task-redirected", 0.8, "taskRef <80 instead|override|urge", null),
  chain("instead-of-the-task", 0.7, "instead <80 taskRef", null),
  chain("kept-from-the-user", 0.8, "secrecy <60 userWord", null),
  chain("secret-act", 0.6, "act <120 secrecy", atClause),
  chain("framed-orders", 0.7, "frame <160 urge|instead|model <200 act", null),
  chain("sends-my-data-away", 0.85, "act <120 mine|asset <200 outward <40 mine|asset|outward|matter|all", addressAfter),
  chain("sends-data-to-address", 0.8, "act <100 asset <160 outward", addressAfter),
  chain("please-act-on-my-account", 0.75, "politePlease <6 act <70 mine <60 asset", orderWithMy),
  chain("act-on-my-account", 0.65, "act <60 mine <50 asset", orderWithMy),
  chain("please-move-money", 0.7, "politePlease <6 act <60 asset <60 outward|mine|asset", addressAfter),
  chain("authority-claimed", 0.6, "authority <160 act|override", null),
  chain("override-weak", 0.6, "override <60 instructions|taskRef", atOrder),
  chain("following-instruction", 0.6, "instead <80 politePlease|act", null),
];

export const INJECTION_CLASSES = "override|urge|model|instead|taskRef|secrecy|frame|act|politePlease|authority";
