/**
 * Calls that arrive together share one statement. Invariant: every call is settled once, with its own answer
 * or with the error of its group; of calls with the same key only one is in a group at a time, so a statement
 * never meets a row twice.
 */
export class GroupedCalls<Call, Answer> {
  readonly #run: (calls: readonly Call[]) => Promise<readonly Answer[]>;
  readonly #keyOf: (call: Call) => string;
  readonly #groupMax: number;
  readonly #runsMax: number;
  #waiting: Entry<Call, Answer>[] = [];
  readonly #busy = new Set<string>();
  #runs = 0;
  #scheduled = false;

  /** `run` answers one entry a call, in the order of the calls. */
  constructor(options: {
    run: (calls: readonly Call[]) => Promise<readonly Answer[]>;
    keyOf: (call: Call) => string;
    groupMax: number;
    runsMax: number;
  }) {
    this.#run = options.run;
    this.#keyOf = options.keyOf;
    this.#groupMax = options.groupMax;
    this.#runsMax = options.runsMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  call(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, key: this.#keyOf(call), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#runs >= this.#runsMax) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#runs < this.#runsMax) {
      const group: Entry<Call, Answer>[] = [];
      const rest: Entry<Call, Answer>[] = [];
      for (const entry of this.#waiting) {
        if (group.length < this.#groupMax && !this.#busy.has(entry.key)) {
          this.#busy.add(entry.key);
          group.push(entry);
        } else rest.push(entry);
      }
      if (group.length === 0) return;
      this.#waiting = rest;
      void this.#runGroup(group);
    }
  }

  async #runGroup(group: readonly Entry<Call, Answer>[]): Promise<void> {
    this.#runs++;
    try {
      const answers = await this.#run(group.map((entry) => entry.call));
      for (const [index, entry] of group.entries()) entry.resolve(answers[index]!);
    } catch (error) {
      for (const entry of group) entry.reject(error);
    }
    for (const entry of group) this.#busy.delete(entry.key);
    this.#runs--;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

interface Entry<Call, Answer> {
  readonly call: Call;
  readonly key: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
