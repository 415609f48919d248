/**
 * The pulse of the detection thread and the call it is in, in shared memory, so that the main thread can tell
 * that it hangs, and in which call. Written by the detection thread alone. The call is read only once the
 * pulse has stopped, so a torn read does no harm.
 *
 *   Int32: beat · detector index + 1 (0: none) · project_no · backend pid        Float64 at 16: batch_no · execution_no
 */

const BEAT = 0;
const DETECTOR = 1;
const PROJECT = 2;
const BACKEND = 3;
const BATCH = 2;
const EXECUTION = 3;

export interface CallInProgress {
  readonly detectorIndex: number;
  readonly projectNo: number;
  /** 0: a tick. */
  readonly batchNo: number;
  readonly executionNo: number;
}

export class Pulse {
  readonly #ints: Int32Array;
  readonly #doubles: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#ints = new Int32Array(memory);
    this.#doubles = new Float64Array(memory);
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(32);
  }

  beat(): void {
    Atomics.add(this.#ints, BEAT, 1);
  }

  /** No atomics: it is called before every call of a detector. */
  enter(detectorIndex: number, projectNo: number, batchNo: number, executionNo: number): void {
    this.#doubles[BATCH] = batchNo;
    this.#doubles[EXECUTION] = executionNo;
    this.#ints[PROJECT] = projectNo;
    this.#ints[DETECTOR] = detectorIndex + 1;
    this.#ints[BEAT]!++;
  }

  leave(): void {
    this.#ints[DETECTOR] = 0;
  }

  setBackend(pid: number): void {
    Atomics.store(this.#ints, BACKEND, pid);
  }

  get beats(): number {
    return Atomics.load(this.#ints, BEAT);
  }

  get backendPid(): number {
    return Atomics.load(this.#ints, BACKEND);
  }

  get call(): CallInProgress | null {
    const detector = Atomics.load(this.#ints, DETECTOR);
    if (detector === 0) return null;
    return {
      detectorIndex: detector - 1,
      projectNo: Atomics.load(this.#ints, PROJECT),
      batchNo: this.#doubles[BATCH]!,
      executionNo: this.#doubles[EXECUTION]!,
    };
  }
}
