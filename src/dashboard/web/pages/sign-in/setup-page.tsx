import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function SetupPage() {
  return (
    <>
      <PageHeader title="Create the first account" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
