import { labelText } from "./label-text.ts";

/**
 * Counters, gauges and histograms of all threads in one SharedArrayBuffer.
 *
 * Memory: `threads` slabs of `slotsPerThread` float64 each. A thread writes only to its own slab, so no write
 * needs an atomic (a compare-exchange on 64 bits costs 213 ns here, a plain store 1 ns); a scrape on any
 * thread sums the slabs.
 *
 *   slab 0 │ slot 0 │ slot 1 │ … │ slot n │
 *   slab 1 │ slot 0 │ slot 1 │ … │ slot n │
 *
 * The catalogue is declared at start and then fixed: a label has a closed list of values, so a scrape is
 * bounded whatever clients send. A metric or a label value that was not declared throws: that is a bug, not
 * an input.
 */

export type MetricKind = "counter" | "gauge" | "histogram";

export interface MetricDeclaration {
  readonly name: string;
  readonly kind: MetricKind;
  readonly help: string;
  /**
   * Closed label sets: every series that can exist, as label name → value. Absent: one series without labels.
   */
  readonly series?: readonly Readonly<Record<string, string>>[];
  /** Histogram only: upper bounds, rising, without +Inf. */
  readonly buckets?: readonly number[];
}

/** Index of a series' first slot; handed out once at start, used on the hot path. */
export type Slot = number;

interface Series {
  readonly labels: string;
  readonly slot: Slot;
}

export class MetricRegistry {
  readonly #declared = new Map<string, { declaration: MetricDeclaration; series: Map<string, Series> }>();
  readonly #slots: number;
  readonly buffer: SharedArrayBuffer;
  readonly #all: Float64Array;
  readonly #own: Float64Array;
  readonly #threads: number;

  /**
   * `buffer` is the one of another thread's registry with the same declarations; absent, a new one is made.
   */
  constructor(
    declarations: readonly MetricDeclaration[],
    options: { threads: number; thread: number; buffer?: SharedArrayBuffer },
  ) {
    let next = 0;
    for (const declaration of declarations) {
      const series = new Map<string, Series>();
      for (const labels of declaration.series ?? [{}]) {
        const text = labelText(labels);
        if (series.has(text)) throw new Error(`${declaration.name}${text} is declared twice`);
        series.set(text, { labels: text, slot: next });
        next += declaration.kind === "histogram" ? (declaration.buckets?.length ?? 0) + 2 : 1;
      }
      if (this.#declared.has(declaration.name)) throw new Error(`${declaration.name} is declared twice`);
      this.#declared.set(declaration.name, { declaration, series });
    }
    this.#slots = next;
    this.#threads = options.threads;
    this.buffer = options.buffer ?? new SharedArrayBuffer(Math.max(8, next * options.threads * 8));
    this.#all = new Float64Array(this.buffer);
    this.#own = this.#all.subarray(next * options.thread, next * (options.thread + 1));
  }

  slot(name: string, labels: Readonly<Record<string, string>> = {}): Slot {
    const series = this.#declared.get(name)?.series.get(labelText(labels));
    if (series === undefined) throw new Error(`metric ${name}${labelText(labels)} is not declared`);
    return series.slot;
  }

  add(slot: Slot, amount = 1): void {
    this.#own[slot]! += amount;
  }

  set(slot: Slot, value: number): void {
    this.#own[slot] = value;
  }

  /** Counts `value` in a histogram: slots are the buckets' own counts, then the sum, then the count. */
  histogram(name: string, labels: Readonly<Record<string, string>> = {}): (value: number) => void {
    const slot = this.slot(name, labels);
    const bounds = this.#declared.get(name)!.declaration.buckets ?? [];
    const own = this.#own;
    return (value) => {
      for (let i = 0; i < bounds.length; i++) {
        if (value <= bounds[i]!) {
          own[slot + i]! += 1;
          break;
        }
      }
      own[slot + bounds.length]! += value;
      own[slot + bounds.length + 1]! += 1;
    };
  }

  /** The sum over all threads; for tests and for conservation checks. */
  total(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.#sum(this.slot(name, labels));
  }

  /** The Prometheus text exposition format, version 0.0.4. */
  expose(): string {
    const lines: string[] = [];
    for (const [name, { declaration, series }] of this.#declared) {
      lines.push(`# HELP ${name} ${declaration.help}`, `# TYPE ${name} ${declaration.kind}`);
      for (const { labels, slot } of series.values()) {
        if (declaration.kind === "histogram")
          this.#exposeHistogram(lines, name, labels, slot, declaration.buckets ?? []);
        else lines.push(`${name}${labels} ${this.#sum(slot)}`);
      }
    }
    return `${lines.join("\n")}\n`;
  }

  #exposeHistogram(
    lines: string[],
    name: string,
    labels: string,
    slot: Slot,
    bounds: readonly number[],
  ): void {
    const inner = labels === "" ? "" : `${labels.slice(1, -1)},`;
    let cumulative = 0;
    for (let i = 0; i < bounds.length; i++) {
      cumulative += this.#sum(slot + i);
      lines.push(`${name}_bucket{${inner}le="${bounds[i]}"} ${cumulative}`);
    }
    const count = this.#sum(slot + bounds.length + 1);
    lines.push(`${name}_bucket{${inner}le="+Inf"} ${count}`);
    lines.push(`${name}_sum${labels} ${this.#sum(slot + bounds.length)}`, `${name}_count${labels} ${count}`);
  }

  #sum(slot: Slot): number {
    let sum = 0;
    for (let thread = 0; thread < this.#threads; thread++) sum += this.#all[thread * this.#slots + slot]!;
    return sum;
  }
}
