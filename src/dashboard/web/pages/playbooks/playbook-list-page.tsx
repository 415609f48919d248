import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function PlaybookListPage() {
  return (
    <>
      <PageHeader title="Playbooks" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
