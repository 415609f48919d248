/** Faults by chance, one after another, several at a time where they break different things. */
import type { SeededRandom } from "../ingest/random.ts";
import { type Fault, type FaultName, faultOf } from "./fault-kinds.ts";
import type { Site } from "./site.ts";

export class Storm {
  /** How often each happened. */
  readonly happened = new Map<FaultName, number>();
  /** What did not stand a fault that it must stand. */
  readonly broken: string[] = [];
  /** All together. */
  faults = 0;
  private readonly held = new Set<Fault["resource"]>();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly site: Site,
    private readonly kinds: readonly FaultName[],
    private readonly random: SeededRandom,
    private readonly tell: (line: string) => void,
  ) {}

  /** A fault by chance begins, unless what it would break is broken already. */
  strike(): void {
    if (this.kinds.length === 0) return;
    const fault = faultOf(this.random.pick(this.kinds), this.site, this.random);
    if (this.held.has(fault.resource)) return;
    this.held.add(fault.resource);
    this.faults++;
    this.happened.set(fault.name, (this.happened.get(fault.name) ?? 0) + 1);
    this.tell(fault.name);
    const going = fault
      .happen()
      .catch((error: unknown) => {
        this.broken.push(`${fault.name}: ${error instanceof Error ? error.message : error}`);
      })
      .finally(() => {
        this.held.delete(fault.resource);
        this.underWay.delete(going);
      });
    this.underWay.add(going);
  }

  /** Resolves when all is whole again. */
  async pass(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
