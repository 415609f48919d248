import type { Detector, Severity, Taxonomy } from "../../detect/detector.ts";
import { DETECTORS } from "../../detect/registry.ts";

/** A failure class as its detector describes it: what pages say of it beside its playbook. */
export interface FailureClass {
  readonly failure_class: string;
  readonly family: Detector["family"];
  readonly summary: string;
  readonly severity: Severity;
  readonly version: number;
  /** What tells groups of the class apart. */
  readonly signature: readonly string[];
  readonly taxonomy: {
    readonly owasp_llm_2025: readonly string[];
    readonly owasp_agentic_2026: readonly string[];
    readonly mitre_atlas: readonly string[];
    readonly mast: readonly string[];
  };
}

function classOf(detector: Detector): FailureClass {
  return {
    failure_class: detector.failureClass,
    family: detector.family,
    summary: detector.summary,
    severity: detector.defaultSeverity,
    version: detector.version,
    signature: detector.signature,
    taxonomy: taxonomyOf(detector.taxonomy),
  };
}

function taxonomyOf(taxonomy: Taxonomy): FailureClass["taxonomy"] {
  return {
    owasp_llm_2025: taxonomy.owaspLlm2025 ?? [],
    owasp_agentic_2026: taxonomy.owaspAgentic2026 ?? [],
    mitre_atlas: taxonomy.mitreAtlas ?? [],
    mast: taxonomy.mast ?? [],
  };
}

export const FAILURE_CLASSES: readonly FailureClass[] = DETECTORS.map(classOf);

const byName = new Map(FAILURE_CLASSES.map((each) => [each.failure_class, each]));

/** Null for a class that no detector of this build fires. */
export const findFailureClass = (name: string): FailureClass | null => byName.get(name) ?? null;
