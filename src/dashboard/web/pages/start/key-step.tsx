import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { call, errorText } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { useHasRole } from "../../session.ts";
import { keysQuery, projectApi } from "../settings/settings-queries.ts";
import { ShownOnce } from "../settings/shown-once.tsx";

export interface KeyStepProps {
  projectId: string;
  /** The key made on this visit. */
  value: string | null;
  onCreated: (key: string) => void;
}

export function KeyStep({ projectId, value, onCreated }: KeyStepProps) {
  const canCreate = useHasRole("member");
  const queryClient = useQueryClient();
  const keys = useQuery(keysQuery(projectId));
  const active = keys.data?.filter((key) => key.revoked_at === null).length ?? 0;
  const create = useMutation({
    mutationFn: () => call(projectApi(projectId).keys.post({ name: "first steps" })),
    onSuccess: ({ key }) => {
      void queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey });
      onCreated(key);
    },
  });

  if (value !== null)
    return (
      <div className="flex flex-col gap-2">
        <ShownOnce label="API key" value={value} />
        <p className="text-xs text-muted">It stands in the snippets below already.</p>
      </div>
    );
  return (
    <div className="flex flex-col items-start gap-2">
      {canCreate ? (
        <Button
          variant="primary"
          icon={<KeyRound aria-hidden />}
          busy={create.isPending}
          onClick={() => create.mutate()}
        >
          Make a key
        </Button>
      ) : (
        <p className="text-sm text-muted">Making keys asks for the role member. Ask a colleague for one.</p>
      )}
      {create.isError ? (
        <p role="alert" className="text-sm text-bad">
          {errorText(create.error)}
        </p>
      ) : null}
      {active === 0 ? null : (
        <p className="text-xs text-muted">
          The project has {active === 1 ? "a key" : `${active} keys`} already; what{" "}
          {active === 1 ? "it is" : "they are"} cannot be shown again.{" "}
          <Link to="/app/p/$projectId/settings/keys" params={{ projectId }} className="text-accent underline">
            See the keys
          </Link>
        </p>
      )}
    </div>
  );
}
