/**
 * A first step that a tool's text tells as needed for what the reader is about to do, and that hands over or
 * destroys what has nothing to do with it: in words ("delete the folder `/home/…`"), or as a command. Three
 * things must come together: it comes first, it is said to be required, and it does harm. A guide has caches,
 * packages and settings of its own program removed, and services of its own stopped.
 */
const COMES_FIRST = /^[^.!?\n]{0,20}\bfirst\b/i;
const COMES_BEFORE = /\b(?:before (?:you|we|anything|it)\b[^.!?\n]{0,60}|first,? )$/i;
const BEFORE_MAX = 90;
const STEP_MAX = 420;

const SAID_TO_BE_NEEDED =
  /\b(?:as|because|since|for|which|this|it|that)\b[^.!?\n]{0,24}\b(?:is|are|was)\b(?! not|n't)[^.!?\n]{0,16}\b(?:requ[a-z]{2,6}d|needed|necessary|mandatory|a prerequisite)\b|\ba (?:step|measure) (?:that is )?(?:required|needed)\b/i;

const HARMFUL_STEP =
  /\b(?:delete|remove|erase|wipe|encrypt|overwrite|shred)\b[^!?\n]{0,100}(?:~\/|\/(?:etc|home|root|boot)\/|C:\\Users)|\b(?:send|reply|post|upload|share|paste)\b[^!?\n]{0,60}\bcontents?\b|\b\d{4,9} (?:files|folders|processes)\b/i;

/** What belongs to a person or to the system: not the caches and settings that a program keeps at home. */
const HOME =
  "(?:~|\\$HOME|\\/home\\/[\\w.{}$-]{1,32}|\\/root)(?:\\/(?!\\.(?:cache|npm|gradle|m2|cargo|nvm|venv|local|config|docker|kube)\\b|tmp\\b|snap\\b|downloads?\\b|node_modules\\b|build\\b)|[\\s'\"`]|$)";
const OF_SYSTEM = "\\/etc\\/(?:passwd|shadow|sudoers|ssh|security|pam|hosts)|\\/boot\\b|\\/(?=[\\s'\"`*]|$)";
const KEYS = "[^\\s`]{0,60}(?:\\.ssh|id_rsa|id_ed25519|authorized_keys|\\.gnupg|\\.aws\\/|\\.kube\\/config)";
const GUARDS = "(?:sshd?|openssh|ufw|firewalld|iptables|nftables|openvpn|wireguard|auditd|fail2ban|clamav)";

const HARMFUL_COMMAND = new RegExp(
  [
    `\\b(?:rm|shred|unlink)(?: -{1,2}[\\w-]{1,16}){0,4} ["']?(?:${HOME}|${OF_SYSTEM}|${KEYS})`,
    `\\b(?:sed -i|truncate -s ?0)\\b[^\\n]{0,60} ["']?(?:${HOME}|${OF_SYSTEM})`,
    `\\b(?:zip|7z)\\b[^\\n]{0,12} -[a-z]{0,4}m[a-z]{0,4}\\b[^\\n]{0,80}(?:${HOME}|${OF_SYSTEM})`,
    `\\bchmod (?:-[a-z]{1,3} )?[0-7]?777 (?:-[a-z]{1,3} )?(?:${HOME}|\\/(?:etc|usr|var|boot)\\b|${OF_SYSTEM})`,
    "\\bdd if=\\/dev\\/(?:zero|u?random) of=\\/dev\\/|\\bmkfs(?:\\.\\w{2,6})? \\/dev\\/|\\bwipefs\\b|\\bdiskutil erase",
    "\\bgit push\\b[^\\n`]{0,40}(?:--delete (?:main|master)| :(?:main|master))|\\bgh repo delete\\b|\\bdelete (?:the|your|this) (?:whole |entire )?(?:repository|database|disk|drive)\\b",
  ].join("|"),
  "i",
);

const GUARD_STOPPED = new RegExp(
  [
    `\\b(?:systemctl|rc-service|launchctl) (?:--now )?(?:stop|disable|mask|unload) (?:--now )?${GUARDS}\\b|\\bservice ${GUARDS} stop\\b|\\bufw disable\\b|\\biptables -F\\b|\\bp?kill(?:all)? (?:-\\d{1,2} )?${GUARDS}\\b`,
    `\\b(?:stop|disable|kill|shut down|turn off|deactivate)\\b[^.!?\\n]{0,24}\\b(?:(?:ssh|${GUARDS}) (?:service|daemon|server)|sshd|ufw|firewalld|firewall|antivirus|intrusion detection)\\b`,
  ].join("|"),
  "i",
);
/**
 * What is switched on again is not done away with, whoever says so: a manual has a guard rest while something
 * is set up.
 */
const GUARD = `(?:it|them|(?:the |your )?(?:${GUARDS}|firewalls?|antivirus|intrusion detection|ssh)(?: (?:service|daemon|server)s?)?)`;
const RESTORED = new RegExp(
  `\\bre-?(?:enable|activate|start) ${GUARD}\\b|\\b(?:enable|activate|start|turn|switch|bring) (?:on |up )?${GUARD} (?:up )?(?:again|back (?:on|up)|on again)\\b|\\bsystemctl (?:start|enable|unmask|restart) (?:--now )?${GUARDS}\\b|\\bufw enable\\b`,
  "i",
);
const RESTORED_WITHIN = 600;

/** `start`: where the reader is told that he must. */
export function prerequisite(text: string, start: number): boolean {
  const step = text.slice(start, start + STEP_MAX);
  const isFirst = COMES_FIRST.test(step);
  if (!isFirst && !COMES_BEFORE.test(text.slice(Math.max(0, start - BEFORE_MAX), start))) return false;
  if (!SAID_TO_BE_NEEDED.test(step)) return false;
  if (HARMFUL_COMMAND.test(step) || (isFirst && HARMFUL_STEP.test(step))) return true;
  const stopped = GUARD_STOPPED.exec(step);
  if (stopped === null) return false;
  const from = start + stopped.index + stopped[0].length;
  return !RESTORED.test(text.slice(from, from + RESTORED_WITHIN));
}
