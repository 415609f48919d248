/**
 * What Linux counts about processes: CPU time of one process, CPU time of a tree with those that ended,
 * memory. Pure parsers, and readers on top of them. Where /proc does not exist or a process has gone, the
 * readers answer undefined: a figure is then missing from the report, never guessed.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessStat {
  pid: number;
  name: string;
  parentPid: number;
  /** User and system time of the process itself, all its threads. */
  ownTicks: number;
  /** User and system time of children that ended and were waited for. */
  endedChildrenTicks: number;
}

export interface MemoryFigures {
  residentBytes: number;
  residentPeakBytes: number;
}

/**
 * Parses /proc/PID/stat. The name may hold spaces and parentheses, so fields are counted from its last `)`.
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  const fields = text
    .slice(close + 1)
    .trim()
    .split(" ");
  // proc(5): field 3 (state) is index 0 here, so ppid is 1, utime 11, stime 12, cutime 13, cstime 14.
  const numbers = [1, 11, 12, 13, 14].map((index) => Number(fields[index] ?? "x"));
  const pid = Number(text.slice(0, open));
  if (!Number.isInteger(pid) || numbers.some((value) => !Number.isInteger(value))) return undefined;
  const [parentPid, user, system, childrenUser, childrenSystem] = numbers as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    pid,
    name: text.slice(open + 1, close),
    parentPid,
    ownTicks: user + system,
    endedChildrenTicks: childrenUser + childrenSystem,
  };
}

/** Parses VmRSS and VmHWM of /proc/PID/status, which are in KiB. */
export function parseMemory(text: string): MemoryFigures | undefined {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(text);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(text);
  if (resident?.[1] === undefined || peak?.[1] === undefined) return undefined;
  return { residentBytes: Number(resident[1]) * 1024, residentPeakBytes: Number(peak[1]) * 1024 };
}

/**
 * Ticks of `root` and everything below it, and of `root`'s children that have ended. It never falls while
 * `root` waits for its children, as PostgreSQL's postmaster does: what a child used moves from the first part
 * to the second.
 */
export function treeTicks(stats: readonly ProcessStat[], root: number): number | undefined {
  const children = new Map<number, ProcessStat[]>();
  for (const stat of stats) {
    const siblings = children.get(stat.parentPid);
    if (siblings === undefined) children.set(stat.parentPid, [stat]);
    else siblings.push(stat);
  }
  const top = stats.find((stat) => stat.pid === root);
  if (top === undefined) return undefined;
  let ticks = 0;
  const waiting = [top];
  for (let stat = waiting.pop(); stat !== undefined; stat = waiting.pop()) {
    ticks += stat.ownTicks + stat.endedChildrenTicks;
    waiting.push(...(children.get(stat.pid) ?? []));
  }
  return ticks;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcessStat(text);
}

export function readMemory(pid: number): MemoryFigures | undefined {
  const text = readText(`/proc/${pid}/status`);
  return text === undefined ? undefined : parseMemory(text);
}

let ticksPerSecondRead: number | undefined;

function ticksPerSecond(): number {
  if (ticksPerSecondRead === undefined) {
    const answer = Number(Bun.spawnSync(["getconf", "CLK_TCK"]).stdout.toString().trim());
    ticksPerSecondRead = Number.isInteger(answer) && answer > 0 ? answer : 100;
  }
  return ticksPerSecondRead;
}

/** CPU seconds of one process, its children left out. */
export function processCpuSeconds(pid: number): number | undefined {
  const stat = readProcessStat(pid);
  return stat === undefined ? undefined : stat.ownTicks / ticksPerSecond();
}

/** CPU seconds of a process tree, ended children of its processes included. */
export function treeCpuSeconds(root: number): number | undefined {
  let pids: number[];
  try {
    pids = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return undefined;
  }
  const stats = pids.map(readProcessStat).filter((stat) => stat !== undefined);
  const ticks = treeTicks(stats, root);
  return ticks === undefined ? undefined : ticks / ticksPerSecond();
}

/** Parses the first line of /proc/stat: ticks that all cores were busy, waiting for a disk not counted. */
export function parseBusyTicks(text: string): number | undefined {
  const fields = /^cpu +([\d ]+)$/m.exec(text)?.[1]?.split(" ").map(Number);
  if (fields === undefined || fields.length < 8) return undefined;
  // proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user already.
  return fields
    .slice(0, 8)
    .reduce((sum, ticks, index) => (index === 3 || index === 4 ? sum : sum + ticks), 0);
}

/** CPU seconds that the whole machine was busy since it started. */
export function machineBusySeconds(): number | undefined {
  const text = readText("/proc/stat");
  const ticks = text === undefined ? undefined : parseBusyTicks(text);
  return ticks === undefined ? undefined : ticks / ticksPerSecond();
}
