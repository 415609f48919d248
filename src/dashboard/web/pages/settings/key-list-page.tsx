import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function KeyListPage() {
  return (
    <>
      <PageHeader title="API keys" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
