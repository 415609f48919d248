import { queryOptions } from "@tanstack/react-query";
import { call, client } from "../../client.ts";

/** What the overview asks: a range, and how often to ask again. */
export interface OverviewAsk {
  readonly projectId: string;
  readonly from: string;
  readonly to: string;
  /** Milliseconds; false for a range that is over. A hidden tab never asks. */
  readonly again: number | false;
}

/** The curves, numbers and states that stand on the page until those of the next range are there. */
const held =
  (projectId: string) =>
  <Data>(
    previous: Data | undefined,
    query: { readonly queryKey: readonly unknown[] } | undefined,
  ): Data | undefined =>
    query?.queryKey[1] === projectId ? previous : undefined;

const answers = (ask: OverviewAsk) => {
  const { overview } = client.app.api.projects({ project_id: ask.projectId });
  const query = { from: ask.from, to: ask.to };
  return {
    series: () => call(overview.series.get({ query })),
    totals: () => call(overview.totals.get({ query })),
    health: () => call(overview.health.get({ query })),
  };
};

const keyOf = (ask: OverviewAsk, part: string) =>
  ["overview", ask.projectId, part, ask.from, ask.to] as const;

export const seriesQuery = (ask: OverviewAsk) =>
  queryOptions({
    queryKey: keyOf(ask, "series"),
    queryFn: () => answers(ask).series(),
    refetchInterval: ask.again,
    placeholderData: held(ask.projectId),
  });

/** Never from the cache alone: whether the project is still empty decides where the page leads. */
export const totalsQuery = (ask: OverviewAsk) =>
  queryOptions({
    queryKey: keyOf(ask, "totals"),
    queryFn: () => answers(ask).totals(),
    refetchInterval: ask.again,
    placeholderData: held(ask.projectId),
    staleTime: 0,
  });

/** The range before, to compare with: it is over, so once will do. */
export const totalsBeforeQuery = (ask: OverviewAsk) => {
  const length = Date.parse(ask.to) - Date.parse(ask.from);
  const before = {
    ...ask,
    from: new Date(Date.parse(ask.from) - length).toISOString(),
    to: ask.from,
    again: false,
  } as const;
  return queryOptions({
    queryKey: keyOf(before, "totals"),
    queryFn: () => answers(before).totals(),
    placeholderData: held(ask.projectId),
    staleTime: 60_000,
  });
};

export const healthQuery = (ask: OverviewAsk) =>
  queryOptions({
    queryKey: keyOf(ask, "health"),
    queryFn: () => answers(ask).health(),
    refetchInterval: ask.again,
    placeholderData: held(ask.projectId),
  });

export type OverviewSeries = Awaited<ReturnType<ReturnType<typeof answers>["series"]>>;
export type OverviewTotals = Awaited<ReturnType<ReturnType<typeof answers>["totals"]>>;
export type OverviewHealth = Awaited<ReturnType<ReturnType<typeof answers>["health"]>>;
