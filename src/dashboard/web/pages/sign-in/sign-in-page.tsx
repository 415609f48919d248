import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function SignInPage() {
  return (
    <>
      <PageHeader title="Sign in" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
