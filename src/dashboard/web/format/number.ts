const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 12,345 — for a number that is read exactly. */
export function formatCount(value: number): string {
  return whole.format(value);
}

/** 12.3K — for tiles, axes and dense lists; the exact number belongs into a tooltip. */
export function formatCompact(value: number): string {
  return Math.abs(value) < 1000 ? formatDecimal(value) : compact.format(value);
}

/** At most three digits that say something: 0.042, 3.14, 31.4, 314. */
export function formatDecimal(value: number): string {
  if (value === 0 || Number.isInteger(value)) return whole.format(value);
  const size = Math.abs(value);
  if (size < 0.001) return value.toExponential(1);
  return new Intl.NumberFormat("en", { maximumSignificantDigits: size >= 100 ? 4 : 3 }).format(value);
}

/** How sure a detector is, 0 to 1: two decimals everywhere, so that one score reads alike on every page. */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

/** A share of one as a percentage; 99.97 % is not 100 %. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 99.9 && percent < 100) return `${(Math.floor(percent * 100) / 100).toFixed(2)} %`;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${Number.isInteger(percent) ? percent : percent.toFixed(1)} %`;
}

/** 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Dollars, exact enough for a call that costs a fraction of a cent. */
export function formatCost(dollars: number): string {
  if (dollars !== 0 && Math.abs(dollars) < 0.01) return `$${dollars.toPrecision(2)}`;
  return new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).format(dollars);
}
