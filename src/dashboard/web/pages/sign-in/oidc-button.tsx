import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { callPath, errorText } from "../../client.ts";
import { Button } from "../../components/button.tsx";
import { FormFault } from "../../form/form-fault.tsx";

/** Leaves for the company's sign-in, which leads back to `next`. */
export function OidcButton({ name, next = "/app" }: { name: string; next?: string | undefined }) {
  const leave = useMutation({
    mutationFn: async () => {
      const failed = new URL("/app/sign-in", location.origin);
      failed.searchParams.set("next", next);
      const { url } = await callPath<{ url: string }>("/app/api/auth/sign-in/social", {
        provider: "oidc",
        callbackURL: new URL(next, location.origin).href,
        errorCallbackURL: failed.href,
      });
      location.assign(url);
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <FormFault text={leave.isError ? errorText(leave.error) : null} />
      <Button
        className="h-9 w-full"
        icon={<KeyRound aria-hidden />}
        busy={leave.isPending || leave.isSuccess}
        onClick={() => leave.mutate()}
      >
        Sign in with {name}
      </Button>
    </div>
  );
}
