import { useQueryClient } from "@tanstack/react-query";
import { useProjectId } from "../../../projects.ts";
import { type DetectorSetting, detectorsQuery } from "../settings-queries.ts";

/** Puts the answer of a change into the list: the rest of it has not moved. */
export function useDetectorSaved(): (saved: DetectorSetting) => void {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  return (saved) =>
    queryClient.setQueryData(detectorsQuery(projectId).queryKey, (known) =>
      known?.map((each) => (each.class === saved.class ? saved : each)),
    );
}
