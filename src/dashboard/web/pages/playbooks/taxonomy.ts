import type { FailureClass } from "../../../api/failure-classes.ts";

/** Where the public taxonomies have published what an id means. */

const owaspLlm: Record<string, string> = {
  "LLM01:2025": "llm01-prompt-injection",
  "LLM02:2025": "llm022025-sensitive-information-disclosure",
  "LLM03:2025": "llm032025-supply-chain",
  "LLM04:2025": "llm042025-data-and-model-poisoning",
  "LLM05:2025": "llm052025-improper-output-handling",
  "LLM06:2025": "llm062025-excessive-agency",
  "LLM07:2025": "llm072025-system-prompt-leakage",
  "LLM08:2025": "llm082025-vector-and-embedding-weaknesses",
  "LLM09:2025": "llm092025-misinformation",
  "LLM10:2025": "llm102025-unbounded-consumption",
};

export interface NamedTaxonomy {
  readonly name: string;
  readonly entries: readonly { readonly id: string; readonly url: string }[];
}

export function taxonomiesOf(taxonomy: FailureClass["taxonomy"]): NamedTaxonomy[] {
  const named = (name: string, ids: readonly string[], urlOf: (id: string) => string): NamedTaxonomy => ({
    name,
    entries: ids.map((id) => ({ id, url: urlOf(id) })),
  });
  return [
    named(
      "OWASP Top 10 for LLM Applications 2025",
      taxonomy.owasp_llm_2025,
      (id) =>
        `https://genai.owasp.org/${owaspLlm[id] === undefined ? "llm-top-10" : `llmrisk/${owaspLlm[id]}`}/`,
    ),
    named(
      "OWASP Top 10 for Agentic Applications 2026",
      taxonomy.owasp_agentic_2026,
      () => "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
    ),
    named("MITRE ATLAS", taxonomy.mitre_atlas, (id) => `https://atlas.mitre.org/techniques/${id}`),
    named("MAST, failures of multi-agent systems", taxonomy.mast, () => "https://arxiv.org/abs/2503.13657"),
  ];
}
