import { matchesOf } from "./matches.ts";
import { addressHosts, bareHosts, type CallHosts, type OutsideHost } from "./outside-hosts.ts";

/**
 * Ordinary ways on which a call takes something out that it did not write down itself: uploads by command,
 * requests of inline scripts, copies to other machines and buckets, mail. What only fetches, or sends words
 * that stand in the call, is none.
 */
export interface Sink {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** null: the call does not tell where it goes. */
  readonly to: OutsideHost | null;
  /** How people keep copies of their own (ssh, buckets, sync), too. */
  readonly keepsCopies: boolean;
}

const SEGMENT_MAX = 700;
const DATA_FLAG =
  "(?:-(?!X)[a-zA-Z]{0,6}[dFT]|--data(?:-[a-z]{2,10})?|--form(?:-string)?|--json|--upload-file|--post-(?:data|file)|--body-(?:data|file)|--method=(?:PUT|POST))";
const CARRIES: readonly RegExp[] = [
  new RegExp(`\\s${DATA_FLAG}[\\s=]{0,2}["']?(?:[\\w.\\[\\]-]{1,60}=)?[@<]`),
  /\s--data-urlencode[\s=]{0,2}["']?\w{0,40}[@=][@$/~.\w-]/,
  new RegExp(
    `\\s${DATA_FLAG}[\\s=]{0,2}(?:"(?:[^"\\\\]|\\\\[^\\n]){0,400}?(?:\\$[\\w({]|\`)|'?[^\\s"']{0,300}?(?:\\$[\\w({]|\`))`,
  ),
  // A file or the standard input as a whole.
  /\s(?:-(?!X)[a-zA-Z]{0,6}T|--upload-file|--post-file|--body-file)[\s=]{0,2}["']?(?:[^\s"']{1,200})/,
];
/** An address or a header that is put together from something read. */
const CARRIES_VALUE: readonly RegExp[] = [
  /https?:\/\/[^\s"']{1,200}(?:\{\}|%(?![0-9A-F]{2}))/,
  /https?:\/\/[^\s"'`$]{1,200}[?&=/][^\s"'$`]{0,200}(?:\$[\w({]|`)/,
  /\s(?:-H|--header|-A|--user-agent|-e|--referer|-b|--cookie)[\s=]{0,2}["']?[^"'\n$`]{0,80}(?:\$[\w({]|`)/,
];
const WEB_COMMAND = /(?:^|[^\w./-]|\/)(?:curl(?:\.exe)?|wget2?)\s/g;
const HTTPIE =
  /(?:^|[\n;|&(`]\s{0,3}|\b(?:do|then|xargs)\s)(?:https?|xh)\s(?:--?[\w=-]{1,40}\s){0,4}(?:POST|PUT|PATCH)\s/g;

/** What a script calls to send; each is sure to have a body, or is looked at for one. */
const SCRIPT_SENDS =
  /\b(?:requests|httpx|session|client|aiohttp|got|axios|superagent|ky|needle|RestClient|HTTParty|Faraday|Excon|reqwest|ureq|http|https|HTTP|_http|conn)\.(?:post|put|patch|Post|PostForm|NewRequest|request|Request)\(|\baxios\(|\.postForm\(|\burllib\.request\.Request\(|\burlopen\(|\bHTTPS?Connection\(|\bstorbinary\(|\bSMTP(?:_SSL)?\(|\bcreateTransport\(|\.(?:sendall|sendto|sendfile|sendmail|send_message)\(|\.connect\(\s{0,3}\(|\b(?:net|tls)\.(?:connect|createConnection|Dial)\(|\bcreate_connection\(|\bdgram\.createSocket|\bsendBeacon\(|\bnew WebSocket\(|\bwebsockets?\.connect\(|\bLWP::|\bHTTP::(?:Tiny|Request)|\bIO::Socket|\bNet::(?:HTTP|FTP|SMTP|SFTP|SCP)\b|\bTCPSocket\.|\bfsockopen\(|\bcurl_(?:init|setopt)\w{0,10}\(|\bstream_context_create\(|\bput_object\(|\bupload_fileobj?\(|\bSFTPClient|\bHttpURLConnection|\bHttpRequest\.newBuilder|\bUpload(?:File|String|Data|Values)(?:Async)?\(|\bSend-MailMessage\b|\bPost(?:As(?:Json)?)?Async\(|\bTcpClient\(|\bTCPClient\(|\bStart-BitsTransfer\b[^\n]{0,200}-TransferType\s{1,3}Upload|\bcertreq\b[^\n]{0,40}-post\b|\bbitsadmin\b[^\n]{0,80}\/upload\b|\bserver\.sendmail\(/gi;
const POWERSHELL_WEB =
  /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s[^\n]{0,500}?(?:-Body|-InFile|-Form|-Method\s{1,3}["']?(?:Post|Put|Patch))\b/gi;
/** A fetch with a method that sends, or with an address that goes on with a value. */
const FETCHES =
  /\b(?:fetch|requests\.get|httpx\.get|https?\.get|axios\.get|got|urlopen|LWP::Simple::get|open-uri|URI\.open|Invoke-WebRequest|Invoke-RestMethod|iwr|irm|DownloadString(?:Async)?|DownloadData|http\.Get|file_get_contents|Net::HTTP\.get)\b/gi;
const GOES_ON =
  /method["']?\s{0,2}:\s{0,2}["'`](?:POST|PUT|PATCH)|\bparams\s{0,2}=|https?:\/\/[^\s"'`${}]{1,160}(?:["'`]\s{0,2}[+.%]\s{0,2}[\w$(]|\$\{|\$\w|\$\(|\{\w|%s|#\{)/i;

const NETCAT =
  /(?:^|[^\w./-]|\/)(?:nc|ncat|netcat|socat|telnet)(?:\.exe)?\s(?![^|;&\n]{0,60}\s?-\w{0,6}[lz])[^|;&\n]{3,160}/g;
const DEV_TCP = /\/dev\/(?:tcp|udp)\/[^\s/"']{1,120}\/[\d$]/g;
const TLS_CLIENT = /\|\s{0,3}openssl\s{1,3}s_client\s[^|;&\n]{3,160}/g;
const PIPED_SSH =
  /\|\s{0,3}(?:sudo\s|sshpass\s-p\s?\S{1,40}\s)?ssh\s[^|;&\n]{0,120}?(?:[\w.-]{1,40}@)?((?:[\w-]{1,63}\.){1,6}[\w-]{2,24})\s{1,3}["']?(?:cat|dd|tee|tar|gunzip|sh|bash|zfs|xz|split)\b/g;
const COPY =
  /(?:^|[^\w./-]|\/)(?:scp|rsync|sftp|pscp)\s[^\n;|&]{1,300}\s["']?(?:[\w.$-]{1,40}@)?((?:[\w-]{1,63}\.){1,6}[\w-]{1,24})::?[^\s;|&"']{0,200}["']?(?=\s{0,4}(?:$|[\n;|&)]|\d?>))/g;
const FTP =
  /\b(?:lftp|ncftpput|ftp|tftp|sftp)\s[^\n]{0,300}\b(?:put|mput|mirror\s{1,2}(?:-\w{0,6}R|--reverse))\b|\b(?:ncftpput|curlftpfs|smbclient\s[^\n]{0,200}\bput|cadaver)\s/g;
const CLI_MAIL =
  /\b(?:mailx?|mutt|s-nail|swaks|msmtp|sendmail|ssmtp|sendemail|blat)\s(?:[^|;\n]{0,200}\s)?["']?[\w.+-]{1,60}@((?:[\w-]{1,63}\.){1,6}[a-z]{2,24})/g;
const RELAYS =
  /\b(?:croc\s(?:[^\n|;]{0,60}\s)?send|wormhole\ssend|wormhole-william\ssend|ffsend\s(?:upload|u)\b|transfer\s[^\s-]|gdrive\s(?:files\s)?upload|mega-put|megatools?\sput|megaput|gist\s-|gh\sgist\screate|gh\srepo\screate\s[^\n;|&]{0,160}--public|glab\ssnippet\screate|pastebinit|dropbox_uploader\.sh\supload|onionshare-cli|tailscale\sfile\scp|magic-wormhole)/g;
/** Remotes that the call itself sets up, behind which nobody's own place stands already. */
export const AD_HOC_REMOTE =
  /\brclone\s[^\n]{0,400}(?:--config[\s=]{1,2}<\(|\s:(?:webdav|s3|sftp|ftp|http|mega|drive|dropbox)[,:]|--(?:webdav|s3|sftp|ftp|mega)-\w{2,20}[\s=])|\brclone\sconfig\screate\b|\bRCLONE_CONFIG_\w{1,40}=|--endpoint(?:-url)?[\s=]{1,2}["']?https?:|\bAWS_(?:SECRET_)?ACCESS_KEY(?:_ID)?=["']?\w|\?(?:sv|sig|st|se)=[^\s"']{0,300}\bsig=|\bmc\salias\sset\b/;
const CLOUD =
  /\b(?:rclone\s(?:copy|copyto|sync|move|moveto|rcat)|azcopy\s(?:copy|cp|sync)|az\sstorage\s(?:blob|file)\supload(?:-batch)?|gsutil\s(?:-\w{1,8}\s){0,3}(?:cp|rsync|mv)|gcloud\sstorage\s(?:cp|rsync|mv)|s3cmd\s(?:put|sync)|s5cmd\s[^\n]{0,60}(?:cp|sync|pipe)|mc\s(?:cp|pipe|mirror)|b2\s(?:file\s)?upload|ossutil\scp)\s|\bs3\s{1,2}(?:cp|sync|mv)\s{1,2}[^\n;|&]{1,240}?\s{1,2}["']?s3:\/\//g;

/** Copied or mounted to a share of another machine. */
const SHARE =
  /\b(?:copy|xcopy|robocopy|Copy-Item|cpi?|move|Move-Item|net\suse|tar|makecab|esentutl|Compress-Archive|Out-File)\s[^\n|;&]{0,240}\\\\([\w-]{1,63}(?:\.[\w-]{1,63}){1,6})(?:@\w{1,8})?\\/gi;
/**
 * Clients of small protocols that pass on what they are asked, and of copies to a server named in the call.
 */
const ASKS_HOST =
  /\b(?:whois\s(?:[^\n|;&]{0,40}\s)?-h|finger|ab\s(?:[^\n|;&]{0,60}\s)?-[pu]\s\S{1,120}|restic\s(?:[^\n|;&]{0,60}\s)?(?:-r|--repo)[\s=](?:rest|sftp):|duplicity\s[^\n|;&]{1,160})\s{0,2}["']?(?:https?:\/\/)?(?:[^\s@/"']{1,80}@)?((?:[\w-]{1,63}\.){1,6}[\w-]{1,24})/gi;
/** Left where the web server shows it to everybody, or on a disk that somebody carries off. */
const WEB_ROOT =
  /(?:>|\b(?:cp|mv|ln|tee|install|zip|tar|OUTFILE|TO)\b)[^\n;|&]{0,200}?[\s"'](?:\/var\/www|\/usr\/share\/nginx|\/srv\/(?:www|http)|[\w/~.-]{0,80}(?:public_html|htdocs|wwwroot))(?:\/[\w.-]{1,40}){0,6}/g;
const CARRIED_DISK =
  /(?:>|\b(?:cp|mv|rsync|tar|zip|dd|7z)\b)[^\n;|&]{0,200}?[\s"'=](?:\/media|\/run\/media|\/mnt\/usb|\/Volumes)\/[\w./ -]{1,80}/g;
/** The host is the group. */
const TO_HOST = [
  ["share", SHARE, false],
  ["socket", ASKS_HOST, false],
  ["ssh", PIPED_SSH, true],
  ["copy", COPY, true],
  ["mail-command", CLI_MAIL, false],
] as const;

export function segmentAt(text: string, at: number): string {
  const segment = text.slice(at, at + SEGMENT_MAX);
  const end = segment.search(/[^\\]\n(?!\s)|\s(?:&&|\|\|)\s|;\s/);
  return end < 0 ? segment : segment.slice(0, end + 1);
}

const SINKS_MAX = 16;
/** Places of a pattern that are looked at. */
const TRIES_MAX = 24;

export function sinksOf(carried: string, hosts: CallHosts): readonly Sink[] {
  const found: Sink[] = [];
  const named = addressHosts(carried);
  const everywhere = hosts.outside(named);
  const add = (id: string, match: RegExpExecArray, to: OutsideHost | null, keepsCopies = false): void => {
    const { index } = match;
    if (found.length < SINKS_MAX)
      found.push({ id, start: index, end: index + match[0].length, to, keepsCopies });
  };
  /**
   * Where a request goes: to the addresses beside it, or those of the whole call; undefined: only to places
   * of one's own.
   */
  const target = (segment: string, isCommand: boolean): OutsideHost | null | undefined => {
    const beside = addressHosts(segment);
    if (beside.length > 0) return hosts.outside(beside) ?? undefined;
    if (isCommand && /\s["']?(?:localhost|127\.0\.0\.1|\[::1\])/.test(segment)) return undefined;
    const bare = isCommand ? hosts.outside(bareHosts(segment)) : null;
    return bare ?? everywhere ?? (named.length > 0 ? undefined : null);
  };
  /** Requests: of a command or of a script, with a body or an address as `holds` says. */
  const request = (id: string, pattern: RegExp, holds: (segment: string) => boolean): void => {
    for (const match of matchesOf(carried, pattern, TRIES_MAX)) {
      const segment = segmentAt(carried, match.index);
      if (!holds(segment)) continue;
      const to = target(segment, id !== "script");
      if (to !== undefined) add(id, match, to);
    }
  };
  const any = () => true;
  request("web-command", WEB_COMMAND, (segment) => CARRIES.some((one) => one.test(segment)));
  request("web-value", WEB_COMMAND, (segment) => CARRIES_VALUE.some((one) => one.test(segment)));
  request("web-command", HTTPIE, (segment) => /[<@$]/.test(segment) || carried.includes("|"));
  request("script", SCRIPT_SENDS, any);
  request("script", POWERSHELL_WEB, any);
  request("script", FETCHES, (segment) => GOES_ON.test(segment));
  request("ftp", FTP, any);
  for (const pattern of [NETCAT, DEV_TCP, TLS_CLIENT]) {
    for (const match of matchesOf(carried, pattern, TRIES_MAX)) {
      const to = hosts.outside(bareHosts(match[0].replace(/\/dev\/(?:tcp|udp)\//, " ")));
      if (to !== null) add("socket", match, to);
    }
  }
  for (const [id, pattern, keepsCopies] of TO_HOST) {
    for (const match of matchesOf(carried, pattern, TRIES_MAX)) {
      const to = hosts.outside([match[1] ?? ""]);
      if (to !== null) add(id, match, to, keepsCopies);
    }
  }
  const everybody = { host: "", isNumber: false };
  for (const match of matchesOf(carried, RELAYS, TRIES_MAX)) add("relay", match, everybody);
  for (const match of matchesOf(carried, WEB_ROOT, TRIES_MAX)) add("web-root", match, everybody);
  for (const match of matchesOf(carried, CARRIED_DISK, TRIES_MAX)) add("disk", match, everybody, true);
  const isKept = !AD_HOC_REMOTE.test(carried);
  for (const match of matchesOf(carried, CLOUD, TRIES_MAX)) {
    if (!hosts.onList(addressHosts(segmentAt(carried, match.index)))) add("cloud", match, null, isKept);
  }
  return found;
}
