import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, client } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field } from "../../../components/field.tsx";
import { Select } from "../../../components/select.tsx";
import { emailFault } from "../../../form/account-checks.ts";
import { EmailInput } from "../../../form/email-input.tsx";
import { FormFault } from "../../../form/form-fault.tsx";
import { useForm } from "../../../form/use-form.ts";
import { roleNamed, roles } from "../../../roles.ts";
import type { Role } from "../../../session.ts";
import { invitationsQuery } from "./member-queries.ts";

export interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  const [link, setLink] = useState<string | null>(null);
  const change = (next: boolean) => {
    if (!next) setLink(null);
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      persistent={link !== null}
      size={link === null ? "small" : "medium"}
      title={link === null ? "Invite somebody" : "The invitation's link"}
      description={
        link === null
          ? "You get a link to send: the service itself sends no mail."
          : "Send it to whom you invite. Whoever opens it first has the account."
      }
    >
      {!open ? null : link === null ? (
        <InviteForm onCreated={setLink} onCancel={() => change(false)} />
      ) : (
        <div className="flex flex-col gap-4">
          <div className="flex flex-col gap-2">
            <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
              <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{link}</code>
              <CopyButton text={link} label="Copy link" labelled />
            </div>
            <p className="text-xs text-muted">
              It works once, for seven days, and is shown only now. If it goes astray, withdraw the
              invitation.
            </p>
          </div>
          <div className="flex justify-end">
            <Button variant="primary" onClick={() => change(false)}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

const roleOptions = roles.map(({ role, name }) => ({ value: role, label: name }));

function InviteForm({ onCreated, onCancel }: { onCreated: (link: string) => void; onCancel: () => void }) {
  const queryClient = useQueryClient();
  const [role, setRole] = useState<Role>("member");
  const form = useForm({
    initial: { email: "" },
    check: ({ email }) => ({ email: email.trim() === "" ? undefined : emailFault(email) }),
    codes: { email_taken: "email" },
    async submit({ email }) {
      const invited = email.trim() === "" ? null : email.trim();
      const { url } = await call(client.app.api.invitations.post({ email: invited, role }));
      void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      onCreated(url);
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field
        label="E-mail address"
        hint="Only this address can join then. Empty: whoever opens the link."
        error={form.faults.email}
      >
        {(control) => <EmailInput {...control} {...form.input("email")} autoComplete="off" autoFocus />}
      </Field>
      <Field label="Role" hint={roleNamed(role).may}>
        {(control) => <Select {...control} value={role} onChange={setRole} options={roleOptions} />}
      </Field>
      <FormFault text={form.fault} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          Create link
        </Button>
      </div>
    </form>
  );
}
