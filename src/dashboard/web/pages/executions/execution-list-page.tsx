import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ExecutionListPage() {
  return (
    <>
      <PageHeader title="Executions" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
