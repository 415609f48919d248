import { labelText } from "./label-text.ts";

/**
 * The Prometheus text of figures that another thread reports as a whole (detection, notification): their
 * owners keep counters of their own, and this only writes them down. Label values come from closed lists in
 * the code.
 */

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export function counterText(name: string, help: string, samples: readonly Sample[]): string {
  return metricText(name, "counter", help, samples);
}

export function gaugeText(name: string, help: string, samples: readonly Sample[]): string {
  return metricText(name, "gauge", help, samples);
}

/** `counts` are not cumulative and hold one entry more than `bounds`: the open bucket. */
export function histogramText(
  name: string,
  help: string,
  histogram: { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sum: number },
): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  let cumulative = 0;
  for (const [index, count] of histogram.counts.entries()) {
    cumulative += count;
    lines.push(`${name}_bucket{le="${histogram.bounds[index] ?? "+Inf"}"} ${cumulative}`);
  }
  lines.push(`${name}_sum ${histogram.sum}`, `${name}_count ${cumulative}`);
  return `${lines.join("\n")}\n`;
}

function metricText(name: string, kind: string, help: string, samples: readonly Sample[]): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`];
  for (const { labels = {}, value } of samples) lines.push(`${name}${labelText(labels)} ${value}`);
  return `${lines.join("\n")}\n`;
}
