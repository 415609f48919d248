import { scanText, type TextScan } from "../scan/scan-text.ts";

/**
 * "An AI agent should use this tool when …": who works with tools is told what this one is for, and nothing
 * beside it.
 */
const USED_BY_MACHINE =
  /\b(?:(?:an?|the|your|any|all) )?(?:ai |llm |autonomous )?(?:agents?|assistants?|models?|llms?|ai|claude|chatgpt)(?: \(?llms?\)?)? (?:should|must|can|may|will|shall|needs? to|has to|have to|is expected to) (?:always |only |first |typically |generally )?(?:use|call|invoke|choose|select|employ) this (?:tool|function|command|endpoint|method)\b/gi;

/**
 * The scan of a description without such words, in their place as many spaces; the scan it has where there
 * are none.
 */
export function withoutUsage(scan: TextScan): TextScan {
  USED_BY_MACHINE.lastIndex = 0;
  if (!USED_BY_MACHINE.test(scan.text)) return scan;
  return scanText(scan.text.replace(USED_BY_MACHINE, (words) => "use this tool".padStart(words.length)));
}
