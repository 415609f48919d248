import { formatDateTime } from "../format/time.ts";
import type { ChartSeries } from "./chart-series.ts";

interface TimeChartTableProps {
  label: string;
  times: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

/** The values of a chart for those who cannot see it, or want the numbers; the newest first. */
export function TimeChartTable({ label, times, series, format }: TimeChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section tabIndex={0} aria-label={`${label}, table`} className="max-h-64 overflow-auto rounded-md border">
      <table className="w-full text-left text-xs">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-sunken">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Time
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times
            .map((time, index) => (
              <tr key={time} className="border-t">
                <th scope="row" className="px-3 py-1 font-normal whitespace-nowrap text-muted">
                  {formatDateTime(time)}
                </th>
                {series.map(({ name, values }) => {
                  const value = values[index];
                  return (
                    <td key={name} className="px-3 py-1 text-right">
                      {value === null || value === undefined ? "–" : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  );
}
