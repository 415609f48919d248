import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, client } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Input } from "../../components/input.tsx";
import { KeyValue } from "../../components/key-value.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Select } from "../../components/select.tsx";
import { useToast } from "../../components/toast.tsx";
import { nameFault, newPasswordFault, passwordFault, passwordHint } from "../../form/account-checks.ts";
import { FormFault } from "../../form/form-fault.tsx";
import { PasswordInput } from "../../form/password-input.tsx";
import { useForm } from "../../form/use-form.ts";
import { forgetDrafts, hasUnsavedDrafts, useKeptDraft, useUnsavedDraft } from "../../kept-drafts.ts";
import { roleNamed } from "../../roles.ts";
import { leaveForSignIn, sessionQuery, useMember } from "../../session.ts";
import { setThemeChoice, THEME_CHOICES, useThemeChoice } from "../../theme.ts";
import { KeptNotice } from "./kept-notice.tsx";

export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" />
      <div className="flex max-w-2xl flex-col gap-5">
        <Profile />
        <Password />
        <Appearance />
        <Sessions />
      </div>
    </>
  );
}

const NAME_DRAFT = "account name";

function Profile() {
  const member = useMember();
  const queryClient = useQueryClient();
  const toast = useToast();
  const kept = useKeptDraft<string>(NAME_DRAFT);
  const form = useForm({
    initial: { name: kept ?? member.name },
    check: ({ name }) => ({ name: nameFault(name) }),
    async submit({ name }) {
      const saved = await call(client.app.api.account.patch({ name: name.trim() }));
      queryClient.setQueryData(sessionQuery.queryKey, (known) =>
        known === undefined ? known : { ...known, member: saved.member },
      );
      void queryClient.invalidateQueries({ queryKey: ["members"] });
      toast.done("Name saved");
    },
  });
  const typed = form.values.name.trim();
  const changed = typed !== member.name;
  useUnsavedDraft(NAME_DRAFT, changed ? typed : null);
  const { name, may } = roleNamed(member.role);
  return (
    <Card title="Profile">
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {typed === kept && changed ? <KeptNotice /> : null}
        <Field label="Name" error={form.faults.name}>
          {(control) => (
            <div className="flex max-w-md gap-2">
              <Input {...control} {...form.input("name")} autoComplete="name" maxLength={200} />
              <Button type="submit" busy={form.busy} disabled={!changed}>
                Save
              </Button>
            </div>
          )}
        </Field>
        <FormFault text={form.fault} />
        <KeyValue
          items={[
            { name: "E-mail address", value: member.email },
            {
              name: "Role",
              value: (
                <>
                  {name}. <span className="text-muted">{may}</span>
                </>
              ),
            },
          ]}
        />
      </form>
    </Card>
  );
}

function Password() {
  const member = useMember();
  const toast = useToast();
  const form = useForm({
    initial: { current_password: "", new_password: "" },
    check: (values) => ({
      current_password: passwordFault(values.current_password),
      new_password: newPasswordFault(values.new_password),
    }),
    codes: { wrong_credentials: "current_password" },
    async submit(values) {
      await call(client.app.api.account.password.post(values));
      form.reset();
      toast.done("Password changed", "All other browsers are signed out.");
    },
  });
  return (
    <Card title="Password">
      <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-4">
        {/* For the browser's store of passwords: whose it is. */}
        <input type="hidden" name="username" autoComplete="username" value={member.email} />
        <Field label="Current password" error={form.faults.current_password}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.input("current_password")}
              autoComplete="current-password"
              maxLength={1000}
            />
          )}
        </Field>
        <Field label="New password" hint={passwordHint} error={form.faults.new_password}>
          {(control) => (
            <PasswordInput {...control} {...form.input("new_password")} autoComplete="new-password" />
          )}
        </Field>
        <FormFault text={form.fault} />
        <div>
          <Button type="submit" busy={form.busy}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Appearance() {
  const theme = useThemeChoice();
  return (
    <Card title="Appearance" note="in this browser">
      <Field label="Theme">
        {(control) => (
          <Select
            {...control}
            className="w-48"
            value={theme}
            onChange={setThemeChoice}
            options={THEME_CHOICES}
          />
        )}
      </Field>
    </Card>
  );
}

function Sessions() {
  const [asking, setAsking] = useState(false);
  const loses = asking && hasUnsavedDrafts();
  const signOut = async () => {
    await call(client.app.api.account["sign-out-everywhere"].post());
    forgetDrafts();
    leaveForSignIn();
  };
  return (
    <Card title="Sessions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
          A browser stays signed in for two weeks after its last use. This ends all of them, on every device.
        </p>
        <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        description={
          loses
            ? "This browser is signed out too. What you typed on this page is not saved yet, and is gone then."
            : "This browser is signed out too."
        }
        action="Sign out"
        danger={loses}
        onConfirm={signOut}
      />
    </Card>
  );
}
