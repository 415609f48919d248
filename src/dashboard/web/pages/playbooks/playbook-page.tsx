import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function PlaybookPage() {
  return (
    <>
      <PageHeader title="Playbook" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
