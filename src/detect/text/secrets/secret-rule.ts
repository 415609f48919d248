/**
 * The formats of credentials. A rule is tried only where one of its keywords stands (folded, anywhere in a
 * word), and only on a window of the text around it; its pattern holds bounded repetitions only. `entropyMin`
 * is Shannon entropy in bits a character of the captured value, which drops placeholders and prose.
 */
export interface SecretRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly pattern: RegExp;
  readonly entropyMin: number;
  /** True if a match begins where the keyword begins: the pattern is sticky and tried at that place alone. */
  readonly anchored: boolean;
  /**
   * `prefix`: the format alone proves it. `assigned`: a vendor's name and an assignment. `generic`: names
   * only.
   */
  readonly kind: "prefix" | "assigned" | "generic";
}

/** What a rule found in a text, and where. */
export interface SecretFinding {
  readonly rule: SecretRule;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}
