/** One line of progress on stderr: rewritten in place on a terminal, otherwise a line now and then. */
const LINE_INTERVAL_MS = 5_000;
const TERMINAL_INTERVAL_MS = 100;

export class Progress {
  private readonly terminal = process.stderr.isTTY === true;
  private shownAtMs = 0;
  private shownWhat = "";
  private lineOpen = false;

  update(what: string, done: number, of: number, unit: string): void {
    const now = performance.now();
    const interval = this.terminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS;
    if (what === this.shownWhat && now - this.shownAtMs < interval) return;
    this.shownAtMs = now;
    this.shownWhat = what;
    const share = of === 0 ? 100 : Math.floor((done / of) * 100);
    const line = `${what}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")} ${unit} (${share} %)`;
    process.stderr.write(this.terminal ? `\r\u001b[K${line}` : `${line}\n`);
    this.lineOpen = this.terminal;
  }

  note(line: string): void {
    process.stderr.write(`${this.lineOpen ? "\r\u001b[K" : ""}${line}\n`);
    this.lineOpen = false;
    this.shownWhat = "";
  }
}
