/**
 * Whether more or less of a measure is better: as its event says, else as its name does. 1: more, -1: less,
 * null: nobody knows, and a score beside a limit says nothing.
 */
type Fields = Readonly<Record<string, unknown>>;

const LESS_IS_BETTER =
  /error|loss|latency|duration|toxic|hallucin|perplex|cost|bias|harm|risk|distance|violation|unsupported|unsourced|contradict|leakage|incorrect|inaccura|irrelevan|inconsisten|incoheren|incomplete|unfaithful|ungrounded|untruth|unsafe|invalid|mistake|wrong|defect|omission|complaint|(?:false|miss|fail(?:ed|ure)?|crash|timeout|reject(?:ion)?|churn|escalation|drop|flaky|exploit|attack[ _-]?success|regression)s?[ _-]?(?:rate|ratio|count|share|positive|negative|alarm)|response[ _-]?time|[_ -]ms$|time[ _-]?to[ _-]|elapsed|runtime|divergence|(?:^|[^a-z])(?:wer|p9[059]|fpr|fnr|ece|nll|ppl|fid|kl|ter|cer|mae|mse|rmse|ttft|mape|brier|eer)(?:$|[^a-z])/i;
const MORE_IS_BETTER =
  /accura|correctness|(?:^|[^a-z])correct(?:$|[^a-z])|precision|recall|(?:^|[^a-z])(?:f1|f-?score|auc|auroc|map|ndcg|mrr|bleu|rouge|meteor|chrf|comet|kappa|nps|csat|iou|em|r2)(?:$|[^a-z])|relevan|faithful|grounded|truthful|factual|quality|helpful|coheren|consisten|fluen|clarity|rubric|adheren|completeness|completion[ _-]?rate|coverage|success|resolved|(?:pass|win)[ _-]?rate|pass@|similarity|exact[ _-]?match|agreement|satisf|judge|helpfulness|usefulness|safety|compliance|politeness|empathy/i;
/** Counts and times, which names of quality only qualify: "time to resolved". */
const COUNTED = /time|second|tokens?|count|number|steps|(?:^|[^a-z])(?:ms|num|n)(?:$|[^a-z])/i;
const LESS_SAID =
  /lower|less|smaller|minimi[sz]e|down|decreas|<=?|\b(?:lte?|max|min(?:imize)?[ _]is[ _]better)\b/i;
const MORE_SAID = /higher|greater|more|larger|bigger|maximi[sz]e|up|increas|>=?|\b(?:gte?|min)\b/i;
const SAID_CHARS_MAX = 60;

/** By the name alone, and more where it says nothing. */
export const isLessBetter = (name: string): boolean => LESS_IS_BETTER.test(name);

export function directionOf(name: string, fields: Fields): 1 | -1 | null {
  const said = directionSaid(fields);
  if (said !== null) return said;
  if (isLessBetter(name)) return -1;
  return MORE_IS_BETTER.test(name) && !COUNTED.test(name) ? 1 : null;
}

/**
 * `lower_is_better: true`, `direction: "higher_is_better"`, `direction: "lower_is_worse"`, `goal:
 * "minimize"`, `operator: ">="`.
 */
export function directionSaid(fields: Fields): 1 | -1 | null {
  const { higher_is_better: higher, greater_is_better: greater, lower_is_better: lower } = fields;
  const more = higher ?? greater;
  if (typeof more === "boolean") return more ? 1 : -1;
  if (typeof lower === "boolean") return lower ? -1 : 1;
  for (const said of [fields.direction, fields.goal, fields.objective, fields.operator, fields.comparison]) {
    if (typeof said !== "string" || said.length > SAID_CHARS_MAX) continue;
    const isLess = LESS_SAID.test(said);
    if (isLess === MORE_SAID.test(said)) continue;
    return isLess === /worse|bad/i.test(said) ? 1 : -1;
  }
  return null;
}
