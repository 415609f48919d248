import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ProjectListPage() {
  return (
    <>
      <PageHeader title="Projects" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
