import { expect, test } from "bun:test";
import { lastWords } from "./last-words.ts";

const at = "2026-11-21 16:20:06.840 UTC [15280]";
const starts = `${at} LOG:  starting PostgreSQL 18.4 on x86_64-pc-linux-gnu, 64-bit`;
const turnedAway = `${at} FATAL:  the database system is not yet accepting connections`;

test("a PANIC before the clients that were turned away, and before what followed from it", () => {
  const log = [
    starts,
    `${at} LOG:  database system is ready to accept connections`,
    `${at} PANIC:  could not write to file "pg_wal/xlogtemp.15283": No space left on device`,
    `${at} LOG:  server process (PID 15283) was terminated by signal 6: Aborted`,
    `${at} FATAL:  terminating connection because of crash of another server process`,
    `${at} FATAL:  could not open directory "pg_wal": No such file or directory`,
    turnedAway,
    "",
  ].join("\n");
  expect(lastWords(log)).toBe('could not write to file "pg_wal/xlogtemp.15283": No space left on device');
});

test("what a server says that cannot start", () => {
  const log = `${starts}\n${at} FATAL:  could not write lock file "postmaster.pid": No space left on device\n`;
  expect(lastWords(log)).toBe('could not write lock file "postmaster.pid": No space left on device');
});

test("the life before is over: its end says nothing about this one's", () => {
  const log = [starts, `${at} PANIC:  of long ago`, starts, turnedAway].join("\n");
  expect(lastWords(log)).toBeUndefined();
});

test("a process of the server that was killed", () => {
  const log = [
    starts,
    `${at} LOG:  startup process (PID 7) was terminated by signal 9: Killed`,
    turnedAway,
  ].join("\n");
  expect(lastWords(log)).toBe("startup process (PID 7) was terminated by signal 9: Killed");
});

test("nothing of its clients' troubles is the server's", () => {
  const log = [
    starts,
    "2026-11-21 16:20:07.000 UTC [15290] LOG:  could not receive data from client: Connection reset by peer",
    '2026-11-21 16:20:08.000 UTC [15291] FATAL:  database "nowhere" does not exist',
  ];
  expect(lastWords(log.join("\n"))).toBeUndefined();
  expect(lastWords(log.slice(1).join("\n"))).toBeUndefined();
});

test("a process of it that could not go on, by the number that the server names", () => {
  const log = [
    starts,
    '2026-11-21 16:20:07.000 UTC [15290] FATAL:  could not open file "global/pg_control": Input/output error',
    `${at} LOG:  checkpointer process (PID 15290) exited with exit code 1`,
    '2026-11-21 16:20:08.000 UTC [15291] FATAL:  database "nowhere" does not exist',
  ].join("\n");
  expect(lastWords(log)).toBe('could not open file "global/pg_control": Input/output error');
});

test("a crash that it recovered from is over", () => {
  const log = [
    starts,
    `${at} LOG:  server process (PID 7) was terminated by signal 9: Killed`,
    `${at} LOG:  all server processes terminated; reinitializing`,
    `${at} LOG:  database system is ready to accept connections`,
  ].join("\n");
  expect(lastWords(log)).toBeUndefined();
});

test("a shutdown that somebody asked for", () => {
  const log = [starts, `${at} LOG:  received smart shutdown request`].join("\n");
  expect(lastWords(log)).toBe("received smart shutdown request");
});

test("a message of the system about a program that could not be run", () => {
  expect(lastWords("FATAL:  spawn postgres EACCES")).toBe("spawn postgres EACCES");
});
