import { judge, type Verdict, withSigns } from "../scan/chain-rules.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { alibi } from "./alibi.ts";
import { JAILBREAK_RULES } from "./jailbreak-rules.ts";
import { liftedLimits } from "./lifted-limits.ts";
import { veiledRequest } from "./veiled-request.ts";

/**
 * What shows an attempt without the model's weights: the precise rules, and in what a person typed (not
 * `carried` by a tool) an alibi, limits said to be lifted and a veiled request, as independent evidence.
 */
export function jailbreakVerdict(scan: TextScan, carried: boolean): Verdict {
  const rules = judge(scan, JAILBREAK_RULES);
  if (carried) return rules;
  return [alibi, liftedLimits, veiledRequest].reduce(
    (verdict, sign) => withSigns(verdict, sign(scan)),
    rules,
  );
}
