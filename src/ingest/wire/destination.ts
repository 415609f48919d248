import { isIPv6 } from "node:net";

/**
 * `egress.destination` as the interface words it: host or host:port, normalised by the client so that paths,
 * query strings and credentials are never sent. What carries one of those is refused, and the refusal must
 * not echo it.
 */
const HOST = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.-]{0,251}[\p{L}\p{N}\p{M}_.])?(?::(\d{1,5}))?$/u;
const BRACKETED = /^\[([0-9a-fA-F:.]{2,45})(?:%[\w.-]{1,32})?\](?::(\d{1,5}))?$/;
const PORT_MAX = 65_535;

export function isDestination(text: string): boolean {
  if (text.length > 261) return false;
  const bracketed = BRACKETED.exec(text);
  if (bracketed !== null) return isIPv6(bracketed[1]!) && isPort(bracketed[2]);
  const host = HOST.exec(text);
  return host !== null && !text.includes("..") && isPort(host[1]);
}

function isPort(digits: string | undefined): boolean {
  return digits === undefined || (Number(digits) >= 1 && Number(digits) <= PORT_MAX);
}
