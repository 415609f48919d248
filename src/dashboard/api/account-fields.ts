import { t } from "elysia";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../auth/password-length.ts";

/** What a person types about themselves. */

export const token = t.String({ minLength: 1, maxLength: 200 });
export const email = t.String({ minLength: 3, maxLength: 254 });
export const personName = t.String({ minLength: 1, maxLength: 200 });
export const newPassword = t.String({
  minLength: PASSWORD_CHARACTERS_MIN,
  maxLength: PASSWORD_CHARACTERS_MAX,
});
/** One that is only compared: a wrong one is wrong whatever its length. */
export const anyPassword = t.String({ minLength: 1, maxLength: 1000 });
export const role = t.Union([t.Literal("viewer"), t.Literal("member"), t.Literal("owner")]);
