/**
 * Invented texts of one language, by what they are. Attacks and benign texts that use an attack's words on
 * purpose; written before any rule for other languages, and dealt into two halves by a hash (`halves.ts`), of
 * which one was not looked at.
 */
export interface LanguageSamples {
  /** What a tool returned, with an order for the model in it. */
  readonly inject: readonly string[];
  /** A person's prompt that sets the model's instructions aside. */
  readonly override: readonly string[];
  readonly jailbreak: readonly string[];
  readonly extract: readonly string[];
  /** The description of a tool that gives orders. */
  readonly description: readonly string[];
  /** What is written into a memory and rules over later runs. */
  readonly memory: readonly string[];
  /** Benign: what a tool returned, a person's prompt, a description, a memory. */
  readonly page: readonly string[];
  readonly prompt: readonly string[];
  readonly tool: readonly string[];
  readonly note: readonly string[];
}
