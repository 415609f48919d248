import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ApiError, call, client } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { roleNamed } from "../../roles.ts";
import { sessionQuery } from "../../session.ts";
import { NewAccountForm } from "./new-account-form.tsx";
import { OidcButton } from "./oidc-button.tsx";
import { VoidLink } from "./void-link.tsx";

const offerQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation-offer", token],
    queryFn: () => call(client.app.api.invitations.lookup.get({ query: { token } })),
    // What is typed must not vanish because the link ran out in the meantime: accepting it will tell.
    staleTime: Number.POSITIVE_INFINITY,
  });

export function InvitePage() {
  const { token = "" } = useSearch({ from: "/signed-out/app/invite" });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const offer = useQuery({ ...offerQuery(token), enabled: token !== "" });

  if (token === "") {
    return <VoidLink title="The link is not complete">Open the whole link that you were sent.</VoidLink>;
  }
  if (offer.isError) {
    if (offer.error instanceof ApiError && (offer.error.status === 404 || offer.error.status === 422)) {
      return (
        <VoidLink title="This invitation is over">
          It was accepted already, has expired or was taken back. Ask an owner for another one.
        </VoidLink>
      );
    }
    return (
      <>
        <PageHeader title="Accept the invitation" />
        <ErrorState
          error={offer.error}
          title="The invitation could not be read"
          onRetry={() => offer.refetch()}
        />
      </>
    );
  }
  if (offer.data === undefined) {
    return (
      <>
        <PageHeader title="Accept the invitation" />
        <SkeletonRows rows={5} />
      </>
    );
  }
  const { email, role } = offer.data;
  const { name, may } = roleNamed(role);
  return (
    <>
      <PageHeader title="Accept the invitation" description={`Your role: ${name}. ${may}`} />
      <NewAccountForm
        email={email}
        action="Join"
        create={(account) => call(client.app.api.invitations.accept.post({ token, ...account }))}
      />
      {session.oidc === null || email === null ? null : (
        <div className="mt-4">
          <OidcButton name={session.oidc.name} />
        </div>
      )}
    </>
  );
}
