import { matchesOf } from "./matches.ts";
import { addressHosts, bareHosts, type CallHosts, madeHosts } from "./outside-hosts.ts";

/**
 * Ways out that nobody takes for an honest purpose, whatever goes over them: names of hosts, pings and
 * headers made of data, a database that calls, opens or copies to a foreign machine, tunnels that let others
 * in to a database, snapshots shared with everybody. Answers where it stands.
 */
export interface Way {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Made of what was read: encoded, cut in pieces, or taken out of a file or a database. */
const PIECES =
  /\b(?:xxd|base64|base32|b64encode|b32encode|hexlify|b16encode|basenc|od\s-|hexdump|fold\s-w|split\s-[bl]|toString\(["']?(?:hex|base64)|ToBase64String|ToHexString|\.hex\(|encode\([^()\n]{1,80},\s?["'](?:hex|base64)|unpack\(?\s?["']H|EncodeToString|urlsafe_b64|rawurlencode|openssl\senc)/i;
const READS =
  /\$\((?:[^()\n]{0,20}\s)?(?:cat|head|tail|cut|awk|sed|e?grep|rg|jq|strings|psql|mysql|sqlite3|whoami|id|uname|env|printenv)\b|\bread_(?:text|bytes)\(|\bopen\([^)\n]{1,120}\)\.read|\breadFile(?:Sync)?\(|\bReadFile\(|\bReadAll(?:Text|Bytes|Lines)\(|\bFile\.read\(|\bfile_get_contents\(|\bGet-Content\b|\bwhile\s(?:IFS=\s?)?(?:\S{0,12}\s)?read\b/;

/** A label of the name is a variable or a command's output. */
const NAME_MADE =
  /\b(?:dig|nslookup|host|drill|kdig|delv|ping6?|fping|traceroute|getent\s(?:ahosts|hosts)|Resolve-DnsName|Test-Connection)(?:\.exe)?\s[^\n;|&]{0,160}?(?:\$\{?\w{1,40}(?::[^}\s]{1,20})?\}?|\$\([^()\n]{1,200}\)|`[^`\n]{1,200}`|"\s?\+\s?\w{1,40}\s?\+\s?")["']?\.(?:\$?[\w{}-]{1,40}\.){0,6}[a-z$][\w{}-]{1,24}/gi;
const RESOLVER_CALL =
  /\b(?:gethostbyname(?:_ex)?|getaddrinfo|dns["']?\)?\.(?:promises\.)?(?:resolve\w{0,6}|lookup)|resolver\.(?:query|resolve)|resolve(?:4|6|Txt|Any)|LookupHost|LookupIP|LookupTXT|Dns\.GetHost\w{1,16}|dns_get_record|checkdnsrr|Resolv::DNS|getaddress|inet_aton|Resolve-DnsName)\b\s{0,2}\(?[^\n]{0,240}/gi;
const MADE_IN_CODE =
  /\{\w[^}\n]{0,60}\}\.[\w{.-]{3,80}|["'`]?\s{0,2}[+.]\s{0,2}["'`]\.[\w.-]{3,80}|%s\.[\w.-]{3,80}|\$\{[^}\n]{1,80}\}\.[\w.-]{3,80}|\$\w{1,30}\.[\w.-]{3,80}|#\{[^}\n]{1,80}\}\.[\w.-]{3,80}/;

const PING_DATA =
  /\bping6?\s[^\n;|&]{0,120}\s-p\s?["']?(?:\$|`)|\bhping3?\s[^\n;|&]{0,160}(?:--file|-E|--sign)\s|\bnping\s[^\n;|&]{0,160}--data(?:-string)?[\s=]/g;
/** Behind the pattern of a ping stands whom it goes to. */
const PINGED_MAX = 160;
const RAW_SOCKET =
  /IPPROTO_ICMP|SOCK_RAW|net\.ListenPacket\(["']ip4:icmp|\bICMP\(\)\s{0,2}\/|IcmpSendEcho|New-Object\s[\w.]{0,30}Ping\b|\bPing\(\)\.Send\(/g;
const HIDES_IN_PICTURE =
  /\b(?:steghide\sembed|outguess\s-d|stegosuite|zsteg\s-E|openstego\sembed|snow\s-[mf]|cloakify|jsteg\shide|stegano\.\w{1,12}\.hide|lsb\.hide)\b/gi;

/** A database that starts a program or opens an address of another machine. */
const SQL_PROGRAM = /\bCOPY\b[^;]{0,1500}?\bTO\s{1,4}PROGRAM\b[^;]{0,400}/gi;
const SQL_SHELL =
  /\b(?:xp_cmdshell|sys_exec|sys_eval|sp_OACreate|DBMS_SCHEDULER|dbms_java\.runjava)\b[^;]{0,600}/gi;
const NET_IN_SQL =
  /\b(?:curl|wget|nc|ncat|bitsadmin|certutil|powershell|ssh|scp|ftp|nslookup|bcp|dig|python|Invoke-\w{3,12}|MSXML2|WinHttp)\b|\/dev\/tcp/i;
const SQL_UNC =
  /\b(?:xp_(?:dirtree|fileexist|subdirs|getfiledetails|create_subdir)|LOAD_FILE|OPENROWSET|BACKUP\s{1,3}(?:DATABASE|LOG)|INTO\s{1,3}(?:OUT|DUMP)FILE|BULK\s{1,3}INSERT|sp_addlinkedserver|UTL_FILE)\b[^;]{0,300}?\\\\{1,3}[^;]{1,200}/gi;
const SQL_CALLS =
  /\b(?:UTL_HTTP\.(?:REQUEST|BEGIN_REQUEST|request_pieces)|UTL_INADDR\.GET_HOST_(?:ADDRESS|NAME)|UTL_SMTP\.|UTL_TCP\.|UTL_MAIL\.|HTTPURITYPE|DBMS_LDAP\.INIT|DBMS_CLOUD\.(?:EXPORT_DATA|PUT_OBJECT)|http_(?:post|put)|pg_net\.http_post|net\.http_post|dblink(?:_connect(?:_u)?|_exec|_send_query)?\s?\(|sp_invoke_external_rest_endpoint|OPENDATASOURCE|extractvalue\s?\(\s?xmltype)[^;]{0,900}/gi;
const SQL_JOINS =
  /\|\||\bCONCAT\b|\bSELECT\b|\bjson_agg|\brow_to_json|\bSTRING_AGG|\bINSERT\b|\+\s?@|\bFROM\b/i;
const SQL_LINKS =
  /\b(?:OPENROWSET|OPENDATASOURCE|CREATE\s{1,3}(?:PUBLIC\s{1,3})?DATABASE\s{1,3}LINK|FEDERATED)\b[^;]{0,600}/gi;
/** Loads and copies into somebody's storage: with a key or a signature of its own in the statement. */
const SQL_UNLOADS =
  /\b(?:UNLOAD\b[^;]{0,900}?\bTO\b|COPY\s{1,3}(?:INTO\b[^;]{0,40}?|\(?[^;]{0,900}?\bTO\b)|INTO\s{1,3}FUNCTION\s{1,3}(?:url|s3|remote|remoteSecure|hdfs)|INTO\s{1,3}OUTFILE\s{1,3}S3|EXPORT\s{1,3}DATA\b[^;]{0,60}?|BACKUP\s{1,3}DATABASE\b[^;]{0,120}?\bTO\s{1,3}URL|CREATE\s{1,3}SERVER\b[^;]{0,200}?\bhost)\s{0,4}[=(]?\s{0,4}["']?(?:(?:https?|azure|wasbs?|s3|gs|gcs|ftp):\/\/[^\s"']{3,200}|["'][\w.-]{4,120})[^;]{0,500}/gi;
const OWN_KEYS =
  /\bCREDENTIALS\b[^;]{0,80}(?:AWS_SECRET_KEY|aws_secret_access_key|AZURE_SAS_TOKEN)|\bSAS\b|[?&]sig=|aws_access_key_id=/i;

/** A key is put where whoever follows an issue reads it. */
const KEY_POSTED =
  /\b(?:gh|glab)\s{1,4}(?:issue|pr|mr|release|gist|discussion)\s{1,4}(?:edit|comment|create|note|update|review)\b[^\n;|&]{0,300}?\s(?:--?(?:body|title|notes?|message|description)|-[bmt])[\s=]{1,2}[^\n;|&]{0,300}?\$\{?[A-Z0-9_]{0,40}(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]{0,20}/g;

/** Ports behind which data or a shell waits. */
const DATA_PORT =
  "(?:22|23|139|445|389|636|1433|1521|2049|2375|2376|2379|3306|3389|5432|5433|5439|5601|5672|5900|5984|5985|6379|6443|7474|7687|8086|8200|8500|9000|9042|9200|9300|10250|11211|15672|26257|27017|27018|50000|50070)";
const REVERSE_TUNNELS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:auto)?ssh\\s[^\\n;|&]{0,200}?\\s-[A-Za-z]{0,8}R[\\s]{0,2}["']?[\\w.*:[\\]-]{0,80}:${DATA_PORT}\\b[^\\n;|&]{0,160}`,
    "g",
  ),
  /\b(?:auto)?ssh\s[^\n;|&]{0,200}?\s-[A-Za-z]{0,8}R\s{0,2}["']?(?:\*:|0\.0\.0\.0:|0:)?\d{2,5}(?=\s)[^\n;|&]{0,160}/g,
  new RegExp(
    `\\bchisel(?:\\.exe)?\\sclient\\s[^\\n;|&]{0,200}\\bR:(?:socks|[\\w.:-]{0,80}:${DATA_PORT}\\b)[^\\n;|&]{0,40}`,
    "g",
  ),
  /\b(?:ligolo(?:-ng)?|iodine|dnscat2?|ptunnel(?:-ng)?|dns2tcpc?|icmpsh|icmptunnel|hans|reGeorg|neoreg|revsocks|rpivot|pwnat)\s[^\n;|&]{2,160}/g,
  new RegExp(
    `\\b(?:ngrok\\stcp|bore\\slocal|cloudflared\\s(?:tunnel|access)\\s[^\\n;|&]{0,100}tcp:\\/\\/[\\w.]{1,60}:|localtonet\\stcp|pinggy|zrok\\sshare|playit|tailscale\\sfunnel|gost\\s[^\\n;|&]{0,120}:|frpc\\stcp\\s[^\\n;|&]{0,120}|socat\\s[^\\n;|&]{0,120}TCP(?:4|6)?:)\\s{0,2}["']?(?:(?:localhost|127\\.0\\.0\\.1):)?${DATA_PORT}\\b`,
    "g",
  ),
  /\b(?:ngrok\shttp|cloudflared\stunnel\s[^\n;|&]{0,60}--url)\s[^\n;|&]{0,60}file:\/\/[^\s]{1,120}/g,
];

/** A folder of somebody's own, served to whoever asks. */
const SERVES =
  /\bcd\s["']?(?:~|\$HOME|\/(?:root|etc|home\/\w{1,30}|var\/lib\/\w{1,30}|var\/backups)?)(?:\/\.\w{2,20})?\/?["']?\s{0,2}(?:&&|;)[^\n]{0,80}\b(?:http\.server|SimpleHTTPServer|http-server|php\s-S|busybox\shttpd|ruby\s-run)\b|\b(?:http\.server|SimpleHTTPServer|http-server|serve|busybox\shttpd)\b[^\n;|&]{0,60}(?:-d|--directory|-h)\s["']?(?:~|\$HOME|\/(?:root|etc|home|var\/lib|var\/backups))\b/g;
/** A label that is text in hexadecimal letters. */
const HEX_LABEL = /(?:^|[\s"'/@:.])((?:[\da-f]{2}){12,31})\.(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}\b/gi;
const PRINTABLE = /^[\t\n\r -~]{12,31}$/;

/** Opened to everybody. */
const OPENED_TO_ALL =
  /\bmodify-(?:db-)?(?:cluster-)?(?:snapshot|image)-attribute\b[^\n;|&]{0,300}?(?:\ball\b|Group=all)|\bput-(?:bucket|object)-acl\b[^\n;|&]{0,300}?public-read|\bput-bucket-policy\b[^\n]{0,300}?"Principal"\s{0,2}:\s{0,2}(?:"\*"|\{\s{0,2}"AWS"\s{0,2}:\s{0,2}"\*")[^\n]{0,200}?GetObject|\b(?:gsutil|gcloud\sstorage)\s[^\n;|&]{0,60}(?:iam|acl)\s[^\n;|&]{0,80}(?:allUsers|public-read)[^\n;|&]{0,200}/g;
const PRIVATE_PLACE =
  /dump|backup|snap|customer|client|patient|payroll|salar|user|legal|archive|secret|private|hr|finance|prod|export|kunden|invoice/i;

function first(
  text: string,
  pattern: RegExp,
  holds: (found: string, at: number) => boolean,
): RegExpMatchArray | null {
  for (const match of matchesOf(text, pattern, 12)) if (holds(match[0], match.index)) return match;
  return null;
}

const wayAt = (id: string, match: RegExpMatchArray | null): Way | null =>
  match === null
    ? null
    : { id, start: match.index ?? 0, end: (match.index ?? 0) + Math.min(match[0].length, 300) };

export function covertWay(text: string, hosts: CallHosts): Way | null {
  const isMade = PIECES.test(text) || READS.test(text);
  const leavesTo = (found: string) => hosts.outside(bareHosts(found)) !== null;
  /** Where a machine is named, it is somebody else's; where none is, it was put together. */
  const notOwn = (found: string) => {
    const named = bareHosts(found);
    return named.length === 0 || hosts.outside(named) !== null;
  };
  /** Of a way that is one whatever it names: only a host on the project's list excuses it. */
  const notListed = (found: string) => !hosts.onList(bareHosts(found));
  const unc = (found: string) => {
    const named =
      /\\\\{1,3}["']?\s{0,2}(?:(?:\+|\|\||,)\s{0,2}[^'";]{1,120}(?:\+|\|\||,)\s{0,2}["']\.?)?([\w.-]{3,120})/.exec(
        found,
      )?.[1] ?? "";
    return /[+|]|CONCAT/i.test(found)
      ? notOwn(found)
      : hosts.outside(named.includes(".") ? [named] : []) !== null;
  };
  return (
    (isMade
      ? wayAt(
          "name-made-of-data",
          first(text, NAME_MADE, (found) => notOwn(found) && !hosts.onList(madeHosts(found))),
        )
      : null) ??
    (isMade
      ? wayAt(
          "name-made-of-data",
          first(text, RESOLVER_CALL, (found) => {
            const made = MADE_IN_CODE.exec(found) ?? MADE_IN_CODE.exec(text);
            return made !== null && !hosts.onList(madeHosts(made[0]));
          }),
        )
      : null) ??
    wayAt(
      "ping-with-data",
      first(text, PING_DATA, (found, at) =>
        notListed(text.slice(at, at + found.length + PINGED_MAX).split("\n", 1)[0] ?? ""),
      ),
    ) ??
    (READS.test(text)
      ? wayAt(
          "ping-with-data",
          first(text, RAW_SOCKET, () => /send(?:to|p)?\b|Send\(|WriteTo/i.test(text)),
        )
      : null) ??
    wayAt(
      "hidden-in-picture",
      first(text, HIDES_IN_PICTURE, () => /:\/\/|@|\bpush\b/.test(text)),
    ) ??
    wayAt(
      "database-starts-program",
      first(text, SQL_PROGRAM, (found) => NET_IN_SQL.test(found) && notOwn(found)),
    ) ??
    wayAt(
      "database-starts-program",
      first(text, SQL_SHELL, (found) => NET_IN_SQL.test(found) && leavesTo(found)),
    ) ??
    wayAt("database-opens-share", first(text, SQL_UNC, unc)) ??
    wayAt(
      "database-calls-out",
      first(text, SQL_CALLS, (found) => SQL_JOINS.test(found) && notOwn(found)),
    ) ??
    wayAt("database-calls-out", first(text, SQL_LINKS, leavesTo)) ??
    wayAt(
      "database-copies-out",
      first(
        text,
        SQL_UNLOADS,
        (found) =>
          (OWN_KEYS.test(found) && notListed(found)) ||
          (addressHosts(found).length > 0 && /https?:\/\//.test(found) && leavesTo(found)),
      ),
    ) ??
    REVERSE_TUNNELS.reduce<Way | null>(
      (way, pattern) =>
        way ??
        wayAt(
          "tunnel-to-data",
          first(text, pattern, (found) => (/\bssh\s/.test(found) ? leavesTo(found) : notListed(found))),
        ),
      null,
    ) ??
    wayAt(
      "folder-served",
      first(text, SERVES, () => true),
    ) ??
    wayAt(
      "name-made-of-data",
      first(text, HEX_LABEL, (found) => {
        const label = /(?:[\da-f]{2}){12,31}/i.exec(found)?.[0] ?? "";
        return PRINTABLE.test(Buffer.from(label, "hex").toString("latin1")) && leavesTo(found);
      }),
    ) ??
    wayAt(
      "key-posted",
      first(text, KEY_POSTED, () => true),
    ) ??
    wayAt(
      "opened-to-all",
      first(text, OPENED_TO_ALL, (found) => PRIVATE_PLACE.test(found)),
    )
  );
}
