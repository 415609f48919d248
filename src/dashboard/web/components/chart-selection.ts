import type uPlot from "uplot";

/**
 * Selecting a range of a chart without a mouse, which is all that uPlot listens to: a finger that is drawn
 * sideways, and the keyboard. What goes up or down stays the page's own scrolling.
 */

/** A shorter way of a finger is a tap. */
const SELECTION_PX_MIN = 8;

export interface ChartSelection {
  readonly brushable: boolean;
  /** In seconds, as the times of the chart's data. */
  readonly onBrush: (from: number, to: number) => void;
}

const none = { left: 0, top: 0, width: 0, height: 0 };

function show(plot: uPlot, from: number, to: number): void {
  const left = Math.min(from, to);
  plot.setSelect({ left, top: 0, width: Math.abs(to - from), height: plot.over.clientHeight }, false);
}

/** Goes with the plot: the listeners are on its own element. */
export function selectByTouch(plot: uPlot, { brushable, onBrush }: ChartSelection): void {
  const { over } = plot;
  let start: { readonly id: number; readonly x: number } | null = null;
  const placeOf = (event: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect();
    return Math.min(width, Math.max(0, event.clientX - left));
  };
  const end = () => {
    start = null;
    plot.setSelect(none, false);
  };
  over.style.touchAction = "pan-y pinch-zoom";
  over.addEventListener("pointerdown", (event) => {
    // A second finger is about to zoom.
    if (event.pointerType === "mouse") return;
    if (!event.isPrimary) return end();
    start = { id: event.pointerId, x: placeOf(event) };
  });
  over.addEventListener("pointermove", (event) => {
    if (start === null || event.pointerId !== start.id) return;
    const x = placeOf(event);
    plot.setCursor({ left: x, top: 0 });
    if (brushable) show(plot, start.x, x);
  });
  over.addEventListener("pointerup", (event) => {
    if (start === null || event.pointerId !== start.id) return;
    const [from, to] = [start.x, placeOf(event)].sort((one, other) => one - other) as [number, number];
    end();
    if (brushable && to - from >= SELECTION_PX_MIN) onBrush(plot.posToVal(from, "x"), plot.posToVal(to, "x"));
  });
  // The page scrolls, or the system took the finger over.
  over.addEventListener("pointercancel", end);
}

/** Where the keyboard is in a chart: at one of its times, and where Shift was first held. */
export interface ChartPlace {
  readonly at: number;
  readonly anchor: number | null;
}

export type ChartKey =
  | { readonly kind: "move"; readonly place: ChartPlace }
  | { readonly kind: "select"; readonly from: number; readonly to: number }
  | { readonly kind: "leave" };

interface KeyStroke {
  readonly key: string;
  readonly shiftKey: boolean;
}

/**
 * What a key does at `place` (null: not in the chart yet) of `count` times; null when it is none of the
 * chart's. Shift selects from where one is, Enter takes what is selected.
 */
export function chartKey(
  { key, shiftKey }: KeyStroke,
  place: ChartPlace | null,
  count: number,
): ChartKey | null {
  if (count === 0) return null;
  const last = count - 1;
  if (key === "Escape") return place === null ? null : { kind: "leave" };
  if (key === "Enter") {
    if (place === null || place.anchor === null || place.anchor === place.at) return null;
    return {
      kind: "select",
      from: Math.min(place.anchor, place.at),
      to: Math.max(place.anchor, place.at),
    };
  }
  const at = place?.at ?? null;
  const far = Math.max(1, Math.round(count / 10));
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at === null ? last : at - 1,
    ArrowRight: at === null ? 0 : at + 1,
    PageUp: at === null ? last : at - far,
    PageDown: at === null ? 0 : at + far,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  if (target === undefined) return null;
  return {
    kind: "move",
    place: {
      at: Math.min(last, Math.max(0, target)),
      anchor: shiftKey ? (place?.anchor ?? at) : null,
    },
  };
}

/** The place in a chart that may have fewer times than before. */
export function placeWithin({ at, anchor }: ChartPlace, count: number): ChartPlace | null {
  if (count === 0) return null;
  const last = count - 1;
  return { at: Math.min(at, last), anchor: anchor === null ? null : Math.min(anchor, last) };
}

/** Draws the keyboard's place: the cursor, and what is selected. */
export function showPlace(plot: uPlot, place: ChartPlace | null): void {
  const x = (index: number) => plot.valToPos(plot.data[0][index] ?? 0, "x");
  if (place === null) {
    plot.setCursor({ left: -10, top: -10 });
    plot.setSelect(none, false);
    return;
  }
  plot.setCursor({ left: x(place.at), top: 0 });
  if (place.anchor === null) plot.setSelect(none, false);
  else show(plot, x(place.anchor), x(place.at));
}
