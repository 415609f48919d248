/**
 * What a look at something that goes on without the agent says: that it still goes on. Read of tools alone
 * that ask how far a job is, for an order or a ticket that was just made stands at "pending" too, and of
 * words that say so for certain.
 */
const ASKS =
  /status|progress|poll|wait|check|job|run|build|deploy|pipeline|rollout|export|import|migration|workflow|sync|operation/i;
/** Made or begun by this call itself: that it goes on is what was wanted. */
const BEGINS =
  /^(?:\w{1,40}\/)?(?:start|create|begin|launch|trigger|submit|enqueue|schedule|run|execute|kick)/i;
const UNDERWAY =
  /^(?:running|in[ _-]?progress|queued|enqueued|building|deploying|starting|initiali[sz]ing|provisioning|rolling[ _-]?out|not[ _-]?ready|uploading|converting|importing|exporting|migrating|syncing|crashloopbackoff|imagepullbackoff)$/i;
const IN_TEXT = /\b(?:status|state|phase)["']?\s{0,3}[:=]\s{0,3}["']?([a-z_-]{6,20})\b/i;
/** In which answers say how a job stands, and how far it is. */
export const STATE_FIELDS = ["status", "state", "phase", "job_status", "run_status"] as const;
export const PROGRESS_FIELDS = [
  "progress",
  "percent",
  "percentage",
  "progress_percent",
  "percent_complete",
] as const;
const TEXT_MAX = 400;
const WORD_MAX = 20;

/** The word, or the percentage; "" if it goes on no more, or nothing is said. */
export function underwayIn(tool: string, result: unknown): string {
  if (!ASKS.test(tool) || BEGINS.test(tool)) return "";
  if (typeof result === "string") {
    if (result.length > TEXT_MAX) return "";
    const word = IN_TEXT.exec(result)?.[1] ?? result.trim();
    return word.length <= WORD_MAX && UNDERWAY.test(word) ? word : "";
  }
  if (typeof result !== "object" || result === null || Array.isArray(result)) return "";
  const fields = result as Record<string, unknown>;
  for (const name of STATE_FIELDS) {
    const word = fields[name];
    if (typeof word === "string") return word.length <= WORD_MAX && UNDERWAY.test(word) ? word : "";
  }
  for (const name of PROGRESS_FIELDS) {
    const value = fields[name];
    // A share of one, or of a hundred.
    if (typeof value === "number" && value > 1 && value < 100) return `${value} %`;
  }
  return "";
}
