import { HOST_CHARS_MAX } from "../normalise-host.ts";
import {
  apartBy,
  MEMO_MAX,
  MISTYPED_CHARS_MIN,
  type Registered,
  registeredOf,
  skeletonOf,
  squeezed,
} from "./name-shapes.ts";
import {
  BAIT,
  isDelivery,
  OTHER_NAMES,
  OWN_NETWORK,
  SERVICES,
  type Service,
  SHARED_ZONES,
} from "./well-known-hosts.ts";

/**
 * Whether a host imitates a service that agents talk to. It hangs on the name alone, needs no history and is
 * remembered by name: 15 µs for a name not seen before, 70 µs for the worst of 253 characters, 0.05 µs for
 * one seen again. Never throws.
 */
export type Manner =
  | "whole-name"
  | "drawn-alike"
  | "mistyped"
  | "moved"
  | "other-ending"
  | "added-word"
  | "borrowed";

export interface Imitation {
  /** The host imitated. */
  readonly of: string;
  readonly manner: Manner;
}

const ANY_LETTER_CHARS_MIN = 8;
/** Words of others beside a name. */
const ADDED_WORDS = 1;
const PARTS_MAX = 8;

const OWN_LABELS = new Set(
  SERVICES.filter((one) => one.kind === "spread").flatMap((one) =>
    one.own.map((own) => registeredOf(own)!.label),
  ),
);
const OWN = new Set(SERVICES.flatMap((one) => one.own));
const byName = new Map(SERVICES.map((one) => [one.name, one]));
const bySkeleton = new Map(SERVICES.map((one) => [skeletonOf(one.name), one]));
/**
 * The first label of each domain of its own that may stand whole inside another host, with what follows it.
 */
const WHOLE = new Map(
  SERVICES.map((one) => [one.name, one.own.filter((own) => own.startsWith(`${one.name}.`))]),
);
const bySqueezed = new Map(
  SERVICES.flatMap((one) =>
    one.own.filter((own) => own.length >= 8).map((own) => [squeezed(own), one] as const),
  ),
);
const COINED = SERVICES.filter((one) => one.kind !== "word");
const MISSPELT = COINED.filter((one) => one.name.length >= MISTYPED_CHARS_MIN);

const memo = new Map<string, Imitation | null>();

export function wellKnownImitated(host: string): Imitation | null {
  const known = memo.get(host);
  if (known !== undefined) return known;
  const found = host.length > HOST_CHARS_MAX ? null : judge(host);
  if (memo.size >= MEMO_MAX) memo.clear();
  memo.set(host, found);
  return found;
}

export const isWellKnown = (domain: string): boolean => OWN.has(domain);

function judge(host: string): Imitation | null {
  const registered = registeredOf(host);
  if (registered === null || OWN_NETWORK.has(registered.ending.slice(registered.ending.lastIndexOf(".") + 1)))
    return null;
  const tenant = tenantOf(host);
  if (tenant !== null) return byTenant(tenant);
  if (OWN.has(registered.domain)) return null;
  if (!isDelivery(registered.domain)) {
    const whole = wholeNameIn(host.slice(0, -registered.domain.length), registered.domain);
    if (whole !== null) return { of: whole, manner: "whole-name" };
  }
  return byMoved(host) ?? byLabel(registered);
}

/** The label before a zone that anybody can have a name in. */
function tenantOf(host: string): string | null {
  for (let dot = host.indexOf("."); dot > 0; dot = host.indexOf(".", dot + 1)) {
    if (SHARED_ZONES.has(host.slice(dot + 1))) return host.slice(host.lastIndexOf(".", dot - 1) + 1, dot);
  }
  return null;
}

/**
 * A service's whole domain as labels, or as parts of labels, with something behind it:
 * `openai.com.evil.example`, `github-com.login.example`.
 */
function wholeNameIn(below: string, domain: string): string | null {
  const before = below === "" ? 0 : below.split(/[.-]/).length - 1;
  const parts = `${below}${domain}`.split(/[.-]/);
  // A name that begins with the registered label itself counts where hyphens make it: `github-com.example`.
  const last = domain.includes("-") ? parts.length - 2 : before;
  for (let at = 0; at < last; at++) {
    const own = WHOLE.get(parts[at]!) ?? WHOLE.get(bySkeleton.get(skeletonOf(parts[at]!))?.name ?? "");
    const found = own?.find((one) => {
      const rest = one.split(".").slice(1);
      return at + rest.length < parts.length - 1 && rest.every((part, i) => parts[at + 1 + i] === part);
    });
    if (found !== undefined) return found;
  }
  return null;
}

/** A dot or a hyphen moved: `git.hub.com`, `open-ai.com`, `wwwopenai.com`. */
function byMoved(host: string): Imitation | null {
  const labels = host.split(".");
  for (let from = Math.max(0, labels.length - 4); from < labels.length - 1; from++) {
    const service = bySqueezed.get(squeezed(labels.slice(from).join("")));
    if (service !== undefined) return { of: service.host, manner: "moved" };
  }
  return null;
}

function byLabel({ label, ending }: Registered): Imitation | null {
  if (OTHER_NAMES.has(label) || OWN_LABELS.has(label)) return null;
  const same = byName.get(label);
  // Some own the last label too: `store.google`.
  if (same !== undefined)
    return same.kind === "coined" && !byName.has(ending) ? { of: same.host, manner: "other-ending" } : null;
  const alike = bySkeleton.get(skeletonOf(label));
  if (alike !== undefined) return { of: alike.host, manner: "drawn-alike" };
  const misspelt = misspeltIn(label, ending);
  return misspelt === null ? byWords(label, ADDED_WORDS) : { of: misspelt.host, manner: "mistyped" };
}

function misspeltIn(label: string, ending: string): Service | null {
  for (const service of MISSPELT) {
    const { name, kind } = service;
    const apart = apartBy(name, label);
    if (apart === "slip") return service;
    const isLong = name.length >= ANY_LETTER_CHARS_MIN;
    if (apart === "other" && (isLong || service.host === `${name}.${ending}`)) return service;
    if (kind === "coined" && label.startsWith(name) && /^(?:s|\d{1,4})$/.test(label.slice(name.length)))
      return service;
  }
  return null;
}

/**
 * A service's name as a part of the label, spelt rightly or not, or glued to a word of imitators. Beside the
 * right spelling of a name any words but theirs may be its owner's, so no more than `addedMax` of them count,
 * and a word of a coined name alone.
 */
function byWords(label: string, addedMax: number): Imitation | null {
  const parts = label.split("-");
  const names =
    parts.length < 2
      ? []
      : parts.filter((one) => !BAIT.has(one) && !/^\d{1,4}$/.test(one)).slice(0, PARTS_MAX);
  for (const part of names) {
    const service = byName.get(part);
    if (service !== undefined && names.length === 1) return { of: service.host, manner: "added-word" };
    if (service?.kind === "coined" && names.length - 1 <= addedMax)
      return { of: service.host, manner: "borrowed" };
    if (service !== undefined || OTHER_NAMES.has(part)) continue;
    const alike = bySkeleton.get(skeletonOf(part)) ?? misspeltIn(part, "");
    if (alike !== null && alike !== undefined) return { of: alike.host, manner: "added-word" };
  }
  for (const part of parts.slice(0, PARTS_MAX)) {
    const service = COINED.find((one) => isGlued(part, one));
    if (service !== undefined) return { of: service.host, manner: "added-word" };
  }
  return null;
}

function isGlued(part: string, { name }: Service): boolean {
  if (part.length <= name.length) return false;
  if (part.startsWith(name)) return BAIT.has(part.slice(name.length).replace(/\d{1,4}$/, ""));
  return part.endsWith(name) && BAIT.has(part.slice(0, -name.length));
}

/**
 * Among tenants of a provider the names of services are common; what is drawn alike, or put beside words of
 * sign-in, is not.
 */
function byTenant(tenant: string): Imitation | null {
  const whole = wholeNameIn("", tenant);
  if (whole !== null) return { of: whole, manner: "whole-name" };
  const alike = byName.has(tenant) ? undefined : bySkeleton.get(skeletonOf(tenant));
  if (alike !== undefined) return { of: alike.host, manner: "drawn-alike" };
  return byWords(tenant, 0);
}
