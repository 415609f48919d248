/**
 * The hosts that an execution has contacted, each with the event that did so first. Bounded: the one noted longest ago
 * leaves. Changed in place.
 */
export interface Contact {
  readonly host: string;
  readonly eventId: string;
  readonly sequence: number;
}

const CONTACTS_MAX = 32;

/** Notes a contact; null where the host was contacted before, by sequence or as far as has been seen. */
export function noteContact(contacts: Contact[], contact: Contact): Contact | null {
  const at = contacts.findIndex((one) => one.host === contact.host);
  if (at >= 0) {
    if (contact.sequence < (contacts[at] as Contact).sequence) contacts[at] = contact;
    return null;
  }
  if (contacts.length >= CONTACTS_MAX) contacts.shift();
  contacts.push(contact);
  return contact;
}

const PART_OF_A_HOST = /[\p{L}\p{N}.-]/u;
const GOES_ON = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u;

/** True if the text names this very host: none below it, none that merely ends or begins like it. */
export function namesHost(text: string, host: string): boolean {
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    const end = at + host.length;
    if (at > 0 && PART_OF_A_HOST.test(text.charAt(at - 1))) continue;
    if (!GOES_ON.test(text.slice(end, end + 3))) return true;
  }
  return false;
}

const ADDRESS = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6})(?=[/:?#]|$)/;
/** Behind these a host is part of an address or of a mail's, which are compared as they stand. */
const OF_AN_ADDRESS = "/@";

/** The host of a web address, without `www.`, if the text names it by itself, as in "open pay.example and log in"; null if not. */
export function hostNamedIn(text: string, address: string): string | null {
  const host = ADDRESS.exec(address)?.[1];
  if (host === undefined || !namesHost(text, host)) return null;
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    if (at === 0 || !OF_AN_ADDRESS.includes(text.charAt(at - 1))) return host;
  }
  return null;
}
