/**
 * What makes an ordinary transfer look like one that nobody is to see: traces taken away, made in pieces or
 * at odd times, disguised as something else, started to outlive the call. A grave sign counts two, a slight
 * one one.
 */
const GRAVE: readonly RegExp[] = [
  /\bhistory\s-[cw]|\bunset\sHISTFILE|\bHISTFILE=\/dev\/null|\bHISTSIZE=0|\bset\s\+o\shistory|Clear-History|\bSet-PSReadLineOption[^\n]{0,60}SaveNothing|\bwevtutil\scl\b|\bjournalctl\s[^\n]{0,40}--vacuum|\bauditctl\s-e\s?0/,
  /\bshred\s-\w{0,4}[uz]|\bsrm\s|\bsdelete\b|\bwipe\s-/,
  /\bsleep\s["']?(?:0?\.)?\$|\bsleep\s[^\n;]{0,20}RANDOM|\brandom\.(?:uniform|randint)\([^)\n]{1,20}\)\)|time\.sleep\(random|Get-Random/,
  /\bgit\sremote\s(?:remove|rm)\b|\bgit\s(?:reflog\sexpire|update-ref\s-d)\b|\bdocker\s(?:rmi|image\srm)\s/,
  // One kind of file under the name of another.
  /(?:\b(?:zip|7z|tar|openssl|gpg|base64|gzip|xz|cp|mv)\b|>)[^\n|;&]{0,200}\.(?:jpe?g|png|gif|mp[34]|ico|css|woff2?|svg|log|ttf)\b(?=["']?\s{0,2}(?:$|[;&|\n]))/,
  /\bcrontab\s-|\/etc\/cron|@reboot|\bschtasks\b|\bRegister-ScheduledTask|\bsystemctl\s(?:--user\s)?enable|\bat\snow\b|LaunchAgents/,
  /--acl[\s=](?:public-read|bucket-owner-full-control|authenticated-read)|--predefined-acl|-a\spublic-read|x-amz-acl/,
];
const SLIGHT: readonly RegExp[] = [
  /\b(?:base64|base32|xxd|uuencode|basenc)\b|b64encode|ToBase64String|openssl\s{1,2}enc\b|\bgpg\s[^\n]{0,40}(?:-c|--symmetric)/,
  /\bsplit\s-\w|\bfold\s-w|for\s\w{1,12}\sin\s\/tmp\//,
  /-o\s?\/dev\/null|>\s?\/dev\/null|&>\s?\/dev\/null|\|\s?Out-Null|--only-show-errors|\s-qq?\s|--quiet\b|2>\s?\/dev\/null/,
  /\brm\s-\w{0,4}f?\w{0,4}\s[^\n;]{0,40}\/(?:tmp|dev\/shm|var\/tmp)\/|Remove-Item\s|os\.(?:remove|unlink)\(|unlinkSync\(/,
  /\bnohup\s|\bsetsid\s|\bdisown\b|&\s{0,2}$|Start-Job\b/,
  /\s-k\s|--insecure\b|verify=False|StrictHostKeyChecking=no|rejectUnauthorized|SkipCertificateCheck|-ServerCertificateValidation/,
  /[/\s"'](?:\.[a-z]{1,12}\/?|x|a|z|t|tmp|out|\.x)\.(?:tgz|zip|gz|bin|dat|tar\.gz)\b|\/dev\/shm\/|\/tmp\/\.\w/,
  /\b(?:tmp|temp|pub|public|drop|loot|exfil|collect|stash|mirror|shadow)[-_.]?[\w-]{0,20}(?:\.\w|:|\/|\b)/,
];

export const COVERED = 2;

export function coverOf(text: string): number {
  let weight = 0;
  for (const one of GRAVE) if (one.test(text)) weight += 2;
  for (const one of SLIGHT) if (one.test(text)) weight += 1;
  return weight;
}

/** Of grave signs alone. */
export const isHidden = (text: string): boolean => GRAVE.some((one) => one.test(text));
