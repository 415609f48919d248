import { callGoesToListed } from "./allowed-places.ts";
import type { Way } from "./covert-ways.ts";
import { matchesOf } from "./matches.ts";
import { addressHosts, type CallHosts, MAIL_ADDRESS } from "./outside-hosts.ts";
import { namesKeyFile } from "./sources.ts";

/**
 * What a call says in its own words and to whom: addresses whose query carries a person's particulars or,
 * encoded, a key; records of people for a relay of messages; mail, invitations and shares that take private
 * papers to a private box or go out under another name.
 */
const SPECIAL =
  /diagnos|\bdx\b|illness|krank|befund|medication|prescription|hiv|bipolar|depress|pregnan|salary|income|gehalt|einkommen|wage|iban|card[_\s-]?(?:no|num)|\bcvv|\bcvc|\bpan\b|passw|passport|\bssn\b|social[_\s-]?sec|tax[_\s-]?id|credit[_\s-]?score|insurance|policy[_\s-]?(?:no|num)|\bmrn\b|account[_\s-]?(?:no|num)|religion|ethnic|sexual|convict/gi;
const PARTICULARS =
  /\b(?:19|20)\d\d-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b|\bdob\b|birth|geburt|phone|mobile|tel\b|e-?mail|address|street|[\w.+-]{1,40}@[\w-]{1,40}\.\w{2,10}|\+\d{2}[\s\d()-]{7,16}|policy|\b(?:first|last|full|sur)?_?name\b/gi;
const LINK = /https?:\/\/[^\s"'<>)\]\\]{8,1800}/g;
const LINKS_MAX = 12;

const kinds = (text: string, pattern: RegExp): Set<string> =>
  new Set(matchesOf(text, pattern, 60).map(([one]) => one.toLowerCase().replace(/\d/g, "0")));

function decodedQuery(query: string): string {
  const plain = query.replaceAll("+", " ");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

const RUN = /[=/]([A-Za-z0-9+/_-]{24,1600}={0,2}|[0-9a-f]{48,1600})(?=$|[&#/.])/g;
const TELLS =
  /(?:secret|passw|api_?key|access_?key|token|private key|stripe|aws_|_key)\w{0,24}["']?\s{0,2}[:=]|-----BEGIN(?! (?:CERTIFICATE|PUBLIC KEY|X509 CRL))|(?:sk|pk|rk)_live_|\bghp_|\bAKIA|\b(?:ssn|iban|cvv|mrn|dob|diagnosis)["']?\s{0,2}[:=]|root:[x*$]|\bHOME=\/|\bPATH=\//i;

/** What an encoded run says, if it says anything: letters and marks that can be printed. */
function said(run: string): string {
  const bytes = /^[0-9a-f]{48,1600}$/.test(run)
    ? Buffer.from(run, "hex")
    : Buffer.from(run.replaceAll("-", "+").replaceAll("_", "/"), "base64");
  const text = bytes.toString("latin1");
  return /^[\t\n\r -~]{12,1600}$/.test(text) ? text : "";
}

function linkThatCarries(text: string, hosts: CallHosts): Way | null {
  for (const match of matchesOf(text, LINK, LINKS_MAX)) {
    const link = match[0];
    if (hosts.outside(addressHosts(link)) === null) continue;
    const at = { start: match.index, end: match.index + Math.min(link.length, 300) };
    for (const [, run = ""] of matchesOf(link, RUN, 8))
      if (TELLS.test(said(run))) return { id: "key-in-address", ...at };
    const mark = link.indexOf("?");
    if (mark < 0 || link.length - mark < 40) continue;
    const query = decodedQuery(link.slice(mark + 1));
    const values = query.split("&").length;
    const special = kinds(query, SPECIAL).size;
    if (values >= 3 && special >= 1 && special + kinds(query, PARTICULARS).size >= 3)
      return { id: "person-in-address", ...at };
  }
  return null;
}

/** Bots, hooks and pastes pass on what they are given to whoever reads there. */
const RELAY =
  /\/\/[\w.-]{0,60}(?:hook|relay|paste|gist|telegram|tgram|discord|slack|ntfy|pushover|pipedream|zapier|ifttt|make\.com|bin\b|drop|collect|exfil|mattermost)[\w.-]{0,60}(?:[:/]|$)|\/bot\d{1,16}:|\/(?:api\/)?webhooks?\/|\/services\/T\w{2,14}\//i;
const RECORD_KEY =
  /["']?\b(mrn|dx|diagnosis|ssn|iban|dob|birth_?date|date_of_birth|geburtsdatum|salary|gehalt|card(?:_?number)?|pan|cvv|password(?:_hash)?|passwort|phone|email|tax_id|passport(?:_no)?|insurance_no|balance|address)\b["']?\s{0,2}:/gi;

/** Several people's records, with particulars that the law guards, in a request to a relay. */
function recordsToRelay(text: string, hosts: CallHosts): Way | null {
  const relay = RELAY.exec(text);
  if (relay === null || hosts.outside(addressHosts(text)) === null) return null;
  const counts = new Map<string, number>();
  let start = -1;
  for (const match of matchesOf(unquoted(text), RECORD_KEY, 200)) {
    if (start < 0) start = match.index;
    const key = (match[1] ?? "").toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const repeated = [...counts].filter(([, count]) => count >= 2).map(([key]) => key);
  const isGuarded = repeated.some((key) => !/^(?:phone|email|address|balance)$/.test(key));
  return repeated.length >= 2 && isGuarded ? { id: "records-to-relay", start, end: start + 200 } : null;
}

/** JSON in a string of JSON. */
const unquoted = (text: string): string => text.replaceAll('\\"', ' "');

/**
 * Code for the page of a shop or a sign-in that passes what is typed there to somebody else, over a way that
 * waits for no answer.
 */
const SKIMS =
  /(?:sendBeacon\(|new Image\(\)[^\n;]{0,40}\.src\s?=|\.src\s?=|mode["']?\s{0,2}:\s{0,2}["']no-cors)[^;]{0,400}/g;
const TYPED =
  /\b(?:card|cc|payment)\w{0,12}[._]?(?:number|num|no|pan)\b|\bcardNumber\b|\b(?:cvc|cvv|cvv2|pan|iban|ssn|otp|passphrase|seed)\b|\bpassw(?:or)?d\b|\bkeystrokes?\b|\bdocument\.cookie\b|\blocalStorage\b/i;

function skimmed(text: string, hosts: CallHosts): Way | null {
  for (const match of matchesOf(text, SKIMS, 12)) {
    const around = text.slice(Math.max(0, match.index - 200), match.index) + match[0];
    if (hosts.outside(addressHosts(match[0])) !== null && TYPED.test(around.slice(-600)))
      return { id: "typed-data-sent", start: match.index, end: match.index + Math.min(match[0].length, 200) };
  }
  return null;
}

const RECIPIENTS =
  /(?:^|[\n{,[(;:]\s{0,4})["']?((?:to|cc|bcc|recipients?|attendees?|invitees?|emails?|email_address|address(?:ee)?|share_?with|forward(?:_?to|ing|_?address|ing_?address)?|redirect(?:_?to)?|user|users|participants|guests|grantee|principal|member))["']?\s{0,2}:\s{0,4}((?:[[{"'\s,;<>]|\w{0,20}:\s|[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}){1,40})/gi;
const PRIVATE_BOX =
  /^(?:g(?:oogle)?mail|hotmail|outlook|live|msn|yahoo|ymail|icloud|me|aol|gmx|web|t-online|freenet|mail|inbox|bk|list|yandex|ya|qq|163|126|proton(?:mail)?|pm|tuta(?:nota|mail)?|keemail|hushmail|mailfence|zoho|fastmail|posteo|mailbox|riseup|cock|onionmail|duck|o2|wp|onet|interia|libero|orange|laposte|free|seznam|mailinator|guerrillamail|sharklasers|yopmail|10minutemail|temp-?mail|trashmail|dispostable|maildrop|getnada|moakt|mail\.tm|simplelogin|anonaddy)\.(?:[a-z]{2,6}|co\.\w\w|com\.\w\w)$|(?:free|temp|trash|throw|burner|anon|private|personal|secure|drop|disposable)[-_]?(?:mail|box|post|inbox)|(?:mail|box|post|inbox)[-_]?(?:free|temp|anon|drop|private)/i;
const PAPERS =
  /(?:salar(?:y|ies)|payroll|payslips|gehalts?(?:liste|abrechnung|daten)|lohn(?:liste|journal)|n[oó]minas?|paie|stipendi)[\w .-]{0,40}\.\w{2,5}|(?<![a-z])(?:customers?|clients?|kunden|patients?|patienten|employees?|mitarbeiter|personal|members?|users?|subscribers?|leads|crm|clientes|empleados)[_ -]?(?:list|liste|lista|export|dump|db|data|table|all|full|master|records|akten?|daten|base)?[\w .-]{0,30}\.(?:csv|xlsx?|ods|sql|db|zip|7z|gz|json|pst|mdb|parquet)|(?:confidential|vertraulich|geheim|confidencial|confidentiel|riservat|poufne|internal[-_ ]only|restricted|due[-_ ]?diligence|term[-_ ]?sheet|cap[-_ ]?table|board[-_ ](?:minutes|deck|pack|paper)|source[-_ ]?code|trade[-_ ]?secret|merger|acquisition)[\w .-]{0,60}\.\w{2,5}|\w\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|key|bak|dump|sql)(?:\.gz)?(?=$|[\s"',\]])|\bid_(?:rsa|ed25519)(?!\.pub)\b|(?:^|[\s/"'])\.env\b|credentials?\.\w{2,5}|(?<![a-z])(?:repo|source|backup|mailbox|archive)[\w.-]{0,30}\.(?:zip|7z|tgz|tar(?:\.gz)?|pst|mbox|bundle)/gi;
/** Words by which a text says that it is not for outside. */
const NOT_FOR_OUTSIDE =
  /\b(?:confidential|embargo(?:ed)?|insider|ad[- ]hoc|not (?:yet )?(?:public|announced|released)|unannounced|unpublished|non-public|before (?:the )?announcement|do not (?:share|distribute|forward)|quiet period|blackout|vertraulich|sperrfrist|geheim|unver[oö]ffentlicht|vorl[aä]ufig|nicht [oö]ffentlich|confidentiel|sous embargo|non publi[eé]|confidencial|no p[uú]blico|riservato|poufne|niejawne|vertrouwelijk|конфиденциально)\b/gi;
/** A title out of private life, over figures of a business. */
const PRIVATE_LIFE =
  /(?:^|\n)[^\n:]{0,20}\b(?:title|subject|betreff|summary|name)["']?\s{0,2}:\s{0,3}["']?[^\n"]{0,40}\b(?:dentist|doctor|physio|yoga|gym|birthday|recipe|holiday|vacation|photos?|football|soccer|lunch|dinner|barbecue|bbq|haircut|hairdresser|kids?|school|cat|dog|wedding|weekend|family|grandma|mum|mom|zahnarzt|arzt|friseur|geburtstag|rezept|urlaub|familie|oma|fotos?|grillen|kino|hund|katze|kita|schule|dentiste|m[eé]decin|coiffeur|anniversaire|recette|vacances|famille|dentista|peluquer[ií]a|cumplea[nñ]os|receta|vacaciones|compleanno|vacanze|ricetta|tandarts|verjaardag|vakantie|urodziny|wakacje|przepis)\b/i;
const FIGURES =
  /\d{1,3}(?:[.,]\d{1,3}){0,3}\s{0,1}(?:%|mio|mrd|mn|bn|m\b|k\b|million|billion|€|\$|eur|usd|gbp|chf|pln)|[€$£]\s?\d/gi;
const SENT_AND_HID =
  /delet(?:e|ed|ing) (?:this|the|it|my|your)[\w ]{0,30}(?:after|once|afterwards|copy|thread|mail|message)|l[oö]sch\w{0,4} (?:diese|die|nach|danach)|do(?:n't| not) (?:mention|tell|reply|cc|loop)|keep (?:this|it) (?:between us|quiet|off)|bleibt unter uns|entre nous|entre nosotros|"?(?:notify|send_?notification\w{0,8}|sendNotificationEmail|log|save_?to_?sent|save_?copy)"?\s{0,2}:\s{0,2}false/i;
const FILTERS = /\b(?:filters?|rules?|forwarding|auto_?forward|redirect|mailbox_?settings?|inbox_?rule)\b/i;
const OUT_OF_SIGHT =
  /mark_?as_?read|skip_?(?:the_?)?inbox|remove_?from_?inbox|archive|delete|trash|stop_?processing|keep_?copy["']?\s{0,2}:\s{0,2}false|"?(?:shouldArchive|shouldMarkAsRead|shouldTrash)"?\s{0,2}:\s{0,2}true/i;
const FOR_EVERYBODY =
  /\b(?:type|access|visibility|scope|role|link_?sharing|who|audience|shared_?with)["']?\s{0,2}:\s{0,3}["']?(?:anyone|anyone_?with_?(?:the_?)?link|public|everyone|world|all_?users|allUsers)\b|\bpublic["']?\s{0,2}:\s{0,2}true/i;

interface Told {
  /** Domains of all who are written to, and of those in a hidden copy. */
  readonly domains: Set<string>;
  readonly hidden: Set<string>;
  readonly start: number;
  readonly forwards: boolean;
}

function recipientsIn(text: string): Told {
  const told: Told & { start: number; forwards: boolean } = {
    domains: new Set(),
    hidden: new Set(),
    start: -1,
    forwards: false,
  };
  for (const match of matchesOf(text, RECIPIENTS, 24)) {
    const field = (match[1] ?? "").toLowerCase();
    for (const [, domain = ""] of matchesOf(match[2] ?? "", MAIL_ADDRESS, 40)) {
      told.domains.add(domain.toLowerCase());
      if (field === "bcc") told.hidden.add(domain.toLowerCase());
      if (/forward|redirect/.test(field)) told.forwards = true;
      if (told.start < 0) told.start = match.index;
    }
  }
  return told;
}

function sentToPeople(text: string, tool: string, hosts: CallHosts): Way | null {
  const { domains, hidden, start, forwards } = recipientsIn(text);
  const at = (id: string): Way => ({ id, start: Math.max(0, start), end: Math.max(0, start) + 160 });
  if (domains.size === 0) return null;
  const isPrivate = [...domains].some((one) => PRIVATE_BOX.test(one));
  const isOutside = hosts.outside([...domains]) !== null;
  if (!isOutside) return null;
  const papers = kinds(text, PAPERS).size > 0;
  const open = [...domains].filter((one) => !hidden.has(one));
  if (
    forwards &&
    FILTERS.test(`${tool} ${text.slice(0, 400)}`.replaceAll(/[_.]/g, " ")) &&
    (isPrivate || OUT_OF_SIGHT.test(text))
  )
    return at("mail-forwarded-away");
  if (papers && isPrivate) return at("papers-to-private-box");
  const hasFile = /attach|file|document|\banlage/i.test(text);
  if (
    hidden.size > 0 &&
    open.length > 0 &&
    [...hidden].every((one) => !open.includes(one)) &&
    (papers || (isPrivate && hasFile))
  )
    return at("papers-in-hidden-copy");
  const secret = kinds(text, NOT_FOR_OUTSIDE).size;
  if (SENT_AND_HID.test(text) && (papers || secret > 0) && domains.size === 1) return at("sent-and-hidden");
  if (
    PRIVATE_LIFE.test(`\n${text}`) &&
    domains.size === 1 &&
    (papers || (secret > 0 && kinds(text, FIGURES).size >= 2))
  )
    return at("sent-under-another-name");
  return null;
}

function sharedWithAll(text: string): Way | null {
  const open = FOR_EVERYBODY.exec(text);
  if (open === null) return null;
  const [paper] = text.match(PAPERS) ?? [];
  return paper === undefined
    ? null
    : { id: "papers-for-everybody", start: open.index, end: open.index + open[0].length };
}

const SHARES = /share|permission|publish|upload|link|access|acl|gist|paste|drive|file/i;

const KEY_ASSIGNED =
  /(?:^|[\s"'{,;])[A-Z][A-Z0-9_]{1,40}(?:SECRET|PASSWORD|TOKEN|KEY|PASS)[A-Z0-9_]{0,24}\s?[=:]\s?["']?[^\s"'$]{6,200}/g;
/**
 * What says where a key comes from or that one belongs there: `TOKEN: config.apiToken`, `TOKEN=(your token`,
 * `KEY=<paste>`, `SECRET=insecure_secret`.
 */
const NO_VALUE =
  /[=:]\s?["']?(?:[[(<{%]|your|my[_-]|replace|change|insert|put|xxx|\.{3}|(?:[a-z]{2,16}[_-]){1,4}(?:secret|password|token|key)(?![\w-])|(?:[A-Za-z_]\w{0,40}\.){1,6}[A-Za-z_]\w{0,40}[,;)\]}]{0,3}$)/i;
const KEY_BLOCK = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY|client-key-data:|\broot:\$\w{1,3}\$/;
const REQUESTS = /http|request|fetch|post\b|gist|paste|snippet|webhook|upload|put\b/i;

/** A tool that requests or uploads, given keys or a file of them, or private papers and a foreign address. */
function keysHandedOver(text: string, tool: string, isMessage: boolean, hosts: CallHosts): Way | null {
  if (!isMessage && !REQUESTS.test(tool)) return null;
  const address = hosts.outside(addressHosts(text));
  const isOutside = address !== null || /gist|paste|snippet/i.test(tool);
  const block = isOutside ? KEY_BLOCK.exec(text) : null;
  if (block !== null)
    return { id: "keys-in-request", start: block.index, end: block.index + block[0].length };
  const assigned = isOutside ? matchesOf(text, KEY_ASSIGNED, 4).filter(([told]) => !NO_VALUE.test(told)) : [];
  const first = assigned[0];
  if (first !== undefined && assigned.length >= 2)
    return { id: "keys-in-request", start: first.index, end: first.index + first[0].length };
  for (const run of isOutside ? matchesOf(text, ENCODED, 8) : [])
    if (TELLS.test(said(run[0]))) return { id: "keys-in-request", start: run.index, end: run.index + 60 };
  const files = FILE_FIELDS.exec(text);
  if (files === null) return null;
  const at = { start: files.index, end: files.index + Math.min(files[0].length, 200) };
  if (namesKeyFile(files[0]))
    return callGoesToListed(text, isMessage, hosts) ? null : { id: "key-file-attached", ...at };
  return address !== null && kinds(files[0], PAPERS).size > 0 ? { id: "papers-to-address", ...at } : null;
}
const ENCODED = /[A-Za-z0-9+/]{32,1600}={0,2}/g;
const FILE_FIELDS =
  /(?:^|[\n{,;:]\s{0,4})["']?(?:attachments?|files?|file_?(?:path|name)s?|paths?|documents?|media|local_?(?:path|file)|source)["']?\s{0,2}:\s{0,4}[^\n]{3,400}/i;

/**
 * `isMessage`: the tool sends, shares or plans; `isFile`: it edits a file, whose text goes nowhere by itself.
 */
export function toldOutside(
  text: string,
  tool: string,
  { isMessage, isFile }: { readonly isMessage: boolean; readonly isFile: boolean },
  hosts: CallHosts,
): Way | null {
  const linked = linkThatCarries(text, hosts) ?? skimmed(text, hosts);
  if (linked !== null || isFile) return linked;
  const told = recordsToRelay(text, hosts) ?? keysHandedOver(text, tool, isMessage, hosts);
  if (told !== null || !isMessage) return told;
  return sentToPeople(text, tool, hosts) ?? (SHARES.test(tool) ? sharedWithAll(text) : null);
}
