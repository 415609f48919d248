import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Input } from "../../components/input.tsx";
import { emailFault, nameFault, newPasswordFault, passwordHint } from "../../form/account-checks.ts";
import { EmailInput } from "../../form/email-input.tsx";
import { FormFault } from "../../form/form-fault.tsx";
import { PasswordInput } from "../../form/password-input.tsx";
import { useForm } from "../../form/use-form.ts";
import { useEnter } from "./enter.ts";

export interface NewAccountFormProps {
  /** The address that was invited; absent: any. */
  email?: string | null;
  action: string;
  create: (account: { name: string; email: string; password: string }) => Promise<unknown>;
}

/** What a person types to have an account, whichever link led here; they are signed in with it. */
export function NewAccountForm({ email, action, create }: NewAccountFormProps) {
  const enter = useEnter();
  const form = useForm({
    initial: { name: "", email: email ?? "", password: "" },
    check: (values) => ({
      name: nameFault(values.name),
      email: emailFault(values.email),
      password: newPasswordFault(values.password),
    }),
    codes: { email_taken: "email", email_not_invited: "email" },
    async submit(values) {
      await create(values);
      await enter();
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field label="Your name" error={form.faults.name}>
        {(control) => (
          <Input {...control} {...form.input("name")} autoComplete="name" maxLength={200} autoFocus />
        )}
      </Field>
      <Field
        label="E-mail address"
        error={form.faults.email}
        hint={email ? "The invitation is for this address" : undefined}
      >
        {(control) => (
          <EmailInput
            {...control}
            {...form.input("email")}
            autoComplete="username"
            readOnly={Boolean(email)}
          />
        )}
      </Field>
      <Field label="Password" error={form.faults.password} hint={passwordHint}>
        {(control) => <PasswordInput {...control} {...form.input("password")} autoComplete="new-password" />}
      </Field>
      <FormFault text={form.fault} />
      <Button type="submit" variant="primary" busy={form.busy} className="h-9 w-full">
        {action}
      </Button>
    </form>
  );
}
