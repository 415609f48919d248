/**
 * Places the hand-over graph in columns, left to right: agents by how many hand-overs lie before them, what
 * they call in the column behind its callers. Within a column nodes stand near what they are tied to, so that
 * few lines cross.
 */

export interface LayoutNode {
  readonly id: string;
  readonly kind: "agent" | "tool" | "mcp_server";
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
}

export interface PlacedNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 176;
export const NODE_HEIGHT = 44;
const COLUMN_GAP = 96;
const ROW_GAP = 18;
const MARGIN = 24;
const SWEEPS = 6;

export function layoutGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): GraphLayout {
  const columns = columnsOf(nodes, edges);
  order(columns, edges);
  const rowsMax = Math.max(1, ...columns.map((column) => column.length));
  const height = rowsMax * NODE_HEIGHT + (rowsMax - 1) * ROW_GAP;
  const placed = new Map<string, PlacedNode>();
  columns.forEach((column, index) => {
    const own = column.length * NODE_HEIGHT + (column.length - 1) * ROW_GAP;
    column.forEach((id, row) => {
      placed.set(id, {
        id,
        x: MARGIN + index * (NODE_WIDTH + COLUMN_GAP),
        y: MARGIN + (height - own) / 2 + row * (NODE_HEIGHT + ROW_GAP),
      });
    });
  });
  const count = Math.max(1, columns.length);
  // Lines that lead back run below the nodes.
  const leadsBack = edges.some((edge) => placed.get(edge.to)!.x < placed.get(edge.from)!.x);
  return {
    nodes: placed,
    width: count * NODE_WIDTH + (count - 1) * COLUMN_GAP + 2 * MARGIN,
    height: height + 2 * MARGIN + (leadsBack ? 28 : 0),
  };
}

function columnsOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): string[][] {
  const agents = nodes.filter((node) => node.kind === "agent").map((node) => node.id);
  const isAgent = new Set(agents);
  const column = new Map<string, number>();
  // Who hands over first stands first: the edges come in the order in which they were first used.
  const first = edges.find((edge) => isAgent.has(edge.from) && isAgent.has(edge.to))?.from;
  for (const root of first === undefined ? agents : [first, ...agents]) {
    if (column.has(root)) continue;
    column.set(root, 0);
    for (const waiting = [root]; waiting.length > 0; ) {
      const id = waiting.shift()!;
      for (const edge of edges) {
        if (edge.from !== id || !isAgent.has(edge.to) || column.has(edge.to)) continue;
        column.set(edge.to, column.get(id)! + 1);
        waiting.push(edge.to);
      }
    }
  }
  for (const node of nodes) {
    if (isAgent.has(node.id)) continue;
    const callers = edges.filter((edge) => edge.to === node.id).map((edge) => column.get(edge.from) ?? 0);
    column.set(node.id, Math.max(0, ...callers) + 1);
  }
  const columns: string[][] = [];
  for (const node of nodes) {
    const index = column.get(node.id)!;
    while (columns.length <= index) columns.push([]);
    columns[index]!.push(node.id);
  }
  return columns.filter((each) => each.length > 0);
}

/**
 * Sorts each column by the mean place of the neighbours, to and fro: few crossings, at the cost of a few
 * passes.
 */
function order(columns: string[][], edges: readonly LayoutEdge[]): void {
  const neighbours = new Map<string, string[]>();
  const tie = (a: string, b: string) => neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
  for (const edge of edges) {
    tie(edge.from, edge.to);
    tie(edge.to, edge.from);
  }
  const place = new Map<string, number>();
  const note = (column: readonly string[]) =>
    column.forEach((id, row) => {
      place.set(id, (row + 0.5) / column.length);
    });
  columns.forEach(note);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const pass = sweep % 2 === 0 ? columns : columns.toReversed();
    for (const column of pass) {
      const inside = new Set(column);
      const wish = new Map(
        column.map((id) => {
          const others = (neighbours.get(id) ?? []).filter((other) => !inside.has(other));
          const mean = others.reduce((sum, other) => sum + place.get(other)!, 0) / others.length;
          return [id, others.length === 0 ? place.get(id)! : mean];
        }),
      );
      column.sort((a, b) => wish.get(a)! - wish.get(b)!);
      note(column);
    }
  }
}
