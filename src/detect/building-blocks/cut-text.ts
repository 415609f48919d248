/** A text of its own: see `cutText`. For slices that are kept. */
export const ownText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

/**
 * The first characters of a text as a text of its own. A plain slice would keep the whole original alive, and
 * a state that holds eighty characters of a megabyte would hold the megabyte.
 */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = Buffer.from(text.slice(0, charsMax), "utf8").toString("utf8");
  return cut.endsWith("\ufffd") ? cut.slice(0, -1) : cut;
}
