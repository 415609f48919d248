import { blank } from "./carried-text.ts";

/**
 * What an edit of a file takes out of it, blank: it is on its way out of the file and nowhere else. Places
 * stay places. The arguments may stand as lines of fields or as JSON.
 */
const FIELDS =
  /(?<=(?:^|\s)old_?(?:str(?:ing)?|text|content|code|lines?): )[\s\S]{1,32768}?(?=\n(?:new_?(?:str(?:ing)?|text|content|code|lines?)|replace_?all|file_?path|path|command|instructions?): |$)/gi;
const JSON_FIELDS =
  /(?<="old_?(?:str(?:ing)?|text|content|code|lines?)"\s{0,2}:\s{0,2}")(?:[^"\\]|\\.){1,32768}/gi;

export const withoutReplaced = (text: string): string =>
  /old_?(?:str|text|content|code|line)/i.test(text)
    ? text.replace(FIELDS, blank).replace(JSON_FIELDS, blank)
    : text;

/** Prose that is written into a file: a command in it has not been given to anything that runs it. */
const DOCUMENT =
  /(?:^|[\s"'])(?:file_?(?:path|name)?|path|target_?file)"?\s{0,2}:\s{0,2}"?[^\n"]{1,300}\.(?:md|mdx|markdown|rst|adoc|txt)(?="|\s|$)/i;

export const isDocument = (text: string): boolean => DOCUMENT.test(text);
