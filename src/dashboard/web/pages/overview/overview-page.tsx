import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function OverviewPage() {
  return (
    <>
      <PageHeader title="Overview" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
