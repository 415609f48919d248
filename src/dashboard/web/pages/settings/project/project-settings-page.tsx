import { useQuery } from "@tanstack/react-query";
import { Card } from "../../../components/card.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { SkeletonRows } from "../../../components/skeleton.tsx";
import { useProjectId } from "../../../projects.ts";
import { projectQuery } from "../settings-queries.ts";
import { ProjectForm } from "./project-form.tsx";

export function ProjectSettingsPage() {
  const projectId = useProjectId();
  const { data, error, refetch } = useQuery(projectQuery(projectId));
  return (
    <>
      <PageHeader
        title="General"
        documentTitle="Project settings"
        description="Name, limits, notifications and retention of this project. Changes reach the running service within two seconds."
      />
      {data !== undefined ? (
        <ProjectForm key={projectId} project={data} />
      ) : error === null ? (
        <Card>
          <SkeletonRows rows={10} />
        </Card>
      ) : (
        <Card>
          <ErrorState error={error} title="The project could not be loaded" onRetry={refetch} />
        </Card>
      )}
    </>
  );
}
