/** Arithmetic on what was measured: ratios, medians over the rounds, checks. Pure. */
import { median } from "./latency.ts";
import type { CeilingPhase, Check, LoadPhase, PhaseCpu, Round, RoundsSummary } from "./results.ts";

/** Microseconds of CPU an event; undefined when it was not measured. */
export function micros(cpuSeconds: number | undefined, events: number): number | undefined {
  return cpuSeconds === undefined || events === 0 ? undefined : (cpuSeconds / events) * 1e6;
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function over(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b;
}

/** Events that got their final answer: what the rate and the CPU figures count. */
export function eventsAnswered(phase: LoadPhase): number {
  const { eventsAccepted, eventsDuplicate, eventsRejected } = phase.load;
  return eventsAccepted + eventsDuplicate + eventsRejected;
}

export function serviceCpu(cpu: PhaseCpu): number | undefined {
  return plus(cpu.service, cpu.postgres);
}

function ceilingCpu(cpu: PhaseCpu): number | undefined {
  return plus(cpu.sender, cpu.postgres);
}

export function roundOf(ceiling: CeilingPhase | undefined, service: LoadPhase): Round {
  const perEvent = micros(serviceCpu(service.cpu), eventsAnswered(service));
  const ceilingPerEvent = ceiling === undefined ? undefined : micros(ceilingCpu(ceiling.cpu), ceiling.rows);
  return {
    ceiling,
    service,
    speedRatio: over(service.eventsPerSecond, ceiling?.eventsPerSecond),
    cpuRatio: over(perEvent, ceilingPerEvent),
  };
}

/** Median over the rounds that have the figure; undefined when none has. */
function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}

export function summaryOf(rounds: readonly Round[]): RoundsSummary {
  const services = rounds.map((round) => round.service);
  const latency = (pick: (phase: LoadPhase) => number) => median(services.map(pick));
  return {
    eventsPerSecond: median(services.map((phase) => phase.eventsPerSecond)),
    ceilingEventsPerSecond: medianOf(rounds.map((round) => round.ceiling?.eventsPerSecond)),
    speedRatio: medianOf(rounds.map((round) => round.speedRatio)),
    cpuRatio: medianOf(rounds.map((round) => round.cpuRatio)),
    serviceCpuMicros: medianOf(services.map((phase) => micros(phase.cpu.service, eventsAnswered(phase)))),
    postgresCpuMicros: medianOf(services.map((phase) => micros(phase.cpu.postgres, eventsAnswered(phase)))),
    senderCpuMicros: median(
      services.map((phase) => micros(phase.cpu.sender, eventsAnswered(phase)) ?? Number.NaN),
    ),
    ceilingCpuMicros: medianOf(
      rounds.map(({ ceiling }) =>
        ceiling === undefined ? undefined : micros(ceilingCpu(ceiling.cpu), ceiling.rows),
      ),
    ),
    p50Ms: latency((phase) => phase.load.latency.p50Ms),
    p99Ms: latency((phase) => phase.load.latency.p99Ms),
    p999Ms: latency((phase) => phase.load.latency.p999Ms),
    maxMs: Math.max(...services.map((phase) => phase.load.latency.maxMs)),
  };
}

/**
 * Conservation: sent is the sum of outcomes, and the rows are the distinct events that were answered with a
 * success.
 */
export function checksOf(phases: readonly LoadPhase[], options: { duplicates: boolean }): Check[] {
  const checks: Check[] = [];
  for (const { name, load, rows, rowsExpected } of phases) {
    const outcomes =
      load.eventsAccepted +
      load.eventsDuplicate +
      load.eventsRejected +
      load.eventsRefused +
      load.eventsUnanswered;
    checks.push({
      name: `${name}: sent = sum of outcomes`,
      ok: load.eventsSent === outcomes,
      found: `${load.eventsSent} and ${outcomes}`,
    });
    checks.push({
      name: `${name}: every request had its final success`,
      ok: load.eventsRefused === 0 && load.eventsUnanswered === 0,
      found: `${load.eventsRefused} refused, ${load.eventsUnanswered} unanswered${load.firstRefusal === undefined ? "" : `; first refusal ${load.firstRefusal}`}`,
    });
    // A connection that broke may have stored its batch already: its resend then counts as duplicates.
    if (!options.duplicates && load.counts.connectionErrors === 0) {
      checks.push({
        name: `${name}: no duplicates`,
        ok: load.eventsDuplicate === 0,
        found: `${load.eventsDuplicate}`,
      });
    }
    if (rows === undefined) continue;
    checks.push({
      name: `${name}: rows = stored`,
      ok: rows === rowsExpected,
      found: `${rows} and ${rowsExpected}`,
    });
  }
  return checks;
}

/** The service's own counters of outcomes against what its clients were told. */
export function counterChecks(metrics: Record<string, number>, phases: readonly LoadPhase[]): Check[] {
  // An answer that was lost with its connection is counted by the service alone.
  if (phases.some(({ load }) => load.counts.connectionErrors > 0)) return [];
  const told = {
    accepted: phases.reduce((sum, { load }) => sum + load.eventsAccepted, 0),
    duplicate: phases.reduce((sum, { load }) => sum + load.eventsDuplicate, 0),
    rejected: phases.reduce((sum, { load }) => sum + load.eventsRejected, 0),
  };
  return Object.entries(told).map(([outcome, count]) => {
    const counted = Object.entries(metrics)
      .filter(([name]) => name.startsWith("ats_events_total{") && name.includes(`outcome="${outcome}"`))
      .reduce((sum, [, value]) => sum + value, 0);
    return {
      name: `/metrics: ${outcome} as answered`,
      ok: counted === count,
      found: `${counted} and ${count}`,
    };
  });
}

/**
 * Samples above zero of a Prometheus text page whose name holds one of the words, histogram buckets left out.
 */
export function metricSamples(page: string, words: readonly string[]): Record<string, number> {
  const samples: Record<string, number> = {};
  for (const line of page.split("\n")) {
    if (line.startsWith("#")) continue;
    const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{.*\})?) ([^ ]+)(?: \d+)?$/.exec(line);
    const [, name, value] = match ?? [];
    if (name === undefined || value === undefined || name.includes("_bucket{")) continue;
    if (Number(value) !== 0 && words.some((word) => name.includes(word))) samples[name] = Number(value);
  }
  return samples;
}
