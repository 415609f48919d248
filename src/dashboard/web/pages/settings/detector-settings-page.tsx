import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function DetectorSettingsPage() {
  return (
    <>
      <PageHeader title="Detectors" />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
