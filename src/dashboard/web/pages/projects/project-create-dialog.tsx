import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call, client } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Input } from "../../components/input.tsx";
import { nameFault } from "../../form/account-checks.ts";
import { FormFault } from "../../form/form-fault.tsx";
import { useForm } from "../../form/use-form.ts";
import { projectsQuery } from "../../projects.ts";

export interface ProjectCreateDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ProjectCreateDialog({ open, onOpenChange }: ProjectCreateDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New project"
      description="Next come a key and the first event. Limits and the rest stand in the project's settings."
    >
      {open ? <ProjectForm onCancel={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function ProjectForm({ onCancel }: { onCancel: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { name: "" },
    check: ({ name }) => ({ name: nameFault(name) }),
    async submit({ name }) {
      const project = await call(client.app.api.projects.post({ name: name.trim() }));
      // The page of the project looks for it in the list.
      queryClient.setQueryData(projectsQuery.queryKey, (known) => [...(known ?? []), project]);
      await navigate({ to: "/app/p/$projectId/start", params: { projectId: project.project_id } });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field label="Name" hint="What you call it. It can be changed." error={form.faults.name}>
        {(control) => (
          <Input
            {...control}
            {...form.input("name")}
            autoComplete="off"
            maxLength={200}
            placeholder="Checkout agent"
            autoFocus
          />
        )}
      </Field>
      <FormFault text={form.fault} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          Create project
        </Button>
      </div>
    </form>
  );
}
