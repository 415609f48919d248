import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function WebhookListPage() {
  return (
    <>
      <PageHeader title="Webhooks" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
