const ESCAPE = "\u001b[";

/** A text without the colours that a terminal would show. */
export function stripColours(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  const [first, ...others] = text.split(ESCAPE);
  return first + others.map((part) => part.replace(/^[0-9;]{0,20}[A-Za-z]/, "")).join("");
}
