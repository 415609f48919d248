import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
