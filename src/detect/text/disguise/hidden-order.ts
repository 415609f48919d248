/**
 * Whether a text that somebody made unreadable is an order: a verb in the imperative, and beside it a thing
 * that somebody owns, an address, a machine that reads, or a wish that nobody should hear of it. In the open
 * such words are ordinary; here the disguise is the evidence, so one of them beside the verb is enough in a
 * short text. A pure function; of a longer text only the first characters are looked at.
 */
export interface HiddenOrder {
  readonly start: number;
  readonly end: number;
}

/** Where a sentence or a clause may begin, and words that lead to an order. */
const BEFORE_VERB =
  /(?:^|[.;:!?,([{>"\n\u2013\u2014-]|\b(?:then|and|please|now|must|should|shall|will|to|also|first|just|next|quietly|silently|secretly|assistant|agent|bot|system|und|dann|bitte|jetzt|puis|et|y|luego|poi|subito|e))\s{0,3}$/i;
const VERB =
  /(?<![\w\u00c0-\u024f'-])(?:send|forward|mail|e-?mail|export|upload|post|transfer|pay|wire|buy|order|delete|erase|drop|wipe|remove|purge|change|set|switch|grant|give|add|invite|call|invoke|run|execute|open|fetch|download|install|read|reveal|share|approve|accept|book|copy|disable|enable|ignore|forget|reply|answer|tell|mark|publish|create|write|raise|lower|cancel|refund|reset|move|paste|append|include|attach|submit|list|dump|print|show|say|pretend|act|visit|click|use|insert|leave|omit|hide|unlock|release|close|text|register|explain|describe|sende|schicke|leite|l\u00f6sche|\u00fcberweise|\u00e4ndere|setze|gib|lade|\u00f6ffne|f\u00fchre|rufe|kopiere|trage|storniere|bestelle|kaufe|buche|ignoriere|vergiss|verschicke|h\u00e4nge|zahle|nenne|zeige|envoie|envoyez|transf\u00e8re|transf\u00e9rez|supprime|supprimez|ouvre|ouvrez|ex\u00e9cute|ex\u00e9cutez|copie|copiez|ajoute|ajoutez|virez|paie|payez|ignore[zr]|oublie|oubliez|env\u00eda|env\u00ede|manda|mande|reenv\u00eda|borra|borre|elimina|transfiere|abre|ejecuta|copia|a\u00f1ade|paga|pague|compra|cancela|olvida|invia|inoltra|cancella|apri|esegui|aggiungi|trasferisci|annulla|ignora|envie|encaminhe|apague|execute|pague)(?![\w\u00c0-\u024f'-])/gi;
const ADDRESS =
  /[\w.+-]{1,64}@[\w-]{2,63}|\b(?:https?|ftp|wss?):|\b[\w-]{2,40}\.(?:com|net|org|io|dev|app|ru|cn|de|fr|it|es|uk|co|me|xyz|info|biz|site|online|test|example|invalid|local)\b|\b[A-Z]{2}\d{2}(?: ?\w{4}){3}|\+\d{8}|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/i;
const THING =
  /\b(?:passwords?|passw\w{2,8}|credentials?|tokens?|api[ _-]?keys?|secrets?|private keys?|salar\w{1,5}|payroll|wages?|customers?|clients?|vendors?|suppliers?|contacts?|e?mails?|inbox|mailbox|invoices?|accounts?|iban|bank\w{0,8}|cards?|codes?|payments?|refunds?|payees?|files?|folders?|documents?|database|records?|calendar|conversations?|history|chats?|transcripts?|logs?|logins?|repositor(?:y|ies)|branch|user data|patients?|employees?|staff|guests?|bookings?|reservations?|discounts?|permissions?|access|admin\w{0,10}|backups?|cookies?|sessions?|rules|instructions?|limits|prompt|workspace|disk|door|lock|alarm|firewall|money|funds?|vouchers?|gift|orders of|all orders|kunden\w{0,12}|lieferant\w{0,4}|konto\w{0,6}|rechnung\w{0,4}|dateien|datei|zugangs\w{0,10}|gehalt\w{0,8}|kontakte|postfach|clientes?|facturas?|cuentas?|contrase\u00f1as?|archivos?|fichiers?|comptes?|factures?|mots? de passe|clienti|fatture|conti|dipendenti|chiavi|senhas?|contas?)\b/i;
const UNSAID =
  /\b(?:do not|don't|never|without|nobody|no one|not to|keep|leave|omit|skip)\b[^.\n]{0,40}\b(?:tell\w{0,3}|mention\w{0,3}|say\w{0,3}|inform\w{0,3}|ask\w{0,3}|notif\w{1,5}|report|summary|log|show|quiet|secret|silent|out of|know|reply|answer)\b|\b(?:quietly|silently|secretly|covertly)\b|\b(?:nicht|nichts|keinem|niemand\w{0,2})\b[^.\n]{0,30}\b(?:erw\u00e4hn\w{1,3}|sag\w{0,3}|meld\w{0,3})\b|\b(?:sans|sin|senza|sem)\b[^.\n]{0,20}\b(?:dire|rien|pr\u00e9venir|decir|avisar|dirlo|avvisare|avisar)\b/i;
const MACHINE =
  /\b(?:assistants?|agents?|bots?|copilot|chatbot|language model|llm|ai|ki|ia|system|assistent|asistente|assistente)\b\s{0,2}[,:!]|\b(?:dear|hey|to the|note to|for the) (?:\w{1,12} ){0,2}(?:assistant|agent|bot|ai|model|llm)\b|\b(?:this|the) (?:assistant|agent|bot|model) (?:must|should|shall|will|has to|is to)\b|\b[a-z]{3,20}_[a-z]{3,20}\b/i;

const LOOKED_AT = 2_000;
const SHORT = 700;
const AROUND_VERB = 180;

/** What a machine wrote for a machine holds names and values, no sentences. */
const IS_DATA = /^\s{0,20}[[{<]/;

/** `"email": …`: the name of a field, as the claims of a token have it. */
const KEY_OF_DATA = /^\\{0,3}["'] ?:/;

/** The first order in a hidden text, or null. */
export function hiddenOrder(text: string): HiddenOrder | null {
  const read = text.slice(0, LOOKED_AT);
  const wanted = read.length > SHORT || IS_DATA.test(read) ? 2 : 1;
  for (const { 0: verb, index } of read.matchAll(VERB)) {
    if (!BEFORE_VERB.test(read.slice(Math.max(0, index - 16), index))) continue;
    if (KEY_OF_DATA.test(read.slice(index + verb.length, index + verb.length + 8))) continue;
    const around = read.slice(Math.max(0, index - 60), index + verb.length + AROUND_VERB);
    const after = around.slice(Math.min(60, index));
    let signs = 0;
    if (ADDRESS.test(after)) signs++;
    if (THING.test(after)) signs++;
    if (UNSAID.test(around)) signs++;
    if (MACHINE.test(around)) signs++;
    if (signs >= wanted) return { start: index, end: Math.min(read.length, index + verb.length + 60) };
  }
  return null;
}
