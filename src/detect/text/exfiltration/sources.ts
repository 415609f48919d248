import { matchesOf } from "./matches.ts";
/**
 * What a call reads that its owner would miss: where keys are kept and what prints them, what a person's
 * screen and clipboard show, tables of people and dumps of databases. Each is looked for in `carriedText`,
 * where what only signs in is blank.
 */
export interface Source {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Files that hold keys, and histories that hold what was typed. A public key and an example are none. */
const KEY_FILE =
  /(?:^|[\s"'`=:(@<,[{\\/~])(?:\.ssh(?![\w\\/.*-]{0,80}\.pub)(?:[\\/](?!(?:known_hosts|config|authorized_keys)\b)[\w.*-]{0,60})?(?<!\.pub)(?=$|[^\w.-])|id_(?:rsa|ed25519|ecdsa|dsa)(?!\.pub|\w)|\.(?:aws|kube|gnupg|azure|password-store|mozilla|vault-token|netrc|_netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|boto|s3cfg|rclone\.conf|claude\.json)(?=$|[^\w-])|\.docker[\\/]config\.json|\.config[\\/](?:gcloud|gh|op|rclone|sops|hub|solana|doctl)\b|\.env(?:\.(?:local|prod|production|live|staging|dev|development))?(?=$|[^\w.-])|kubeconfig\b|kube[\\/]config\b|etc[\\/](?:shadow|gshadow|passwd|sudoers|krb5\.keytab|ssl[\\/]private|kubernetes[\\/](?:admin\.conf|pki)|rancher|wireguard|openvpn|letsencrypt)\b|proc[\\/](?:self|\d{1,7}|\*)[\\/]environ|var[\\/]run[\\/]secrets\b|run[\\/]secrets\b|\.(?:bash|zsh|sh|psql|mysql|python|node_repl)_history\b|ConsoleHost_history|Login Data\b|(?:logins|key4|cookies)\.(?:json|db|sqlite)\b|Local State\b|(?:Default|Network)[\\/]Cookies\b|ntds\.dit|wallet\.dat|unseal[\w.-]{0,30}|keychain(?:-db)?\b|terraform\.tfstate|[\w.-]{0,40}mcp[\w-]{0,20}\.json|claude_desktop_config\.json|System32[\\/]config[\\/](?:SAM|SYSTEM|SECURITY)\b)/gi;
/** Files that say by their name that they hold keys. */
const NAMED_KEY_FILE =
  /(?:^|[\s"'`=:(@<,[{\\/])(?:[\w.*-]{0,60}(?:credential|secret|passwo?r?d|private[_-]?key|service[-_]?account|api[-_]?key|apikey|token|keyring|recovery[-_]?(?:key|code)|seed[-_]?phrase|mnemonic)s?[\w-]{0,30}\.(?:json|ya?ml|csv|txt|xml|toml|ini|conf|env|xlsx?|kdbx?|db|properties|tfvars|enc)|[\w.*-]{1,60}\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|ovpn|asc\.key|keytab|tfvars|mobileprovision)|[\w-]{0,40}(?:priv|key|server|tls|ca|root|sign|deploy|host)[\w-]{0,30}\.key)(?=$|[^\w.-])/gi;
/** Commands and calls that print keys or the whole environment. */
const KEY_COMMAND =
  /\bprintenv(?=\s{0,3}(?:$|[|>)\n;`]))|(?:^|[\n;&|(`$'"]\s{0,3}|\bsudo\s)(?:env|set|export -p|declare -x[p]?)\s{0,3}(?=[|>)`])|\benv -0\b|\$\(env\)|`env`|\bkubectl\s[^\n|;&]{0,120}\bget\s[^\n|;&]{0,40}\bsecrets?\b[^\n|;&]{0,120}|\bvault\s(?:kv get|read|operator (?:init|unseal))\b|\b(?:secretsmanager\sget-secret-value|ssm\sget-parameters?\b[^\n|;&]{0,120}--with-decryption|secrets\sversions\saccess|keyvault\ssecret\s(?:show|list|download)|configure\sexport-credentials|iam\screate-access-key|sts\s(?:get-session-token|assume-role)|ecr\sget-login-password)\b|\b(?:op\s(?:item\sget|read)|pass\sshow|bw\s(?:get|list|export)|lpass\s(?:show|export)|sops\s(?:-d|--decrypt)|chamber\sexport|doppler\ssecrets|heroku\sconfig|gh\sauth\stoken|gcloud\sauth\sprint-(?:access|identity)-token|security\s(?:find-(?:generic|internet)-password|dump-keychain|export))\b|\bgpg2?\s[^\n|;&]{0,60}--export-secret|\bsecretsdump\b|\bmimikatz\b|\bsekurlsa\b|\blaZagne\b|\breg(?:\.exe)?\ssave\shklm|\bunshadow\b|\bgetent\sshadow\b|169\.254\.169\.254[^\s"']{0,120}(?:credentials|token|user-data|identity)|metadata\.google\.internal[^\s"']{0,120}token|\b(?:Get-ChildItem|gci|dir|ls)\s[Ee]nv:|\[Environment\]::GetEnvironmentVariables\(|\bos\.Environ\(\)|\bos\.environ(?:\.(?:items|copy)\(\)|\))|\bdict\(os\.environ|\bstr\(os\.environ|JSON\.stringify\(\s{0,3}process\.env\s{0,3}[,)]|\{\s{0,3}\.\.\.process\.env|Object\.entries\(process\.env\)|\bprocess\.env\s{0,2}[,)}]|\bENV\.(?:to_h|to_a|inspect)|%ENV\b|\bSystem\.getenv\(\)|\bgetenv\(\)|\bphpinfo\(\)|\bhistory\s(?:\d{1,6}\b|\||>)|\bfc -l|\bconfig:get\b/gi;
/** Variables whose name says that they hold a key. */
const KEY_VARIABLE =
  /\$\{?(?:env:)?[A-Z0-9_]{0,40}(?:SECRET|PASSWORD|PASSWD|PRIVATE_KEY|ACCESS_KEY|API_KEY|APIKEY|_TOKEN|CREDENTIALS)[A-Z0-9_]{0,30}\b|\b(?:process\.env|os\.environ|ENV)(?:\.|\[["'])[A-Z0-9_]{0,40}(?:SECRET|PASSWORD|PRIVATE_KEY|ACCESS_KEY|API_KEY|_TOKEN|CREDENTIALS)\w{0,30}/g;
/** What stands on a person's screen, in the clipboard, before the microphone and the camera. */
const WATCHED =
  /\b(?:Get-Clipboard|pbpaste|xclip\b[^\n|;&]{0,60}\s-o\b|xsel\b[^\n|;&]{0,30}(?:-o|--output|-b)|wl-paste|tmux\scapture-pane|document\.cookie|JSON\.stringify\((?:window\.)?(?:local|session)Storage\)|\{\s{0,2}\.\.\.(?:local|session)Storage|pyperclip\.paste|clipboard\.readText|Clipboard\]::GetText|win32clipboard|screencapture|scrot|x11grab|gdigrab|avfoundation|gnome-screenshot|spectacle\s-b|grim\b|maim\b|import\s-window\sroot|xwd\s-root|CopyFromScreen|ImageGrab\.grab|pyautogui\.screenshot|mss\.mss|mss\(\)|fswebcam|imagesnap|arecord|parecord|sox\s-d|sounddevice\.rec|logkeys|xinput\stest|pynput|GetAsyncKeyState|SetWindowsHookEx)/gi;

const PEOPLE =
  "(?:app_|tbl_?|dbo\\.|public\\.|hr\\.|crm\\.|auth\\.|dim_)?(?:auth_)?(?:end_?)?(?:users?|customers?|clients?|patients?|employees?|staff|personnel|members?|subscribers?|accounts?|contacts?|leads|people|persons?|citizens?|students?|guests?|applicants?|tenants?|payroll|salar(?:y|ies)|payments?|payment_methods?|cards?|credit_cards?|bank_accounts?|medical_records?|diagnos[ei]s|prescriptions?|claims|policyholders?|sessions?|api_keys|credentials?|secrets?|tokens|kunden|patienten|mitarbeiter|nutzer|benutzer|personal|gehaelter|clientes|usuarios|empleados|pacientes|clients|utilisateurs|salaries|employes|klienci|pracownicy|pacjenci|utenti|dipendenti|pazienti)\\w{0,30}";
const PRIVATE_COLUMN =
  "(?:\\w{0,30}(?:passw(?:or)?d|pwd|passwort|secret|api_?key|token|ssn|social_security|iban|pan|card_?(?:no|num|number)|cvv|cvc|pin|tax_?id|pesel|cpf|salary|gehalt|diagnos|dob|birth|geburt|mrn|hash|private_key|mfa_seed|totp)\\w{0,30})";
const READS_PEOPLE = new RegExp(
  `\\bfrom\\s{1,3}["\`[]{0,1}(?:\\w{1,40}\\.){0,2}["\`[]{0,1}(?:\\w{1,20}_)?${PEOPLE}\\b`,
  "gi",
);
const READS_PRIVATE = new RegExp(
  `\\bselect\\b[^;]{0,200}?\\b${PRIVATE_COLUMN}\\b[^;]{0,300}?\\bfrom\\b`,
  "gi",
);
const DUMPS =
  /\b(?:pg_dump(?:all)?|pg_basebackup|mysqldump|mariadb-dump|mydumper|mongodump|mongoexport|cqlsh[^\n|]{0,80}copy|influxd?\sbackup|redis-cli[^\n|;&]{0,80}--rdb|etcdctl\ssnapshot|expdp|ldapsearch|ldapdomaindump|bcp\s[^\n|;&]{1,120}\b(?:out|queryout)|sqlite3[^\n|;&]{1,120}\.dump|dynamodb\sscan|elasticdump|neo4j-admin\s(?:database\s)?dump|slapcat|git\sbundle\screate|docker\s(?:save|export))\b|(?<![a-z])(?:customers?|clients?|patients?|employees?|users?|members?|subscribers?|payroll|salar(?:y|ies)|payslips?|kunden|patienten|mitarbeiter|gehalts?|personal|clientes|empleados|usuarios|pacientes|hr|crm|billing|cardholders?)(?:[_-]?(?:list|liste|lista|export|dump|db|data|table|all|full|master|backup|records|akten|daten|archive))?[\w-]{0,24}\.(?:csv|xlsx?|ods|sql|db|sqlite3?|parquet|json[l]?|dump|bak|tsv|mdb|accdb)(?:\.(?:gz|zip|zst|xz|bz2|7z))?(?=$|[^\w])/gi;
/** Files that say of themselves that they are not for everybody. */
const CONFIDENTIAL =
  /(?:confidential|not[-_ ]for[-_ ]release|embargo|vertraulich|geheim|nur[-_ ]intern|internal[-_ ]only|confidencial|confidentiel|riservat|poufne|top[-_ ]?secret|restricted|strictly[-_ ]private|insider|due[-_ ]?diligence|term[-_ ]?sheet|cap[-_ ]?table|merger|acquisition|board[-_ ](?:minutes|deck|pack|paper)|trade[-_ ]?secret|source[-_ ]?code|unreleased|personnel[-_ ]?file|personalakte|krankenakte|medical[-_ ]?record|patient[-_ ]?(?:file|record|data))[\w .-]{0,60}\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|md|zip|7z|tgz|tar(?:\.gz)?|odt|ods|eml|msg|key|numbers|pages)\b/gi;

const KEYS: readonly (readonly [string, RegExp])[] = [
  ["key-file", KEY_FILE],
  ["key-file", NAMED_KEY_FILE],
  ["key-command", KEY_COMMAND],
  ["watched", WATCHED],
  ["key-variable", KEY_VARIABLE],
];
const BULK: readonly (readonly [string, RegExp])[] = [
  ["people", READS_PEOPLE],
  ["private-columns", READS_PRIVATE],
  ["dump", DUMPS],
  ["confidential", CONFIDENTIAL],
];
const MATCHES_MAX = 12;

function all(text: string, kinds: readonly (readonly [string, RegExp])[]): Source[] {
  const found: Source[] = [];
  for (const [id, pattern] of kinds) {
    for (const match of matchesOf(text, pattern, MATCHES_MAX)) {
      if (found.length >= MATCHES_MAX) return found;
      found.push({ id, start: match.index, end: match.index + match[0].length });
    }
  }
  return found;
}

/** Keys and what a person did not show anybody: wherever outside it goes, it is not meant to. */
export const keySources = (carried: string): readonly Source[] => all(carried, KEYS);
export const namesKeyFile = (text: string): boolean =>
  matchesOf(text, KEY_FILE, 1).length > 0 || matchesOf(text, NAMED_KEY_FILE, 1).length > 0;
/** Data of many, and what calls itself confidential: it has ordinary ways out too. */
export const bulkSources = (carried: string): readonly Source[] => all(carried, BULK);

/** The variable of a shell that a source is put into; "" if it goes on by itself. */
export function variableOf(text: string, source: Source): string {
  const before = text.slice(Math.max(0, source.start - 120), source.start + 1);
  return /(?:^|[\s;&])\$?([A-Za-z_]\w{0,40})=["']?(?:\$\(|`)[^)`\n]{0,110}$/.exec(before)?.[1] ?? "";
}
