import { describe, expect, test } from "bun:test";
import { type LayoutNode, layoutGraph, NODE_HEIGHT, NODE_WIDTH } from "./graph-layout.ts";

const node = (id: string, kind: LayoutNode["kind"] = "agent"): LayoutNode => ({ id, kind });

describe("layoutGraph", () => {
  test("puts who hands over before who takes, and tools behind their callers", () => {
    const { nodes } = layoutGraph(
      [node("b"), node("a"), node("c"), node("t", "tool")],
      [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
        { from: "c", to: "a" },
        { from: "b", to: "t" },
      ],
    );
    const x = (id: string) => nodes.get(id)!.x;
    expect(x("a")).toBeLessThan(x("b"));
    expect(x("b")).toBeLessThan(x("c"));
    expect(x("t")).toBe(x("c"));
  });

  test("lays no two nodes over each other and all of them inside", () => {
    const nodes = Array.from({ length: 60 }, (_, n) => node(`n${n}`, n < 12 ? "agent" : "tool"));
    const edges = nodes.flatMap((_, n) => [
      { from: `n${n % 12}`, to: `n${(n * 7) % 60}` },
      { from: `n${(n * 5) % 12}`, to: `n${n}` },
    ]);
    const layout = layoutGraph(nodes, edges);
    const placed = [...layout.nodes.values()];
    expect(placed).toHaveLength(60);
    for (const [index, one] of placed.entries()) {
      expect(one.x >= 0 && one.x + NODE_WIDTH <= layout.width).toBe(true);
      expect(one.y >= 0 && one.y + NODE_HEIGHT <= layout.height).toBe(true);
      for (const other of placed.slice(index + 1))
        expect(Math.abs(one.x - other.x) >= NODE_WIDTH || Math.abs(one.y - other.y) >= NODE_HEIGHT).toBe(
          true,
        );
    }
  });

  test("takes a graph of nothing, of one, and of edges to itself", () => {
    expect(layoutGraph([], []).nodes.size).toBe(0);
    expect(layoutGraph([node("a")], [{ from: "a", to: "a" }]).nodes.size).toBe(1);
  });
});
