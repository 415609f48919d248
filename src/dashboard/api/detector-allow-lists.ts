/**
 * What an entry of a class's allow-list names, for whoever fills one in (docs/detectors-behaviour.md). A class that is not here looks at no
 * allow-list; test/dashboard/detector-settings.test.ts holds the two together.
 */
const NAMED: Readonly<Record<string, string>> = {
  sandbox_escape: "hosts (api.example.com, db.internal:5432, *.example.com) and networks (10.0.0.0/8)",
  unexpected_egress: "hosts (api.example.com, db.internal:5432, *.example.com) and networks (10.0.0.0/8)",
  mcp_tool_drift: "servers, or tools as server/tool",
  tool_loop: "tools",
  tool_error_burst: "tools",
  ignored_human_decision: "tools",
  premature_completion: "validators, tools and finish reasons",
  validator_failure: "validators",
  eval_regression: "metrics",
  behavior_drift: "drift signals and tools",
  unhandled_exception: "exception types",
  infrastructure_degradation: "components",
};

export const allowEntriesOf = (failureClass: string): string | null =>
  Object.hasOwn(NAMED, failureClass) ? NAMED[failureClass]! : null;
