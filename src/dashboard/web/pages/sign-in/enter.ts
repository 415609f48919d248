import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { ApiError } from "../../client.ts";
import { sessionQuery } from "../../session.ts";

/** Goes on, as whom the service has just signed in. The form does not stay behind the back button. */
export function useEnter(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useCallback(
    async (next = "/app") => {
      // Nothing of what another member saw at this browser is shown to this one.
      queryClient.clear();
      const { member } = await queryClient.fetchQuery(sessionQuery);
      if (member === null) {
        throw new ApiError(
          401,
          "session_not_kept",
          "The browser did not keep the session. Open the dashboard at the address that its administrator gave it, and allow cookies.",
        );
      }
      router.history.replace(next);
    },
    [queryClient, router],
  );
}
