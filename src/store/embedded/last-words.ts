/**
 * Why a PostgreSQL ended, from the end of its log. What a server says last is seldom the cause: clients are
 * still being turned away (FATAL), and the death of a helper process is told in general terms, while the
 * PANIC or the full disk stands above. And a server that was killed says nothing, whatever it said of its
 * clients before: only words about its own end count, and only of its last life.
 */

/** A FATAL of this kind answers a client and ends nothing else. */
const OF_A_CLIENT =
  /^(?:the database system is|terminating |connection to client lost|sorry, too many clients|remaining connection slots|canceling |password authentication|unsupported frontend)/;

/** After these nothing that stands above ends the server any more. */
const LIFE_BEGINS = /LOG: +(?:starting PostgreSQL |all server processes terminated; reinitializing)/;

/** The service's own line, of a program that could not be run, has no process in front. */
const LINE = /^(?:.* \[(?<process>\d+)\] )?(?<level>PANIC|FATAL|LOG): +(?<words>.+)$/;

/** Of a process that the server misses: of one that served a client it tells only how it was killed. */
const OF_A_PROCESS = /\(PID (\d+)\) (?:was terminated by signal|exited with exit code)/;

const OF_ITS_END = /\bwas terminated by signal\b|^received (?:smart|fast|immediate) shutdown request/;

interface Line {
  readonly process: string | undefined;
  readonly level: string | undefined;
  readonly words: string;
}

/** Undefined when the server ended without a word, as after a SIGKILL. */
export function lastWords(log: string): string | undefined {
  const lines = log.trim().split("\n");
  const begin = lines.findLastIndex((line) => LIFE_BEGINS.test(line));
  const life = lines.slice(Math.max(0, begin)).flatMap((line): Line[] => {
    const { process, level, words } = LINE.exec(line)?.groups ?? {};
    return words === undefined ? [] : [{ process, level, words }];
  });
  const told = (level: string) => life.filter((line) => line.level === level);
  const server = begin < 0 ? undefined : life[0]?.process;
  const missed = told("LOG").map(({ words }) => OF_A_PROCESS.exec(words)?.[1]);
  const fatal = told("FATAL").findLast(
    ({ process = server, words }) =>
      (process === server || missed.includes(process)) && !OF_A_CLIENT.test(words),
  );
  const end = told("LOG").findLast(({ words }) => OF_ITS_END.test(words));
  return (told("PANIC").at(-1) ?? fatal ?? end)?.words;
}
