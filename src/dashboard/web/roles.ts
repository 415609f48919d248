import type { Role } from "./session.ts";

/** What a role may do, in the words of whoever gives it or gets it. */
export const roles: readonly { readonly role: Role; readonly name: string; readonly may: string }[] = [
  { role: "viewer", name: "Viewer", may: "sees everything and changes nothing" },
  {
    role: "member",
    name: "Member",
    may: "also works on failure groups, keys, webhooks and project settings",
  },
  { role: "owner", name: "Owner", may: "also manages projects and people" },
];

export function roleName(role: Role): string {
  return roles.find((each) => each.role === role)?.name ?? role;
}
