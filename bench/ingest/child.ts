/**
 * A child of the bench that is spoken to over IPC. Invariant: one order at a time, each settles: by its
 * answer, by the child's end, or by the time limit. Owned by the run; `stop()` ends the process whatever it
 * is doing.
 */
import { fileURLToPath } from "node:url";
import type { FromChild, ToChild } from "./messages.ts";
import type { Progress } from "./progress.ts";

export type ChildAnswer = Exclude<FromChild, { kind: "progress" }>;

export class BenchChild {
  private readonly subprocess: Bun.Subprocess<"ignore", "inherit", "inherit">;
  private waiting: { resolve: (answer: ChildAnswer) => void; reject: (error: Error) => void } | undefined;

  constructor(
    private readonly name: string,
    file: string,
    progress: Progress,
  ) {
    this.subprocess = Bun.spawn([process.execPath, fileURLToPath(new URL(file, import.meta.url))], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (message: FromChild) => {
        if (message.kind === "progress") {
          progress.update(`${this.name}: ${message.what}`, message.done, message.of, message.unit);
        } else {
          this.settle()?.resolve(message);
        }
      },
      onExit: (_subprocess, exitCode) => {
        this.settle()?.reject(new Error(`the ${this.name} process ended with ${exitCode}`));
      },
    });
  }

  private settle() {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  async order<K extends ChildAnswer["kind"]>(
    message: ToChild,
    answerKind: K,
    secondsMax: number,
  ): Promise<Extract<ChildAnswer, { kind: K }>> {
    if (this.waiting !== undefined) throw new Error(`the ${this.name} process is busy`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = await new Promise<ChildAnswer>((resolve, reject) => {
      this.waiting = { resolve, reject };
      timer = setTimeout(() => {
        this.settle()?.reject(new Error(`the ${this.name} process took longer than ${secondsMax} s`));
      }, secondsMax * 1000);
      this.subprocess.send(message);
    }).finally(() => clearTimeout(timer));
    if (!isKind(answer, answerKind)) throw new Error(`the ${this.name} process answered ${answer.kind}`);
    return answer;
  }

  async stop(): Promise<void> {
    this.subprocess.kill("SIGKILL");
    await this.subprocess.exited;
  }
}

function isKind<K extends ChildAnswer["kind"]>(
  answer: ChildAnswer,
  kind: K,
): answer is Extract<ChildAnswer, { kind: K }> {
  return answer.kind === kind;
}
