import { judge, NO_VERDICT, type Verdict, withSigns } from "./chain-rules.ts";
import { holdsAny } from "./class-set.ts";
import { CARRIED_RULES, MACHINE_NAMING_RULES, OVERRIDE_RULES, PROMPT_RULES } from "./injection-rules.ts";
import { isAboutMachines } from "./machine-reader.ts";
import type { FragmentScan } from "./scan-event.ts";
import type { TextScan } from "./scan-text.ts";
import { orderInData } from "./speech-acts.ts";

/**
 * The injection verdict of one text, made once and shared by every detector that needs it. Content from outside is
 * judged by all rules; what a person typed only by those that need no doubt about who speaks.
 */
const ALL_RULES = [...OVERRIDE_RULES, ...CARRIED_RULES];
/** For a text about machines, in which a machine that does or must do something is no news. */
const TOPIC_RULES = ALL_RULES.filter((rule) => !MACHINE_NAMING_RULES.has(rule.id));
const worthCarried = holdsAny(
  "override|urge|model|toMachine|machine|hush|secrecy|taskRef|act|politePlease|authority|frame|voided",
);
const worthPrompt = holdsAny("override|urge|frame|voided");

export function injectionVerdict(fragment: FragmentScan): Verdict {
  const { scan, origin } = fragment;
  if (scan.hits.length < 6) return NO_VERDICT;
  const untrusted = origin === "tool" || origin === "description";
  if (!(untrusted ? worthCarried(scan) : worthPrompt(scan))) return NO_VERDICT;
  fragment.verdict ??= untrusted ? carriedVerdict(scan) : judge(scan, PROMPT_RULES);
  return fragment.verdict;
}

/** What the rules and the signs of an order to the reader show, as independent evidence. */
function carriedVerdict(scan: TextScan): Verdict {
  const topic = isAboutMachines(scan);
  return withSigns(judge(scan, topic ? TOPIC_RULES : ALL_RULES), orderInData(scan, topic));
}
