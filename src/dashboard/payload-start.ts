/**
 * Reads the beginning of a payload that is too long to be sent or shown whole. Shared by the server and the
 * pages: it imports nothing. Any text may come; nothing here throws.
 */
export type Payload = Readonly<Record<string, unknown>>;

/** The fields that stand whole in the beginning of a JSON object; of a text that is cut, its beginning. */
export function readStart(preview: string): Payload {
  const whole = parsed(preview);
  if (whole !== undefined) return objectOf(whole);
  // Closes what is open where it was cut; where that gives no JSON, cuts further back, at the comma before.
  let cut = preview;
  for (let attempt = 0; attempt < 8 && cut.length > 1; attempt++) {
    const mended = parsed(cut + closing(cut));
    if (mended !== undefined) return objectOf(mended);
    const comma = cut.lastIndexOf(",");
    cut = comma < 0 ? "" : cut.slice(0, comma);
  }
  return {};
}

function closing(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") open.push("}");
    else if (char === "[") open.push("]");
    else if (char === "}" || char === "]") open.pop();
  }
  return (inString ? '"' : "") + open.toReversed().join("");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Payload {
  return typeof value === "object" && value !== null ? (value as Payload) : {};
}
