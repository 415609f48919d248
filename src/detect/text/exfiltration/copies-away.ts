import { parseDestination, siteOf } from "../../building-blocks/hosts/normalise-host.ts";
import { isHidden } from "./covers.ts";
import type { Way } from "./covert-ways.ts";
import { matchesOf } from "./matches.ts";
import type { CallHosts } from "./outside-hosts.ts";

/**
 * A whole repository, an image or a bucket that is copied to a place which the same call sets up, and which
 * has nothing to do with where it stood. The ordinary push, to `origin`, to a registry of one's own, to a
 * replica of the same name, is none.
 */
const ADDS_REMOTE =
  /\bgit\s(?:-C\s\S{1,120}\s)?remote\s(?:add|set-url)\s(?:--?\w{1,12}\s){0,3}([\w.-]{1,60})\s{1,2}["']?((?:https?|ssh|git):\/\/[^\s"']{3,300}|[\w.-]{1,40}@[\w.-]{3,120}:[^\s"']{1,200})/g;
const PUSHES = /\bgit\s(?:-C\s\S{1,120}\s)?push\s([^\n;|&]{0,300})/g;
const ALL_OF_IT = /--(?:mirror|all|tags)\b|refs\/heads\/\*|\+?refs\/\*|'\*:\*'/;
const TRIES_MAX = 8;
const HOST_OF = /^(?:(?:https?|ssh|git):\/\/)?(?:[^\s@/]{1,120}@)?([\w.-]{3,120})/;

const hostOf = (address: string): string => HOST_OF.exec(address)?.[1]?.toLowerCase() ?? "";

function repositoryAway(text: string, hosts: CallHosts): Way | null {
  const added = new Map<string, string>();
  for (const match of matchesOf(text, ADDS_REMOTE, TRIES_MAX))
    added.set(match[1] ?? "", hostOf(match[2] ?? ""));
  for (const match of matchesOf(text, PUSHES, TRIES_MAX)) {
    const pushed = match[1] ?? "";
    const name = [...added.keys()].find((one) =>
      new RegExp(`(?:^|\\s)${RegExp.escape(one)}(?:\\s|$)`).test(pushed),
    );
    const direct =
      /(?:^|\s)["']?((?:https?|ssh|git):\/\/[^\s"']{3,300}|[\w.-]{1,40}@[\w.-]{3,120}:[^\s"']{1,200})/.exec(
        pushed,
      )?.[1];
    const host = direct === undefined ? (name === undefined ? "" : (added.get(name) ?? "")) : hostOf(direct);
    if (host === "" || hosts.outside([host]) === null) continue;
    const isUsual = name === "origin" || name === "upstream";
    if (isHidden(text) || (!isUsual && ALL_OF_IT.test(pushed) && !/\bgit\sclone\s/.test(text)))
      return { id: "repository-pushed-away", start: match.index, end: match.index + match[0].length };
  }
  return null;
}

const TAGS =
  /\b(?:docker|podman|nerdctl|buildah|crane|skopeo|regctl)\s(?:image\s)?(?:tag|copy|cp|push)\s(?:--?[\w=-]{1,40}\s){0,4}(?:docker:\/\/|containers-storage:|docker-daemon:)?([\w.:/@${}()-]{2,200})\s{1,2}(?:docker:\/\/)?([\w-]{1,60}(?:\.[\w-]{1,60}){1,6}(?::\d{1,5})?)\/[^\s"';|&]{1,200}/g;
const PUBLIC_REGISTRY =
  /^(?:docker\.io|registry-1\.docker\.io|quay\.io|gcr\.io|mcr\.microsoft\.com|public\.ecr\.aws|registry\.k8s\.io|k8s\.gcr\.io)$/;
/** An image of the same job, or a registry that it signs in to. */
const MADE_HERE =
  /\b(?:docker|podman|buildah|nerdctl)\s(?:buildx?\s|image\s)?(?:build|pull|login|compose|load|bud)\b/;
const SHORT_LIVED = /^(?:ttl\.sh|anon|temp|tmp)/;

function imageAway(text: string, hosts: CallHosts): Way | null {
  for (const match of matchesOf(text, TAGS, TRIES_MAX)) {
    const [whole, image = "", registry = ""] = match;
    const host = registry.replace(/:\d{1,5}$/, "").toLowerCase();
    if (hosts.outside([host]) === null || !/\b(?:push|copy|cp)\b/.test(text)) continue;
    const from = /^([\w-]{1,60}(?:\.[\w-]{1,60}){1,6})(?::\d{1,5})?\//.exec(image)?.[1]?.toLowerCase() ?? "";
    const isForeign =
      from !== "" &&
      !PUBLIC_REGISTRY.test(from) &&
      siteOf(parseDestination(from)) !== siteOf(parseDestination(host));
    const hides =
      /\b(?:rmi|image\srm|untag)\b/.test(text.slice(match.index + whole.length)) || isHidden(text);
    if (SHORT_LIVED.test(host) || (hides && (isForeign || (from === "" && !MADE_HERE.test(text)))))
      return { id: "image-pushed-away", start: match.index, end: match.index + whole.length };
  }
  return null;
}

const BUCKETS =
  /\b(?:cp|sync|mv|rsync|copy)\s{1,2}(?:--?[\w=-]{1,40}\s{1,2}){0,4}["']?(s3|gs):\/\/([\w.-]{3,80})[^\s"']{0,200}["']?\s{1,2}(?:--?[\w=-]{1,40}\s{1,2}){0,4}["']?(?:s3|gs):\/\/([\w.-]{3,80})/g;
const NO_FAMILY =
  /^(?:prod|production|stage|staging|test|data|backup|backups|archive|logs?|assets|public|private|media|files|main|east|west|north|south|central|bucket|euc?\d?)$/;
const THROWN_AWAY =
  /(?:^|[-_.])(?:tmp|temp|pub|public|drop|share|x|kx|zz|misc|stash|loot|ext|transfer|incoming)(?:[-_.]|$)|\d{4,20}|[0-9a-f]{8,40}/;
const SAID_QUIETLY = /--only-show-errors|--quiet\b|\s-q\s|>\s?\/dev\/null/;
const OPENED =
  /--acl[\s=]{1,3}["']?(?:public-read|bucket-owner|authenticated)|--predefined-acl|\s-a\s{1,2}public-read/;

const family = (bucket: string): string[] =>
  bucket
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word.length >= 3 && !/^\d/.test(word) && !NO_FAMILY.test(word));

/** From bucket to bucket: of another name, and opened, or hushed up and by its name for a while. */
function bucketAway(text: string): Way | null {
  for (const match of matchesOf(text, BUCKETS, TRIES_MAX)) {
    const from = family(match[2] ?? "");
    const to = match[3] ?? "";
    if (from.length === 0 || family(to).some((word) => from.includes(word)) || /--dry-?run/.test(text))
      continue;
    const signs =
      (OPENED.test(text) ? 2 : 0) +
      (THROWN_AWAY.test(to) ? 1 : 0) +
      (SAID_QUIETLY.test(text) ? 1 : 0) +
      (isHidden(text) ? 1 : 0);
    if (signs >= 2)
      return { id: "bucket-copied-away", start: match.index, end: match.index + match[0].length };
  }
  return null;
}

export function copiedAway(text: string, hosts: CallHosts): Way | null {
  return repositoryAway(text, hosts) ?? imageAway(text, hosts) ?? bucketAway(text);
}
