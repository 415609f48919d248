import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function MemberListPage() {
  return (
    <>
      <PageHeader title="Members" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
