import type { HttpThread, HttpThreadOptions } from "./http-thread.ts";

/**
 * The main thread's end of an HTTP worker. A worker that dies takes the process with it: its requests are
 * unanswered anyway, and a supervisor starts the whole service again faster than half of one can be mended.
 */

/** What can be handed over as a message. */
export interface WorkerStart
  extends Omit<HttpThreadOptions, "exposeMetrics" | "onSilenceOver" | "log" | "dashboard"> {
  readonly dashboardSocket: string | undefined;
}

/** Main to worker. `start` comes first, once. */
export type ToWorker =
  | { readonly kind: "start"; readonly options: WorkerStart }
  | { readonly kind: "metrics"; readonly id: number; readonly text: string }
  | { readonly kind: "dashboard"; readonly id: number; readonly isReady: boolean }
  /** The answer to either question that could not be had. */
  | { readonly kind: "unanswered"; readonly id: number; readonly reason: string }
  | { readonly kind: "drain" };

/** Worker to main. */
export type FromWorker =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "failed"; readonly reason: string; readonly code: string | undefined }
  | { readonly kind: "expose_metrics"; readonly id: number }
  | { readonly kind: "need_dashboard"; readonly id: number }
  | { readonly kind: "silence_over"; readonly silentMs: number }
  | { readonly kind: "drained" };

export async function startHttpWorker(options: HttpThreadOptions): Promise<HttpThread> {
  const { exposeMetrics, onSilenceOver, log, dashboard, ...startOptions } = options;
  const worker = new Worker(new URL("./http-worker.ts", import.meta.url));
  const send = (message: ToWorker) => worker.postMessage(message);
  /** A question is answered in any case: a request of the worker waits for it. */
  const answer = (id: number, find: () => Promise<ToWorker>) =>
    void find().then(send, (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      send({ kind: "unanswered", id, reason });
    });
  const drained = Promise.withResolvers<void>();
  const port = await new Promise<number>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      switch (data.kind) {
        case "listening":
          return resolve(data.port);
        case "failed":
          return reject(
            Object.assign(new Error(data.reason), data.code === undefined ? {} : { code: data.code }),
          );
        case "expose_metrics":
          return answer(data.id, async () => ({ kind: "metrics", id: data.id, text: await exposeMetrics() }));
        case "need_dashboard":
          return answer(data.id, async () => {
            const isReady = (await dashboard?.ready()) ?? false;
            return { kind: "dashboard", id: data.id, isReady };
          });
        case "silence_over":
          return onSilenceOver(data.silentMs);
        case "drained":
          return drained.resolve();
      }
    };
    worker.onerror = (event) => {
      log.fatal({ thread: options.thread, reason: event.message }, "an HTTP thread died");
      process.exit(1);
    };
    send({ kind: "start", options: { ...startOptions, dashboardSocket: dashboard?.socketPath } });
  });
  return {
    port,
    async drain() {
      send({ kind: "drain" });
      await drained.promise;
      worker.terminate();
    },
  };
}
