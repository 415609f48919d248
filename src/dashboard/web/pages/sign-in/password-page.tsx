import { useSearch } from "@tanstack/react-router";
import { call, client } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { newPasswordFault, passwordHint } from "../../form/account-checks.ts";
import { FormFault } from "../../form/form-fault.tsx";
import { PasswordInput } from "../../form/password-input.tsx";
import { useForm } from "../../form/use-form.ts";
import { useEnter } from "./enter.ts";
import { VoidLink } from "./void-link.tsx";

/** A lost password: the link that an operator made leads here. */
export function PasswordPage() {
  const { token } = useSearch({ from: "/signed-out/app/password" });
  const enter = useEnter();
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) => ({ password: newPasswordFault(password) }),
    async submit({ password }) {
      await call(client.app.api.password.post({ token: token ?? "", password }));
      await enter();
    },
  });
  if (token === undefined) {
    return <VoidLink title="The link is not complete">Open the whole link that you were sent.</VoidLink>;
  }
  return (
    <>
      <PageHeader
        title="Choose a new password"
        description="You are signed out everywhere else, and signed in here."
      />
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="New password" error={form.faults.password} hint={passwordHint}>
          {(control) => (
            <PasswordInput {...control} {...form.input("password")} autoComplete="new-password" autoFocus />
          )}
        </Field>
        <FormFault text={form.fault} />
        <Button type="submit" variant="primary" busy={form.busy} className="h-9 w-full">
          Set the password
        </Button>
      </form>
    </>
  );
}
