import { cutText } from "../../cut-text.ts";
import { HOST_CHARS_MAX } from "../normalise-host.ts";
import {
  apartBy,
  isMistakenEnding,
  MEMO_MAX,
  MISTYPED_CHARS_MIN,
  type Registered,
  registeredOf,
  skeletonOf,
  squeezed,
} from "./name-shapes.ts";
import { isDelivery, OWN_NETWORK, SHARED_ZONES } from "./well-known-hosts.ts";
import { isWellKnown } from "./well-known-imitation.ts";

/**
 * Whether a host imitates one of those that a project knows, by its history or its allow-list. Their names
 * may be anybody's, so less counts than for a service of which the own domains are known: the same ending, a
 * slip of one stroke, no added words, no other ending but a mistyped one. Hosts of one registered domain are
 * neighbours whatever they are called. One pass over the known names: 512 take 0.1 to 0.3 ms, so ask for new
 * hosts alone.
 */
const ALIKE_CHARS_MIN = 5;
const WHOLE_CHARS_MIN = 4;
const MOVED_CHARS_MIN = 8;

interface Shape extends Registered {
  readonly skeleton: string;
  readonly squeezed: string;
  readonly squeezedDomain: string;
}

const shapes = new Map<string, Shape | null>();

function shapeOf(host: string): Shape | null {
  const known = shapes.get(host);
  if (known !== undefined) return known;
  const registered = host.length > HOST_CHARS_MAX ? null : registeredOf(host);
  const last = host.slice(host.lastIndexOf(".") + 1);
  const shape =
    registered === null || OWN_NETWORK.has(last)
      ? null
      : {
          ...registered,
          skeleton: skeletonOf(registered.label),
          squeezed: squeezed(host),
          squeezedDomain: squeezed(registered.domain),
        };
  if (shapes.size >= MEMO_MAX) shapes.clear();
  shapes.set(cutText(host, HOST_CHARS_MAX + 1), shape);
  return shape;
}

export function imitatedAmong(host: string, known: Iterable<string>): string | null {
  const seen = shapeOf(host);
  if (seen === null || isWellKnown(seen.domain)) return null;
  let found: string | null = null;
  for (const one of known) {
    const shape = shapeOf(one);
    if (shape === null) continue;
    if (shape.domain === seen.domain) return null;
    if (found === null && resembles(shape, seen, host)) found = one;
  }
  return found;
}

function resembles(known: Shape, seen: Shape, host: string): boolean {
  const { label } = known;
  if (label === seen.label)
    return label.length >= WHOLE_CHARS_MIN && isMistakenEnding(known.ending, seen.ending);
  if (known.squeezedDomain.length >= MOVED_CHARS_MIN) {
    if (
      known.squeezedDomain === seen.squeezedDomain ||
      known.squeezedDomain === seen.squeezed ||
      known.squeezed === seen.squeezed
    )
      return true;
  }
  if (known.ending === seen.ending) {
    if (
      label.length >= ALIKE_CHARS_MIN &&
      known.skeleton === seen.skeleton &&
      !differInDigits(label, seen.label)
    )
      return true;
    const shorter = Math.min(label.length, seen.label.length);
    // Names of a common ending (`gstatic`, `bstatic`) are told apart by it: a slip in the first letter does
    // not tell.
    if (shorter >= MISTYPED_CHARS_MIN && label[0] === seen.label[0] && apartBy(label, seen.label) === "slip")
      return true;
  }
  return label.length >= WHOLE_CHARS_MIN && standsWhole(known.domain, seen, host);
}

/** Siblings that are numbered (`cdn0`, `cdn1`) differ in their digits alone. */
function differInDigits(known: string, seen: string): boolean {
  return known.replace(/\D/g, "#") === seen.replace(/\D/g, "#");
}

/**
 * The known domain as labels, or the beginning of one, before the domain that was registered:
 * `partner.example.evil.example`, `partner.example-login.example`.
 */
function standsWhole(domain: string, seen: Shape, host: string): boolean {
  const end = host.length - seen.domain.length;
  if (end === 0) return false;
  for (let at = host.indexOf(domain); at >= 0 && at < end; at = host.indexOf(domain, at + 1)) {
    const behind = host[at + domain.length];
    const isBegun = at === 0 || host[at - 1] === "." || host[at - 1] === "-";
    if (isBegun && (behind === "." || behind === "-"))
      return !isDelivery(domain) && !isDelivery(seen.domain) && !SHARED_ZONES.has(seen.domain);
  }
  return false;
}
