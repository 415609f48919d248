/** A call of a tool as it is kept to be compared with later ones. */
export interface Call {
  readonly seq: number;
  readonly call: number;
  /** A result without arguments: until the call is told that it ends, a call of its own. */
  readonly isEnd: boolean;
  /** 0 without one, and where it only says that a click or the like was done. */
  result: number;
  readonly tool: string;
  /** 0 without one. */
  readonly callId: number;
  readonly eventId: string;
  /** Milliseconds since the Unix epoch, by the client's clock. */
  readonly atMs: number;
  /** How long it took, 0 where that is not told. */
  readonly tookMs: number;
  failed: boolean;
  /**
   * The first numbers of the result. Only a call that was made before has them: they are for comparing
   * repeats.
   */
  numbers: readonly number[];
  /** Where in the chat it stands, which tells calls without an id apart; 0 for the event of a tool. */
  readonly place: number;
  /** What it is for, as `purposeOf` says. */
  readonly purpose: number;
  /**
   * What it has in common with calls for another page or at another time, 0 for no such; then also what it
   * brought.
   */
  readonly kin: number;
  brought: number;
  /** Of a question to a tool that searches, its words; only where it was answered as one before. */
  readonly words: readonly number[];
  /**
   * What the answer says of asking again, as `answerStateOf` says; unknown of a call that was not made
   * before.
   */
  answer: number;
}
