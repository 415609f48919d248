import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { call, client } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { emailFault, passwordFault } from "../../form/account-checks.ts";
import { EmailInput } from "../../form/email-input.tsx";
import { FormFault } from "../../form/form-fault.tsx";
import { PasswordInput } from "../../form/password-input.tsx";
import { useForm } from "../../form/use-form.ts";
import { hasKeptDrafts } from "../../kept-drafts.ts";
import { sessionQuery } from "../../session.ts";
import { useEnter } from "./enter.ts";
import { OidcButton } from "./oidc-button.tsx";
import { oidcRefusal } from "./oidc-refusals.ts";

export function SignInPage() {
  const { next, error, ended } = useSearch({ from: "/signed-out/app/sign-in" });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const enter = useEnter();
  const form = useForm({
    initial: { email: "", password: "" },
    check: ({ email, password }) => ({ email: emailFault(email), password: passwordFault(password) }),
    async submit({ email, password }) {
      await call(client.app.api.auth["sign-in"].email.post({ email, password }));
      await enter(next);
    },
  });
  const refusal = error === undefined ? null : oidcRefusal(error);

  if (session.setup_needed) return <NoAccountYet />;
  return (
    <>
      <PageHeader
        title="Sign in"
        description={
          ended
            ? `Your session has ended. Sign in to go back to where you were.${hasKeptDrafts() ? " What you typed and did not save is kept for you in this tab." : ""}`
            : undefined
        }
      />
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="E-mail address" error={form.faults.email}>
          {(control) => (
            <EmailInput {...control} {...form.input("email")} autoComplete="username" autoFocus />
          )}
        </Field>
        <Field label="Password" error={form.faults.password}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.input("password")}
              autoComplete="current-password"
              maxLength={1000}
            />
          )}
        </Field>
        <FormFault text={form.fault ?? refusal} />
        <Button type="submit" variant="primary" busy={form.busy} className="h-9 w-full">
          Sign in
        </Button>
      </form>
      {session.oidc === null ? null : (
        <div className="mt-4">
          <OidcButton name={session.oidc.name} next={next} />
        </div>
      )}
      <p className="mt-5 text-xs text-muted">
        No account? An owner can invite you. Password lost? Whoever runs the service can make you a link for a
        new one.
      </p>
    </>
  );
}

function NoAccountYet() {
  return (
    <>
      <PageHeader title="Welcome" />
      <div className="flex flex-col gap-3 text-sm text-muted">
        <p>
          Nobody has an account here yet. The service printed a one-time link for the first one when it
          started: open it.
        </p>
        <p>The link is lost? This prints another:</p>
        <code className="rounded-md border bg-sunken px-3 py-2 font-mono text-xs break-words text-ink">
          bun run cli account setup-link
        </code>
      </div>
    </>
  );
}
