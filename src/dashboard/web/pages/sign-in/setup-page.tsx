import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { call, client } from "../../client.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { sessionQuery } from "../../session.ts";
import { NewAccountForm } from "./new-account-form.tsx";
import { VoidLink } from "./void-link.tsx";

export function SetupPage() {
  const { token } = useSearch({ from: "/signed-out/app/setup" });
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (session.member !== null || !session.setup_needed) {
    return (
      <VoidLink title="Already set up">
        This installation has an owner. Ask one of them to invite you.
      </VoidLink>
    );
  }
  if (token === undefined) {
    return (
      <VoidLink title="The link is not complete">
        Open the whole link that the service printed when it started. Its end is the proof that you may create
        the first account.
      </VoidLink>
    );
  }
  return (
    <>
      <PageHeader
        title="Create the first account"
        description="You become owner: you can create projects and invite others."
      />
      <NewAccountForm
        action="Create account"
        create={(account) => call(client.app.api.setup.post({ token, ...account }))}
      />
    </>
  );
}
