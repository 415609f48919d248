import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ExecutionPage() {
  return (
    <>
      <PageHeader title="Execution" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
