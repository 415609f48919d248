import type { Detector } from "./detector.ts";
import { behaviorDrift } from "./detectors/behavior-drift.ts";
import { dataExfiltration } from "./detectors/data-exfiltration.ts";
import { evalRegression } from "./detectors/eval-regression.ts";
import { executionCrash } from "./detectors/execution-crash.ts";
import { executionTimeout } from "./detectors/execution-timeout.ts";
import { handoffLoop } from "./detectors/handoff-loop.ts";
import { ignoredHumanDecision } from "./detectors/ignored-human-decision.ts";
import { infrastructureDegradation } from "./detectors/infrastructure-degradation.ts";
import { injectionFollowed } from "./detectors/injection-followed.ts";
import { jailbreakAttempt } from "./detectors/jailbreak-attempt.ts";
import { mcpToolDrift } from "./detectors/mcp-tool-drift.ts";
import { mcpToolPoisoning } from "./detectors/mcp-tool-poisoning.ts";
import { memoryPoisoning } from "./detectors/memory-poisoning.ts";
import { noProgress } from "./detectors/no-progress.ts";
import { obfuscatedPayload } from "./detectors/obfuscated-payload.ts";
import { piiExposure } from "./detectors/pii-exposure.ts";
import { prematureCompletion } from "./detectors/premature-completion.ts";
import { promptInjection } from "./detectors/prompt-injection.ts";
import { runawayTokens } from "./detectors/runaway-tokens.ts";
import { sandboxEscape } from "./detectors/sandbox-escape.ts";
import { secretExposure } from "./detectors/secret-exposure.ts";
import { sequenceAnomaly } from "./detectors/sequence-anomaly.ts";
import { stalledExecution } from "./detectors/stalled-execution.ts";
import { systemPromptExtraction } from "./detectors/system-prompt-extraction.ts";
import { tokenAccountingMismatch } from "./detectors/token-accounting-mismatch.ts";
import { toolErrorBurst } from "./detectors/tool-error-burst.ts";
import { toolLoop } from "./detectors/tool-loop.ts";
import { unexpectedEgress } from "./detectors/unexpected-egress.ts";
import { unhandledException } from "./detectors/unhandled-exception.ts";
import { validatorFailure } from "./detectors/validator-failure.ts";

/** Every detector of the service, one line each. A detector that is not here does not run. */
export const DETECTORS: readonly Detector[] = [
  // security
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
  // behaviour and cost
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
  // reliability
  executionCrash,
  unhandledException,
  executionTimeout,
  stalledExecution,
  sequenceAnomaly,
  tokenAccountingMismatch,
  infrastructureDegradation,
];
