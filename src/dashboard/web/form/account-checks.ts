import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../auth/password-length.ts";

/** What can be told of an account's fields before they are sent; the service checks again. */

export const passwordHint = `At least ${PASSWORD_CHARACTERS_MIN} characters`;

export function nameFault(name: string): string | undefined {
  return name.trim() === "" ? "Enter a name" : undefined;
}

export function emailFault(email: string): string | undefined {
  if (email.trim() === "") return "Enter an e-mail address";
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : "This is no e-mail address";
}

export function passwordFault(password: string): string | undefined {
  return password === "" ? "Enter the password" : undefined;
}

export function newPasswordFault(password: string): string | undefined {
  if (password === "") return "Choose a password";
  if (password.length < PASSWORD_CHARACTERS_MIN) return `${passwordHint}, this has ${password.length}`;
  return password.length > PASSWORD_CHARACTERS_MAX
    ? `At most ${PASSWORD_CHARACTERS_MAX} characters`
    : undefined;
}
