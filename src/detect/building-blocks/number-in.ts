const PRINTED = /^\s{0,9}(-?\d{1,15}(?:\.\d{1,15})?)\s{0,9}(%?)\s{0,9}$/;

/** A number as such or printed, in percent too; null for anything else. */
export function numberIn(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const printed = typeof value === "string" ? PRINTED.exec(value) : null;
  if (printed === null) return null;
  return printed[2] === "%" ? Number(printed[1]) / 100 : Number(printed[1]);
}
