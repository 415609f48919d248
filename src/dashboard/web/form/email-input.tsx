import type { ComponentProps } from "react";
import { Input } from "../components/input.tsx";

/** An e-mail address: no keyboard begins it with a capital. */
export function EmailInput(props: ComponentProps<"input">) {
  return <Input {...props} type="email" autoCapitalize="none" maxLength={254} />;
}
