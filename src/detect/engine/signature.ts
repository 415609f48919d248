/**
 * The signature of a failure group: what makes two firings the same failure. Pure. The version prefix changes
 * when the recipe does, so that groups of an older recipe stay what they were.
 */

const VERSION = "v1";

/**
 * `v1:` and 16 hex digits. Each part is preceded by its length, so that ["ab", "c"] and ["a", "bc"] differ;
 * the project is not part of it, so the same failure has the same signature everywhere.
 */
export function signatureOf(failureClass: string, parts: readonly string[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of [failureClass, ...parts]) {
    hasher.update(`${part.length}:`);
    hasher.update(part);
  }
  return `${VERSION}:${hasher.digest("hex").slice(0, 16)}`;
}
