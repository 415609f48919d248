import { emptyCounters } from "../../src/notify/delivery-metrics.ts";
import type { FromThread } from "../../src/notify/protocol.ts";

const WORKER = new URL("../../src/notify/worker.ts", import.meta.url).pathname;

/** As of a thread that has delivered three, and now looks for what is due. */
const FIGURES: FromThread = {
  type: "metrics",
  metrics: {
    ...emptyCounters(),
    delivered: 3,
    inFlight: 0,
    backlog: { owed: 1, due: 1, oldestDueMs: 0 },
  },
  progress: 1,
};

const HANGS = {
  /** Never returns from its first message. */
  busy: "for (;;);",
  /** Goes on telling figures of a look that never ends. */
  stuck: "setInterval(() => postMessage(figures), 50);",
};

/** Writes the module of a notify thread that hangs the first time that it is started. */
export async function writeHangingWorker(folder: string, hang: keyof typeof HANGS): Promise<string> {
  const module = `${folder}/${hang}.js`;
  const hasHung = JSON.stringify(`${folder}/${hang}-has-hung`);
  await Bun.write(
    module,
    `import { existsSync, writeFileSync } from "node:fs";
import ${JSON.stringify(WORKER)};
const figures = ${JSON.stringify(FIGURES)};
if (!existsSync(${hasHung})) {
  writeFileSync(${hasHung}, "");
  self.onmessage = () => {
    postMessage(figures);
    ${HANGS[hang]}
  };
}
`,
  );
  return module;
}
