import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function InvitePage() {
  return (
    <>
      <PageHeader title="Accept the invitation" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
