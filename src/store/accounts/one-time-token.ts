import { randomBase32 } from "../random-id.ts";

/** The secret of a one-time link: 200 random bits, of which the database holds the SHA-256 alone. */
export interface OneTimeToken {
  readonly token: string;
  readonly hash: Uint8Array;
}

export function newToken(): OneTimeToken {
  const token = randomBase32(40);
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(token).digest();
}
