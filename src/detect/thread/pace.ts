/**
 * A transaction has some fifteen statements whatever it holds, so the more arrives the rarer transactions
 * are: 40 a second in quiet times, 10 at full load. That delays findings no more than a busy machine does
 * anyway.
 */
const TRANSACTION_EVERY_MS_MIN = 25;
const TRANSACTION_EVERY_MS_MAX = 100;
/** Rows handed over in a millisecond from which on transactions are as rare as they get. */
const FULL_LOAD_BYTES_PER_MS = 32 << 10;

/** How long after the start of one transaction the next may start. */
export function transactionEveryMs(bytesPerMs: number): number {
  const load = Math.min(1, bytesPerMs / FULL_LOAD_BYTES_PER_MS);
  return TRANSACTION_EVERY_MS_MIN + load * (TRANSACTION_EVERY_MS_MAX - TRANSACTION_EVERY_MS_MIN);
}
