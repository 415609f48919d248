/** The Prometheus text format, read strictly: what does not parse throws. */
import type { Client } from "./client.ts";

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Exposition {
  readonly samples: readonly Sample[];
  readonly types: ReadonlyMap<string, string>;
}

const metricName = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const commentLine = new RegExp(`^# (HELP|TYPE) (${metricName}) (.+)$`);
const sampleLine = new RegExp(`^(${metricName})(?:\\{(.*)\\})? (\\S+)(?: \\d+)?$`);
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let end = 0;
  for (const match of text.matchAll(labelPair)) {
    labels[match[1]!] = match[2]!;
    end = (match.index ?? 0) + match[0].length;
  }
  if (end !== text.length) throw new Error(`bad labels: ${text}`);
  return labels;
}

function sampleValue(text: string): number {
  if (/^[+-]?Inf$/.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (text === "NaN") return Number.NaN;
  const value = Number(text);
  if (text === "" || Number.isNaN(value)) throw new Error(`bad value: ${text}`);
  return value;
}

export function parseExposition(text: string): Exposition {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const comment = commentLine.exec(line);
    if (comment) {
      if (comment[1] !== "TYPE") continue;
      if (types.has(comment[2]!)) throw new Error(`two types: ${line}`);
      if (!/^(counter|gauge|histogram|summary|untyped)$/.test(comment[3]!))
        throw new Error(`bad type: ${line}`);
      types.set(comment[2]!, comment[3]!);
      continue;
    }
    const sample = sampleLine.exec(line);
    if (!sample) throw new Error(`bad line: ${line}`);
    const key = `${sample[1]}{${sample[2] ?? ""}}`;
    if (seen.has(key)) throw new Error(`twice: ${line}`);
    seen.add(key);
    samples.push({ name: sample[1]!, labels: labelsOf(sample[2] ?? ""), value: sampleValue(sample[3]!) });
  }
  return { samples, types };
}

export async function scrape(anonymous: Client): Promise<Exposition> {
  const reply = await anonymous.request("GET", "/metrics");
  if (reply.status !== 200) throw new Error(`/metrics answered ${reply.status}`);
  return parseExposition(reply.text);
}

/** The sum of the samples of a name whose labels include `labels`. */
export function total(exposition: Exposition, name: string, labels: Record<string, string> = {}): number {
  return exposition.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, sample) => sum + sample.value, 0);
}

/** Events by outcome since the service started. */
export function outcomesOf(exposition: Exposition): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const sample of exposition.samples) {
    if (sample.name !== "ats_events_total") continue;
    const outcome = sample.labels.outcome ?? "";
    outcomes[outcome] = (outcomes[outcome] ?? 0) + sample.value;
  }
  return outcomes;
}
