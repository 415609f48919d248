import { existsSync, writeFileSync } from "node:fs";
import { emptyCounters } from "../../src/notify/delivery-metrics.ts";
import type { FromThread } from "../../src/notify/protocol.ts";

declare const self: Worker;

/** `busy`: never returns from its first message. `stuck`: goes on telling figures of a look that never ends. */
export type Hang = "busy" | "stuck";

/** Writes the module of a notify thread that hangs the first time that it is started. */
export async function writeHangingWorker(folder: string, hang: Hang): Promise<string> {
  const module = `${folder}/${hang}.js`;
  const worker = new URL("../../src/notify/worker.ts", import.meta.url).pathname;
  const once = JSON.stringify({ hang, mark: `${folder}/${hang}-has-hung` });
  // Both at the top: a message that comes while a module awaits another is lost.
  await Bun.write(
    module,
    `import ${JSON.stringify(worker)};
import { hangOnce } from ${JSON.stringify(import.meta.path)};
hangOnce(${once});
`,
  );
  return module;
}

/** `mark` is the file that says that it has hung before. */
export function hangOnce({ hang, mark }: { hang: Hang; mark: string }): void {
  if (existsSync(mark)) return;
  writeFileSync(mark, "");
  self.onmessage = () => {
    tell();
    if (hang === "busy") for (;;);
    setInterval(tell, 50);
  };
}

function tell(): void {
  const metrics = {
    ...emptyCounters(),
    delivered: 3,
    inFlight: 0,
    backlog: { owed: 1, due: 1, oldestDueMs: 0 },
  };
  postMessage({ type: "metrics", metrics, progress: 1 } satisfies FromThread);
}
