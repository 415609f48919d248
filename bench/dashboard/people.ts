/**
 * People who click: each opens a page, waits for all of its data, looks at it for a while and opens the next.
 * All take their pages from one deck, so that all pages are asked for equally often.
 */
import type { Ask, Pick, View } from "./views.ts";

/** Where the service is, and who asks. */
export interface Signed {
  readonly url: string;
  readonly cookie: string;
}

export interface PeopleOptions extends Signed {
  readonly people: number;
  readonly thinkMs: number;
}

export interface Clicks {
  /** Milliseconds by route, and by page until its last answer. */
  readonly routes: ReadonlyMap<string, readonly number[]>;
  readonly pages: ReadonlyMap<string, readonly number[]>;
  readonly failures: readonly string[];
}

const REQUEST_TIMEOUT_MS = 15_000;
const FAILURES_KEPT = 20;

export async function ask(options: Signed, one: Ask): Promise<void> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), REQUEST_TIMEOUT_MS);
  try {
    const response = await fetch(`${options.url}/app/api${one.path}`, {
      headers: { cookie: options.cookie },
      signal: ending.signal,
    });
    if (!response.ok) throw new Error(`answered ${response.status} ${(await response.text()).slice(0, 200)}`);
    if (one.isStream === true) await response.body?.getReader().read();
    else await response.arrayBuffer();
  } finally {
    clearTimeout(timer);
    // Ends a stream; of an answer that was read whole nothing is left to end.
    ending.abort();
  }
}

export class People {
  private readonly routes = new Map<string, number[]>();
  private readonly pages = new Map<string, number[]>();
  private readonly failures: string[] = [];
  private stopping = false;
  private next = 0;
  private picked = 0;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly options: PeopleOptions,
    private readonly views: readonly View[],
  ) {}

  start(): void {
    this.running = Promise.all(Array.from({ length: this.options.people }, (_, place) => this.click(place)));
  }

  async stop(): Promise<Clicks> {
    this.stopping = true;
    await this.running;
    return { routes: this.routes, pages: this.pages, failures: this.failures };
  }

  private readonly pick: Pick = (items) => {
    const item = items[this.picked++ % items.length];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };

  private async click(place: number): Promise<void> {
    const { people, thinkMs } = this.options;
    // Not all at the same moment.
    await Bun.sleep((thinkMs * place) / people);
    while (!this.stopping) {
      const view = this.views[this.next++ % this.views.length];
      if (view !== undefined) await this.open(view);
      await Bun.sleep(thinkMs * (0.5 + Math.random()));
    }
  }

  private async open(view: View): Promise<void> {
    const start = performance.now();
    try {
      for (const step of view.steps(this.pick)) await Promise.all(step.map((one) => this.timed(one)));
      note(this.pages, view.page, performance.now() - start);
    } catch (error) {
      if (this.failures.length < FAILURES_KEPT)
        this.failures.push(`${view.page}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async timed(one: Ask): Promise<void> {
    const start = performance.now();
    await ask(this.options, one);
    note(this.routes, one.route, performance.now() - start);
  }
}

function note(samples: Map<string, number[]>, name: string, ms: number): void {
  const known = samples.get(name);
  if (known === undefined) samples.set(name, [ms]);
  else known.push(ms);
}
