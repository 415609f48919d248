import { queryOptions } from "@tanstack/react-query";
import { call, client } from "../../../client.ts";

/** Who belongs to the installation, and who is invited. */

export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: async () => (await call(client.app.api.members.get())).items,
});
export type ListedMember = Awaited<ReturnType<NonNullable<typeof membersQuery.queryFn>>>[number];

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: async () => (await call(client.app.api.invitations.get())).items,
});
export type Invitation = Awaited<ReturnType<NonNullable<typeof invitationsQuery.queryFn>>>[number];
