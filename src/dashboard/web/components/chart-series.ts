/** What a chart draws. */

export type ChartColor =
  | "series-1"
  | "series-2"
  | "series-3"
  | "series-4"
  | "series-5"
  | "series-6"
  | "series-7"
  | "series-8"
  | "ok"
  | "info"
  | "warn"
  | "bad"
  | "idle"
  | "low"
  | "medium"
  | "high"
  | "critical"
  | "accent";

export interface ChartSeries {
  name: string;
  /** One for each time; null is a gap. */
  values: readonly (number | null)[];
  /** A colour of theme.css; default: series-1, series-2, … */
  color?: ChartColor;
}
