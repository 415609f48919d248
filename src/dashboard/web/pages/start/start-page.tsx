import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function StartPage() {
  return (
    <>
      <PageHeader title="Send the first event" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
