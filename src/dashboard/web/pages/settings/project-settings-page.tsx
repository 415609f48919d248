import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function ProjectSettingsPage() {
  return (
    <>
      <PageHeader title="Project settings" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
