import type { ProjectMemory } from "../detector.ts";

/**
 * What detectors remember about projects, with what has changed since the last commit. Bounded in keys for
 * each project and class; a full one forgets the key set longest ago. Changes are written in the transaction
 * of the detections that came with them. After a failed transaction the projects that it changed are read
 * again, so memory never runs ahead of the store.
 */

export const MEMORY_KEYS_MAX = 1_000;
export const MEMORY_VALUE_CHARS_MAX = 2_048;
export const MEMORY_KEY_CHARS_MAX = 256;
/** Projects whose memory is held at a time. */
const PROJECTS_MAX = 2_000;

export interface MemoryRow {
  readonly class: string;
  readonly key: string;
  /** JSON text. */
  readonly value: string;
}

export interface MemoryChange {
  readonly projectNo: number;
  readonly class: string;
  readonly key: string;
  /** JSON text; null: forgotten. */
  readonly value: string | null;
}

/**
 * A detector wants to remember what cannot be stored: its call fails, but not the transaction of the others.
 */
export class UnfitMemory extends Error {
  override readonly name = "UnfitMemory";
}

/** The value as JSON text; throws where it cannot be kept under the key. */
export function encodedMemory(key: string, value: unknown): string {
  const encoded = JSON.stringify(value);
  if (encoded === undefined || encoded.length > MEMORY_VALUE_CHARS_MAX || key.length > MEMORY_KEY_CHARS_MAX) {
    throw new UnfitMemory(
      "a remembered value must be JSON of at most 2 KiB under a key of at most 256 characters",
    );
  }
  // PostgreSQL refuses U+0000, and half a surrogate pair would come back as another key.
  if (key.includes("\0") || !key.isWellFormed())
    throw new UnfitMemory("the key of a remembered value must be well-formed text without U+0000");
  return encoded;
}

class ClassMemory implements ProjectMemory {
  readonly values = new Map<string, unknown>();
  readonly changed = new Set<string>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get size(): number {
    return this.values.size;
  }

  keys(): Iterable<string> {
    return this.values.keys();
  }

  get(key: string): unknown {
    return this.values.get(key);
  }

  set(key: string, value: unknown): void {
    const encoded = encodedMemory(key, value);
    if (!this.values.has(key) && this.values.size >= MEMORY_KEYS_MAX) {
      const oldest = this.values.keys().next().value!;
      this.values.delete(oldest);
      this.changed.add(oldest);
    }
    this.values.delete(key);
    // As it will be read back, and out of reach of a detector that changes its object later.
    this.values.set(key, JSON.parse(encoded));
    // They are saved in the order in which they were last set.
    this.changed.delete(key);
    this.changed.add(key);
    this.#onChange();
  }
}

/**
 * For replaying events whose writes are stored already: reads go through to the real memory, writes are kept
 * here and then forgotten. It refuses what the real one refuses: a call that failed then must fail again, or
 * the rebuilt state is not the one that there was.
 */
export class ReplayMemory implements ProjectMemory {
  readonly #below: ProjectMemory;
  readonly #own = new Map<string, unknown>();

  constructor(below: ProjectMemory) {
    this.#below = below;
  }

  get size(): number {
    let own = 0;
    for (const key of this.#own.keys()) if (this.#below.get(key) === undefined) own++;
    return this.#below.size + own;
  }

  *keys(): Iterable<string> {
    yield* this.#below.keys();
    for (const key of this.#own.keys()) if (this.#below.get(key) === undefined) yield key;
  }

  get(key: string): unknown {
    return this.#own.has(key) ? this.#own.get(key) : this.#below.get(key);
  }

  set(key: string, value: unknown): void {
    this.#own.set(key, JSON.parse(encodedMemory(key, value)));
  }
}

export class ProjectMemories {
  readonly #projects = new Map<number, Map<string, ClassMemory>>();
  readonly #dirty = new Map<ClassMemory, { projectNo: number; class: string }>();

  isLoaded(projectNo: number): boolean {
    return this.#projects.has(projectNo);
  }

  /** Rows in the order in which they were last set. */
  load(projectNo: number, rows: readonly MemoryRow[]): void {
    this.#projects.set(projectNo, new Map());
    for (const row of rows) this.#of(projectNo, row.class).values.set(row.key, JSON.parse(row.value));
  }

  of(projectNo: number, failureClass: string): ProjectMemory {
    return this.#of(projectNo, failureClass);
  }

  /** What changed of these projects since it was last committed. */
  changes(projectNos: ReadonlySet<number>): MemoryChange[] {
    const changes: MemoryChange[] = [];
    for (const [memory, { projectNo, class: failureClass }] of this.#dirty) {
      if (!projectNos.has(projectNo)) continue;
      for (const key of memory.changed) {
        const value = memory.values.has(key) ? JSON.stringify(memory.values.get(key)) : null;
        changes.push({ projectNo, class: failureClass, key, value });
      }
    }
    return changes;
  }

  committed(projectNos: ReadonlySet<number>): void {
    for (const [memory, { projectNo }] of this.#dirty) {
      if (!projectNos.has(projectNo)) continue;
      memory.changed.clear();
      this.#dirty.delete(memory);
    }
  }

  /** Brings it back within its bound. Call between transactions only, when no project is in use. */
  trim(): void {
    if (this.#projects.size <= PROJECTS_MAX) return;
    for (const projectNo of this.#projects.keys()) {
      if (this.#projects.size <= PROJECTS_MAX / 2) break;
      this.#projects.delete(projectNo);
    }
  }

  /** Whatever changed of these projects since it was last committed is read anew. */
  forgetChanges(projectNos: ReadonlySet<number>): void {
    for (const [memory, { projectNo }] of this.#dirty) {
      if (!projectNos.has(projectNo)) continue;
      this.#projects.delete(projectNo);
      this.#dirty.delete(memory);
    }
  }

  clear(): void {
    this.#projects.clear();
    this.#dirty.clear();
  }

  #of(projectNo: number, failureClass: string): ClassMemory {
    const classes = this.#projects.get(projectNo);
    if (classes === undefined) throw new Error(`memory of project ${projectNo} was not loaded`);
    let memory = classes.get(failureClass);
    if (memory === undefined) {
      const made: ClassMemory = new ClassMemory(() => {
        this.#dirty.set(made, { projectNo, class: failureClass });
      });
      memory = made;
      classes.set(failureClass, memory);
    }
    return memory;
  }
}
