import { behaviorDrift } from "./behavior-drift.ts";
import { dataExfiltration } from "./data-exfiltration.ts";
import { evalRegression } from "./eval-regression.ts";
import { executionCrash } from "./execution-crash.ts";
import { executionTimeout } from "./execution-timeout.ts";
import { handoffLoop } from "./handoff-loop.ts";
import { ignoredHumanDecision } from "./ignored-human-decision.ts";
import { infrastructureDegradation } from "./infrastructure-degradation.ts";
import { injectionFollowed } from "./injection-followed.ts";
import { jailbreakAttempt } from "./jailbreak-attempt.ts";
import { mcpToolDrift } from "./mcp-tool-drift.ts";
import { mcpToolPoisoning } from "./mcp-tool-poisoning.ts";
import { memoryPoisoning } from "./memory-poisoning.ts";
import { noProgress } from "./no-progress.ts";
import { obfuscatedPayload } from "./obfuscated-payload.ts";
import { piiExposure } from "./pii-exposure.ts";
import type { Playbook } from "./playbook.ts";
import { prematureCompletion } from "./premature-completion.ts";
import { promptInjection } from "./prompt-injection.ts";
import { runawayTokens } from "./runaway-tokens.ts";
import { sandboxEscape } from "./sandbox-escape.ts";
import { secretExposure } from "./secret-exposure.ts";
import { sequenceAnomaly } from "./sequence-anomaly.ts";
import { stalledExecution } from "./stalled-execution.ts";
import { systemPromptExtraction } from "./system-prompt-extraction.ts";
import { tokenAccountingMismatch } from "./token-accounting-mismatch.ts";
import { toolErrorBurst } from "./tool-error-burst.ts";
import { toolLoop } from "./tool-loop.ts";
import { unexpectedEgress } from "./unexpected-egress.ts";
import { unhandledException } from "./unhandled-exception.ts";
import { validatorFailure } from "./validator-failure.ts";

/** Every playbook, in the order of the detectors; a test holds the two lists together. */
export const PLAYBOOKS: readonly Playbook[] = [
  promptInjection,
  injectionFollowed,
  jailbreakAttempt,
  systemPromptExtraction,
  obfuscatedPayload,
  secretExposure,
  piiExposure,
  mcpToolPoisoning,
  memoryPoisoning,
  dataExfiltration,
  sandboxEscape,
  unexpectedEgress,
  mcpToolDrift,
  toolLoop,
  toolErrorBurst,
  runawayTokens,
  noProgress,
  handoffLoop,
  ignoredHumanDecision,
  prematureCompletion,
  validatorFailure,
  evalRegression,
  behaviorDrift,
  executionCrash,
  unhandledException,
  executionTimeout,
  stalledExecution,
  sequenceAnomaly,
  tokenAccountingMismatch,
  infrastructureDegradation,
];

const byClass = new Map(PLAYBOOKS.map((playbook) => [playbook.failureClass, playbook]));

/** The playbook of a class; undefined for a name that is none. */
export function playbookOf(failureClass: string): Playbook | undefined {
  return byClass.get(failureClass);
}
