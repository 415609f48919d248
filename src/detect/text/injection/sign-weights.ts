/**
 * The signs that a passage is weighed by, and what each says of one kind of order: log-odds, set by hand on
 * benign texts. What they mean and how they are read: `speech-acts.ts`.
 */
export interface Signs {
  /** A machine is spoken to or spoken of: 2 plainly, 1 by a word that may mean one, 0 not. */
  readonly reader: 0 | 1 | 2;
  /**
   * The machine is told: as the subject of "must", by an order after its name, or by any order where it is
   * plainly addressed.
   */
  readonly told: boolean;
  /** Somebody is told by the form of an order, nobody says who. */
  readonly order: boolean;
  /** A verb that a tool could carry out stands there. */
  readonly verb: boolean;
  /** Neither a reader nor a frame nor the task is named: it may be said from one person to another. */
  readonly unread: boolean;
  /** It is told what it must not do, or to ask first: what careful operators write. */
  readonly careful: boolean;
  /** Text about machines: studies, products, incidents, requirements. */
  readonly about: boolean;
  /** The whole text names machines again and again: they are what it is about, not who it is for. */
  readonly topic: boolean;
  /** The terms of a contract or of a policy, which tell people what they must, may and may not. */
  readonly contract: boolean;
  readonly stake: boolean;
  readonly address: boolean;
  readonly quiet: boolean;
  readonly diverge: boolean;
  readonly override: boolean;
  readonly replyTalk: boolean;
  /** The one that the machine works for, in the third person. */
  readonly person: boolean;
  readonly authority: boolean;
  readonly frame: boolean;
  readonly urge: boolean;
  readonly store: boolean;
  readonly path: boolean;
  readonly passIn: boolean;
  readonly crossing: boolean;
  readonly standing: boolean;
  readonly weaken: boolean;
  readonly harmful: boolean;
  /** An act that changes something outside, or gives trust away. */
  readonly risky: boolean;
  /** Something leaves: it is sent, forwarded, posted. */
  readonly leaves: boolean;
  /** A step beside what was asked for. */
  readonly extra: boolean;
  /** Other tools or results are called wrong, old or dangerous. */
  readonly discredits: boolean;
  /** One side of a conversation, which speaks of itself and asks the other. */
  readonly talk: boolean;
  /** What somebody likes or wants, told as such: what a memory is for. */
  readonly wish: boolean;
  /**
   * Nothing of what an honest description does without: silence, private files, other tools, talk to a
   * machine, a conversation handed over.
   */
  readonly mild: boolean;
}

export type SignWeights = Readonly<Partial<Record<keyof Signs, number>>> & {
  readonly bias: number;
  /** For a plain address of a machine, above what the sign weighs at 1. */
  readonly readerPlain?: number;
};

/** In content that should be data. */
export const CARRIED_WEIGHTS: SignWeights = {
  bias: -4,
  reader: 0.7,
  readerPlain: 1.2,
  told: 1.6,
  order: 0.9,
  verb: 0.3,
  unread: -0.6,
  careful: -1.6,
  about: -2,
  topic: -3,
  contract: -2,
  stake: 0.8,
  address: 0.8,
  quiet: 1.7,
  diverge: 0.9,
  override: 0.9,
  replyTalk: 0.7,
  person: 0.6,
  authority: 0.9,
  frame: 0.9,
  urge: 0.6,
  weaken: 0.7,
  harmful: 0.4,
  path: 0.8,
};

/** In the description of a tool. */
export const DESCRIPTION_WEIGHTS: SignWeights = {
  bias: -2.6,
  reader: 0.4,
  readerPlain: 0.4,
  told: 0.6,
  order: 0.2,
  careful: -1.6,
  stake: 0.4,
  address: 1,
  quiet: 1.9,
  diverge: 0.9,
  override: 0.7,
  person: 0.3,
  authority: 0.9,
  frame: 1,
  urge: 0.5,
  store: 1.1,
  path: 1.4,
  passIn: 0.9,
  crossing: 1.2,
  weaken: 0.7,
  harmful: 0.6,
  about: -1,
  risky: 0.4,
  leaves: 0.4,
  extra: 0.6,
  discredits: 1.4,
  mild: -1.5,
};

/** In what is written into a memory. */
export const MEMORY_WEIGHTS: SignWeights = {
  bias: -2.5,
  told: 0.4,
  order: 0.3,
  verb: 0.2,
  careful: -1,
  about: -0.6,
  stake: 0.5,
  address: 1.3,
  quiet: 1.7,
  diverge: 0.6,
  override: 0.9,
  replyTalk: 0.4,
  person: 0.3,
  authority: 2,
  frame: 0.8,
  store: 0.7,
  path: 0.9,
  standing: 0.7,
  weaken: 1.8,
  harmful: 0.6,
  risky: 0.8,
  talk: -1,
  wish: -1.5,
};

/** The log-odds of a passage. */
export function weigh(signs: Signs, weights: SignWeights): number {
  let sum = weights.bias;
  for (const name in signs) {
    const value = signs[name as keyof Signs];
    if (value !== false && value !== 0) sum += weights[name as keyof Signs] ?? 0;
  }
  if (signs.reader === 2) sum += weights.readerPlain ?? 0;
  return sum;
}
