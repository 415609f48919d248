/**
 * The hosts that an execution has contacted, each with the event that did so first. Bounded: the one noted
 * longest ago leaves. Changed in place.
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
