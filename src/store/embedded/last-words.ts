/**
 * Why a PostgreSQL ended, from the end of its log. What a server says last is seldom the cause: clients are still being turned away
 * (FATAL), and the death of a helper process is told in general terms, while the PANIC or the full disk stands above.
 */

/** A FATAL of this kind answers a client and ends nothing else. */
const OF_A_CLIENT =
  /^(?:the database system is|terminating |connection to client lost|sorry, too many clients|remaining connection slots|canceling |password authentication|unsupported frontend)/;

/** Lines of the life that has just ended, if its beginning is still there. */
const LIFE_BEGINS = /LOG: +starting PostgreSQL /;

/** Undefined when the server ended without a word, as after a SIGKILL. */
export function lastWords(log: string): string | undefined {
  const lines = log.trim().split("\n");
  const life = lines.slice(
    Math.max(
      0,
      lines.findLastIndex((line) => LIFE_BEGINS.test(line)),
    ),
  );
  const told = (level: string) =>
    life.flatMap((line) => {
      const words = new RegExp(`\\b${level}: +(.+)$`).exec(line)?.[1];
      return words === undefined || OF_A_CLIENT.test(words) ? [] : [words];
    });
  return (
    told("PANIC").at(-1) ??
    told("FATAL").at(-1) ??
    told("LOG").findLast((words) => /\bterminated by signal\b|\bcould not\b/.test(words))
  );
}
