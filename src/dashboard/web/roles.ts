import type { Role } from "./session.ts";

/** What roles may do, in the words of whoever gives or gets one. */
export const roles: readonly { readonly role: Role; readonly name: string; readonly may: string }[] = [
  { role: "viewer", name: "Viewer", may: "Viewers see everything and change nothing." },
  {
    role: "member",
    name: "Member",
    may: "Members see everything and work on failure groups, keys, webhooks and project settings.",
  },
  { role: "owner", name: "Owner", may: "Owners may do everything, projects and people included." },
];

export function roleNamed(role: Role): { readonly name: string; readonly may: string } {
  return roles.find((each) => each.role === role) ?? { name: role, may: "" };
}
