/**
 * Where base64 is how something travels and hides nothing: what mail programs, pages and interfaces encode as
 * a matter of course. Only a name in sight says so, which an attack can write too: such a place is spared the
 * rule for hidden orders alone, and the other rules still judge what it decodes to.
 */
const SAYS_SO =
  /content-transfer-encoding:\s{0,4}(?:base64|quoted-printable)|"encoding"\s?:\s?"base64"|=\?[\w-]{2,20}\?[bq]\?|-----BEGIN [A-Z ]{3,40}-----|\bisBase64Encoded\b/i;
const BEFORE = 700;
const WITHIN = 120;
const DATA_ADDRESS = /;base64,|\bdata:(?=[\w+.-]{1,40}\/)/i;

/**
 * The name of the field whose value begins there, in JSON, in JSON within JSON, in YAML or as `name: value`.
 */
const FIELD = /(?:^|[^\w-])([\w-]{1,60})\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?$/;
/** What may stand between a field's name and the value, and the name. */
const FIELD_BEFORE = 80;
/** Fields that hold bytes in the interface that has them: Microsoft Graph, OpenAI, MCP, AWS. */
const BYTES =
  /^(?:contentBytes|b64_json|blob|inline_?data|file_data|binaryData|SecretBinary|CiphertextBlob|ZipFile)$/i;

/** Fields with a common name, and what stands near in the interface where they hold bytes. */
const IN_INTERFACE: readonly (readonly [field: RegExp, near: RegExp])[] = [
  // Parts of Gmail's messages; records of Kinesis and Firehose; messages of Pub/Sub; images and sounds for
  // models.
  [
    /^data$/i,
    /\bbody\\{0,3}["']?\s?:\s{0,24}(?:\{\s{0,24})?(?:\\{0,3}["']?size\\{0,3}["']?\s?:\s?\d{1,9},?\s{0,24})?\\{0,3}["']?data\\{0,3}["']?\s?:\s{0,3}\\{0,3}["']?$|\b(?:PartitionKey|SequenceNumber|ShardId|StreamName|recordId|messageId|publishTime|orderingKey|mime_?type|media_type)\b/i,
  ],
  // GitHub's files.
  [/^content$/i, /"(?:sha|branch|committer)\\{0,3}"\s?:|\brepos\/[\w.-]{1,60}\/[\w.-]{1,80}\/contents\b/],
  // Fields of a cluster's secret are named by its owner.
  [/^[\w.-]{1,60}$/, /\bkind\\{0,3}["']?\s?:\s?\\{0,3}["']?(?:Secret|ConfigMap)\b/],
];

/** The head of a message as RFC 822 has it: two headers, one of which every mail has. */
const MAIL_HEAD =
  /^(?=(?:[^\n]{1,998}\n){0,12}(?:From|To|Subject|Date|Received|Message-ID|Return-Path|MIME-Version): )[A-Z][\w-]{1,40}: [^\n]{0,998}\r?\n(?:[ \t][^\n]{0,998}\r?\n){0,6}[A-Z][\w-]{1,40}: /i;
/** Characters of base64 that hold as much of a message as its head is looked for in. */
const HEAD_CHARS = 1_600;

const isOfBase64 = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) ||
  (unit >= 65 && unit <= 90) ||
  (unit >= 97 && unit <= 122) ||
  unit === 43 ||
  unit === 45 ||
  unit === 47 ||
  unit === 95;

/** Where the run begins of which a reading may be a later part: a long one is read in several. */
function runStart(text: string, start: number): number {
  let at = start;
  while (at > 0 && isOfBase64(text.charCodeAt(at - 1))) at--;
  return at;
}

/** A part of a signed token: three runs with stops between, the first of which is an object. */
function isOfToken(text: string, start: number, end: number): boolean {
  return text[start - 1] === "."
    ? /eyJ[\w-]{8,600}\.$/.test(text.slice(Math.max(0, start - 604), start))
    : text.startsWith("eyJ", start) && /^\.[\w-]{8}/.test(text.slice(end, end + 10));
}

function isFieldOfBytes(text: string, start: number, end: number): boolean {
  const name = FIELD.exec(text.slice(Math.max(0, start - FIELD_BEFORE), start))?.[1];
  if (name === undefined) return false;
  if (BYTES.test(name)) return true;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const behind = text.slice(end, end + BEFORE);
  return IN_INTERFACE.some(([field, near]) => field.test(name) && (near.test(before) || near.test(behind)));
}

export function isEncodedAsUsual(text: string, start: number, end: number): boolean {
  const from = runStart(text, start);
  return (
    DATA_ADDRESS.test(text.slice(Math.max(0, from - 60), start + 40)) ||
    SAYS_SO.test(text.slice(Math.max(0, start - BEFORE), start + WITHIN)) ||
    SAYS_SO.test(text.slice(end, end + WITHIN)) ||
    isOfToken(text, from, end) ||
    isFieldOfBytes(text, from, end) ||
    MAIL_HEAD.test(Buffer.from(text.slice(from, from + HEAD_CHARS), "base64").toString("latin1"))
  );
}
