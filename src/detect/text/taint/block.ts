import type { Stretch } from "../../event-views/stretches.ts";

/**
 * The block of a text in which some words stand: what one author wrote in one go, as far as the text's own
 * form shows it. Above the line of the words, behind the closing of a tag that was opened before them, behind
 * the end of a JSON string, and below a line that stands further out, somebody else may speak.
 */
const TAG = /<([a-z][\w-]{0,30})(?:\s[^<>]{0,200})?>/g;
/** A field of data ends where its string does. */
export const STRING_END = /["'](?:\s{0,3}[}\]]|,\s{0,3}["'{[])/;
const LINE = /\n([ \t]{0,200})(?=\S)/g;

function lineStart(text: string, words: Stretch, within: Stretch): number {
  const lead = text.slice(within.start, words.start);
  const escaped = lead.lastIndexOf("\\n");
  return within.start + Math.max(lead.lastIndexOf("\n") + 1, escaped < 0 ? 0 : escaped + 2);
}

/** Where a tag is closed that is open before the words. */
function tagEnd(lead: string, tail: string): number {
  let end = tail.length;
  for (const [, name] of lead.matchAll(TAG)) {
    const closing = `</${name}>`;
    if (lead.includes(closing)) continue;
    const at = tail.indexOf(closing);
    if (at >= 0) end = Math.min(end, at);
  }
  return end;
}

function dedent(tail: string, indent: number): number {
  if (indent === 0) return tail.length;
  for (const line of tail.matchAll(LINE)) if ((line[1] ?? "").length < indent) return line.index;
  return tail.length;
}

/** The block around `words`, no further than `within`, and no less than the words. */
export function blockOf(text: string, words: Stretch, within: Stretch): Stretch {
  const start = lineStart(text, words, within);
  const lead = text.slice(within.start, words.start).toLowerCase();
  const tail = text.slice(words.end, within.end);
  const indent = /^[ \t]{0,200}/.exec(text.slice(start, words.start))?.[0].length ?? 0;
  const string = STRING_END.exec(tail)?.index ?? tail.length;
  const end = words.end + Math.min(tagEnd(lead, tail.toLowerCase()), dedent(tail, indent), string);
  return { start, end };
}
