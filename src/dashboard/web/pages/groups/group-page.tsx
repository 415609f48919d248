import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function GroupPage() {
  return (
    <>
      <PageHeader title="Failure group" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
