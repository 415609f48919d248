import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function LivePage() {
  return (
    <>
      <PageHeader title="Live tail" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
