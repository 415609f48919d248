import type { Detector } from "../../src/detect/detector.ts";
import { jailbreakAttempt } from "../../src/detect/detectors/jailbreak-attempt.ts";
import { capText } from "../../src/detect/event-views/fields.ts";
import { mayBeDressed, moreNeeded } from "../../src/detect/text/jailbreak/dressed-request.ts";
import { scanText } from "../../src/detect/text/scan/scan-text.ts";
import { detectRun } from "./detector-set.ts";
import { eventOf } from "./events.ts";
import { type DressSet, isForCalibration } from "./train-dressed.ts";

const OWN_RULE = "jailbreak_attempt/dressed-request";

/**
 * What is found of each source, by the rules and the first model as shipped beside the model of dressed
 * requests as it is without the source's family. Benign texts that set the threshold are left out. What the
 * model takes away is counted by the shipped weights.
 */
export function sourceTable(set: DressSet, logits: Float64Array, least: number): string {
  const detectors = [jailbreakAttempt as unknown as Detector];
  const tallies = new Map<string, { count: number; rules: number; both: number }>();
  set.samples.forEach(({ row }, at) => {
    if (isForCalibration(row)) return;
    const tally = tallies.get(row.source) ?? { count: 0, rules: 0, both: 0 };
    tallies.set(row.source, tally);
    const fired = detectRun(detectors, [eventOf(row.text, "prompt")]).get("jailbreak_attempt");
    const byRules = fired?.some(({ ruleIds }) => ruleIds.some((id) => id !== OWN_RULE)) ?? false;
    tally.count++;
    if (byRules) tally.rules++;
    const over = (logits[at] as number) - least;
    const scan = scanText(capText(row.text));
    const isDressed = mayBeDressed(scan) && over >= 0 && over >= moreNeeded(scan);
    if (byRules || isDressed) tally.both++;
  });
  const percent = (share: number, of: number): string => ((100 * share) / of).toFixed(1).padStart(7);
  const lines = [...tallies].map(
    ([source, { count, rules, both }]) =>
      `${source.padEnd(48)}${String(count).padStart(6)}${percent(rules, count)}${percent(both, count)}`,
  );
  return `${["source".padEnd(48), " texts", "  rules", "   with"].join("")}\n${lines.join("\n")}\n`;
}
