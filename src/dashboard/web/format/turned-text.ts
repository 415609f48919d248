/**
 * A stranger's text with the marks spelt out that turn the direction of writing (overrides, embeddings,
 * isolates): raw, they show `gnp.exe` as `exe.png`, and evidence as something else than was sent. Copies keep
 * them.
 */
export function spellTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}
