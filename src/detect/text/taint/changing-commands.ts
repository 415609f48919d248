import { parsedArguments } from "./argument-values.ts";

/**
 * Commands of a shell, statements to a database and lines of code that change something which outlives the
 * agent's own work: what they do tells it, for the tool that runs them is called the same whatever it runs.
 * To look, to build, to test and to write files of one's own is none.
 */
const SHELL = String.raw`rm\s{1,4}(?!(?:-\w{1,20}\s{1,4}){0,4}(?:\/tmp\/|\.?\/?(?:build|dist|out|target|node_modules|__pycache__|coverage|\.cache)\b))\S|truncate\s|shred\s|mkfs|dd\s.{0,80}\bof=|chmod\s|chown\s|usermod\s|user(?:add|del)\s|adduser\s|groupadd\s|gpasswd\s|passwd\s|visudo|systemctl\s{1,4}(?:--\S{1,40}\s{1,4}){0,4}(?:stop|disable|enable|mask|restart|start|kill)\b|service\s{1,4}\S{1,80}\s{1,4}(?:stop|restart|start)\b|launchctl\s{1,4}(?:load|unload|disable|boot)|crontab\s{1,4}(?!-l)|iptables\s|nft\s{1,4}(?:add|delete|insert|flush)|ufw\s{1,4}(?!status)|firewall-cmd\s{1,4}(?!--list|--get|--state)|netsh\s{1,4}advfirewall\s{1,4}(?!show)|ssh-copy-id\s|kubectl\s{1,4}(?:-\S{1,80}\s{1,4}\S{1,80}\s{1,4})?(?:apply|delete|create|patch|replace|scale|drain|cordon|taint|edit|set|label|annotate|rollout\s{1,4}(?:restart|undo))\b|helm\s{1,4}(?:install|upgrade|uninstall|rollback|delete)\b|docker\s{1,4}(?:rm|rmi|stop|kill|push|volume\s{1,4}rm|system\s{1,4}prune|compose\s{1,4}down)\b|(?:terraform|tofu)\s{1,4}(?:apply|destroy|import|state\s{1,4}rm)\b|ansible-playbook\s|aws\s{1,4}\S{1,80}\s{1,4}(?:delete|put|create|update|modify|authorize|revoke|attach|detach|terminate|stop|reboot|add|remove|rm|cp|mv|sync)|(?:gcloud|az|doctl|oci)\s.{1,80}?\b(?:delete|create|update|deploy|add-iam-policy-binding|set-iam-policy|assign|disable|enable|start|stop)\b|git\s{1,4}(?:-C\s{1,4}\S{1,80}\s{1,4})?(?:push|config\s{1,4}--(?:global|system)|remote\s{1,4}(?:add|set-url)|reset\s{1,4}--hard|clean\s{1,4}-|branch\s{1,4}-D|filter-)|gh\s{1,4}(?:pr\s{1,4}(?:merge|close|review)|issue\s{1,4}(?:edit|close|delete|transfer)|release\s{1,4}create|secret\s{1,4}set|repo\s{1,4}(?:edit|delete|create)|workflow\s{1,4}run|api\s.{0,120}-X\s{0,4}(?:POST|PUT|PATCH|DELETE))|(?:npm|pip|yarn|pnpm)\s{1,4}(?:publish|config\s{1,4}set)|(?:npm|yarn|pnpm|bun)\s{1,4}(?:i|install|add)\s.{0,80}?(?:github:|git\+|git@|https?:)|(?:pip3?|pipx)\s{1,4}install\s.{0,80}?(?:git\+|https?:)|(?:npx|uvx|bunx)\s.{0,40}?(?:github:|git\+|https?:)|curl\s.{0,300}?(?:-X\s{0,4}|--request[ =])["']?(?:POST|PUT|PATCH|DELETE)|curl\s.{0,300}?\s(?:-d|-F|-T|--data\S*|--form|--upload-file)[ =]|wget\s.{0,200}--post|(?:curl|wget)\s[^|]{1,300}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da)?sh\b|(?:scp|rsync)\s.{1,200}\s\S{1,100}:|Invoke-(?:WebRequest|RestMethod)\s.{0,200}-Method\s{1,4}["']?(?:Post|Put|Patch|Delete)|(?:Remove|Set|New|Add|Disable|Enable|Stop|Restart|Clear|Revoke|Grant)-[A-Z]\w{2,40}\s|reg\s{1,4}(?:add|delete)\s|schtasks\s{1,4}\/(?:create|delete|change)|net\s{1,4}(?:user|localgroup)\s{1,4}\S{1,80}\s{1,4}\S|redis-cli\s.{0,60}(?:FLUSH|DEL|SET|CONFIG)`;
const SQL = String.raw`update\s{1,4}[\w."\x60\[\]]{1,80}\s{1,4}(?:as\s{1,4}\w{1,20}\s{1,4})?set\s|delete\s{1,4}from\s|insert\s{1,4}into\s|merge\s{1,4}into\s|(?:drop|truncate)\s{1,4}(?:table|schema|database|view|role|user|index)\s|alter\s{1,4}(?:table|role|user|database|system|policy|schema|warehouse|account)\s|(?:grant|revoke)\s.{1,200}\s(?:to|from)\s|create\s{1,4}(?:user|role|trigger|or\s{1,4}replace)\s`;
/** Where a line of code or of a shell reaches what is not its own. */
const WITHIN = String.raw`>{1,2}\s{0,4}["']?(?:~|\$HOME|\/home\/[\w.-]{1,40}|\/root)\/\.(?:ssh|bash|zsh|profile|aws|kube)|>{1,2}\s{0,4}["']?\/etc\/|\btee\s{1,4}(?:-a\s{1,4})?["']?\/etc\/|\brequests\.(?:post|put|patch|delete)\(|\bmethod:\s{0,4}["'](?:POST|PUT|PATCH|DELETE)|\bshutil\.rmtree\(|\bos\.(?:remove|unlink|chmod)\(|\bsendmail\(|\.(?:deleteMany|deleteOne|updateMany|updateOne|insertOne|dropDatabase)\(|\bopen\(\s{0,4}["'](?:\/(?!tmp\/)|~|\.\.\/)[^"']{1,200}["'],\s{0,4}["'][wa]|\|\s{0,4}crontab\b`;

const BEGINS = new RegExp(`^(?:${SHELL}|${SQL})`, "i");
const HOLDS = new RegExp(WITHIN, "i");
/** The same in a text that tells of a command: behind a space or a mark. */
const TOLD = new RegExp(
  String.raw`(?:^|[\s\x60'"(（「:：;；&|#>])(?:sudo\s{1,4})?(?:${SHELL}|${SQL})|${WITHIN}`,
  "i",
);
/** A cheap look before that. */
const MAY_TELL =
  /\b(?:rm|sudo|curl|wget|npm|npx|pip3?|kubectl|systemctl|git|aws|chmod|crontab|docker|terraform|ufw|iptables|update|delete|insert|grant|drop|truncate|alter|gh|helm|usermod|useradd|firewall-cmd|gcloud|az|net|Invoke-\w{1,20}|open|requests)\b|authorized_keys|\/etc\//i;

const LINE_MAX = 1_200;
const COMMAND_MIN = 8;
const COMMANDS_MAX = 16;
const BEFORE =
  /^(?:[\s$(]{1,8}|sudo\s{1,4}(?:-\S{1,40}\s{1,4}){0,4}|nohup\s|time\s|env\s|\w{1,30}=\S{1,100}\s){1,6}/;
/**
 * A download that a shell runs, or that is made a program, is one command; else what is joined are several.
 */
const RUNS_DOWNLOAD =
  /(?:curl|wget)\s[^|\n]{1,300}(?:\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da)?sh\b|(?:&&|;)\s{0,4}(?:sudo\s{1,4})?chmod\s{1,4}(?:[augo]{0,4}\+x|[0-7]{3,4})\s)/gi;
const PARTS = /&&|\|\|?|;|\n/;

/** True for a line of a text that tells a command which changes something. */
export const tellsCommand = (line: string): boolean => {
  if (line.length > LINE_MAX || !MAY_TELL.test(line)) return false;
  return TOLD.test(line);
};

/** The commands of a line that change something, without who runs them. */
export function changingCommands(given: string): readonly string[] {
  const line = given.slice(0, LINE_MAX * 4);
  const found: string[] = [...line.matchAll(RUNS_DOWNLOAD)].map(([all]) => all.trim());
  for (const part of line.split(PARTS, COMMANDS_MAX * 4)) {
    const command = part.slice(0, LINE_MAX).replace(BEFORE, "").trim();
    if (command.length >= COMMAND_MIN && (BEGINS.test(command) || HOLDS.test(command))) found.push(command);
  }
  return found.slice(0, COMMANDS_MAX);
}

const COMMAND_KEY =
  /^(?:\w{0,12}_)?(?:cmd|commands?|code|scripts?|sql|query|statements?|stmt|input|source|shell|args|argv|line|body_sql)$/i;

/**
 * What the arguments of a call run that changes something. `runs`: whatever they are called, for the tool
 * only runs things.
 */
export function commandsOfCall(given: unknown, runs: boolean): readonly string[] {
  const args = parsedArguments(given);
  if (typeof args === "string") return runs ? changingCommands(args) : [];
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args).flatMap(([key, value]) => {
    const text = Array.isArray(value) ? value.filter((one) => typeof one === "string").join(" ") : value;
    if (typeof text !== "string" || text.length < COMMAND_MIN) return [];
    return runs ||
      COMMAND_KEY.test(key) ||
      /^(?:update|delete|insert|grant|drop|alter|truncate)\s/i.test(text)
      ? changingCommands(text)
      : [];
  });
}
