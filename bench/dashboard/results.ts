/**
 * What a run found: the one document of `--json`, and what the report is written from; and the checks on it.
 * Pure.
 */
import { percentile } from "../ingest/latency.ts";
import type { LoadOutcome } from "../ingest/messages.ts";
import type { Check } from "../ingest/results.ts";
import type { Machine } from "../machine.ts";
import type { PagePaint } from "./browser.ts";
import type { DashboardOptions } from "./options.ts";

export interface Figures {
  readonly name: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

export interface IngestPhase {
  readonly name: string;
  readonly eventsPerSecond: number;
  readonly load: LoadOutcome;
}

export interface ClickRound {
  readonly alone: IngestPhase;
  readonly clicked: IngestPhase;
  /** Pages opened meanwhile. */
  readonly pages: number;
  /** Rate with people over the rate without. */
  readonly ratio: number;
}

export interface DashboardResults {
  readonly machine: Machine;
  readonly options: DashboardOptions;
  readonly stored: { readonly events: number; readonly executions: number; readonly detections: number };
  /** Undefined where the database was there already. */
  readonly fillSeconds: number | undefined;
  readonly peak: IngestPhase | undefined;
  /** Ingest while pages were asked for. */
  readonly paced: IngestPhase;
  readonly routes: readonly Figures[];
  readonly pages: readonly Figures[];
  readonly failures: readonly string[];
  /** Undefined: no Chromium, or none wanted. */
  readonly paints: readonly PagePaint[] | undefined;
  readonly rounds: readonly ClickRound[];
  readonly ratio: number | undefined;
  readonly serviceWarnings: readonly string[];
  readonly checks: readonly Check[];
}

const FIRST_PAINT_MS_MAX = 1_000;
const RATIO_MIN = 0.95;
/** The pace was kept if so much of it was answered. */
const PACE_MIN = 0.97;

export function figuresOf(samples: ReadonlyMap<string, readonly number[]>): Figures[] {
  return [...samples]
    .map(([name, values]) => {
      const sorted = Float64Array.from(values).sort();
      return {
        name,
        count: sorted.length,
        p50Ms: percentile(sorted, 0.5),
        p95Ms: percentile(sorted, 0.95),
        maxMs: percentile(sorted, 1),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

export function checksOf(results: Omit<DashboardResults, "checks">, pacedRate: number): Check[] {
  const { limitMs } = results.options;
  const slow = (figures: readonly Figures[]) =>
    figures
      .filter((each) => each.p95Ms > limitMs)
      .sort((a, b) => b.p95Ms - a.p95Ms)
      .map((each) => `${each.name} ${each.p95Ms.toFixed(0)} ms`);
  const slowRoutes = slow(results.routes);
  const slowPages = slow(results.pages);
  const checks: Check[] = [
    {
      name: `every route answers within ${limitMs} ms (p95)`,
      ok: slowRoutes.length === 0,
      found: slowRoutes.join(", ") || "all",
    },
    {
      name: `every page has its data within ${limitMs} ms (p95)`,
      ok: slowPages.length === 0,
      found: slowPages.join(", ") || "all",
    },
    {
      name: "every request is answered",
      ok: results.failures.length === 0,
      found: results.failures.join("; "),
    },
    {
      name: "ingest keeps its pace while pages are asked for",
      ok: results.paced.eventsPerSecond >= pacedRate * PACE_MIN,
      found: `${Math.round(results.paced.eventsPerSecond)} of ${Math.round(pacedRate)} events/s`,
    },
  ];
  if (results.paints !== undefined) {
    const late = results.paints
      .filter(({ cold, warm }) => Math.max(cold.firstPaintMs, warm.firstPaintMs) > FIRST_PAINT_MS_MAX)
      .map(
        ({ page, cold, warm }) => `${page} ${Math.max(cold.firstPaintMs, warm.firstPaintMs).toFixed(0)} ms`,
      );
    checks.push({
      name: `first paint within ${FIRST_PAINT_MS_MAX} ms, cold and warm`,
      ok: late.length === 0,
      found: late.join(", ") || "all",
    });
  }
  if (results.ratio !== undefined) {
    checks.push({
      name: "people who click take at most 5 % of the ingest rate",
      ok: results.ratio >= RATIO_MIN,
      found: `${((1 - results.ratio) * 100).toFixed(1)} %`,
    });
  }
  const refused = [results.paced, ...results.rounds.flatMap(({ alone, clicked }) => [alone, clicked])].filter(
    ({ load }) => load.eventsRefused + load.eventsUnanswered > 0,
  );
  checks.push({
    name: "no event is refused or unanswered",
    ok: refused.length === 0,
    found:
      refused.map(({ name, load }) => `${name}: ${load.firstRefusal ?? "unanswered"}`).join("; ") || "none",
  });
  return checks;
}
