import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function GroupListPage() {
  return (
    <>
      <PageHeader title="Failure groups" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
