import { NODE_HEIGHT, NODE_WIDTH, type PlacedNode } from "./graph-layout.ts";

/** How a line of the graph runs, and where its count stands. */
export interface EdgePath {
  readonly d: string;
  readonly labelX: number;
  readonly labelY: number;
}

/** How far along a forward line its count stands: near the end, where lines from one node have parted. */
const LABEL_AT = 0.72;

/**
 * Forward lines bend from side to side; lines within a column bulge to the right; lines back run below
 * everything.
 */
export function edgePath(from: PlacedNode, to: PlacedNode, height: number): EdgePath {
  const middle = NODE_HEIGHT / 2;
  const [startX, startY] = [from.x + NODE_WIDTH, from.y + middle];
  if (to.x > from.x) {
    const [endX, endY] = [to.x - 3, to.y + middle];
    const bend = Math.max(36, (endX - startX) / 2);
    return {
      d: `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`,
      labelX: onCurve(startX, startX + bend, endX - bend, endX),
      labelY: onCurve(startY, startY, endY, endY),
    };
  }
  if (to.x === from.x) {
    const endY = to.y + middle + (from.id === to.id ? 12 : 0);
    const out = startX + (from.id === to.id ? 36 : 56);
    const top = startY - (from.id === to.id ? 12 : 0);
    return {
      d: `M${startX} ${top}C${out} ${top} ${out} ${endY} ${startX + 3} ${endY}`,
      labelX: startX + (from.id === to.id ? 27 : 42),
      labelY: (top + endY) / 2,
    };
  }
  const bottom = height - 10;
  const [fromX, toX] = [from.x + NODE_WIDTH / 2, to.x + NODE_WIDTH / 2];
  const [fromY, toY] = [from.y + NODE_HEIGHT, to.y + NODE_HEIGHT + 3];
  return {
    d: `M${fromX} ${fromY}C${fromX} ${bottom + 10} ${toX} ${bottom + 10} ${toX} ${toY}`,
    labelX: (fromX + toX) / 2,
    labelY: (fromY + toY) / 8 + (bottom + 10) * 0.75,
  };
}

/** A cubic curve at `LABEL_AT`. */
function onCurve(a: number, b: number, c: number, d: number): number {
  const [t, rest] = [LABEL_AT, 1 - LABEL_AT];
  return rest ** 3 * a + 3 * rest ** 2 * t * b + 3 * rest * t ** 2 * c + t ** 3 * d;
}
