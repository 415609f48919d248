import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function WebhookPage() {
  return (
    <>
      <PageHeader title="Webhook" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
