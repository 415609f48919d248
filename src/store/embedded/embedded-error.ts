/**
 * Something an operator can mend. The message is for them: it says what is wrong and what to do, without a
 * stack.
 */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
