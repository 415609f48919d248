import { isContainer, type JsonNode } from "./json-source.ts";

/** From a tree of JSON to the lines that are unfolded of it, and to what a search finds in it. */

export interface JsonRow {
  /** Place of the value: positions from the root down, so that keys that come twice are two. */
  readonly id: string;
  readonly depth: number;
  readonly key: string | number | null;
  readonly node: JsonNode;
  readonly isOpen: boolean;
}

/** What a person folded or unfolded, by row id. */
export type Folding = ReadonlyMap<string, boolean>;

/** Open without being asked for: `input[2].content` of a model call is in sight, a long array is not. */
const OPEN_DEPTH = 3;
const OPEN_MEMBERS_MAX = 100;
const MATCHES_MAX = 1_000;

function isOpen(id: string, depth: number, node: JsonNode, folding: Folding): boolean {
  return (
    isContainer(node) && (folding.get(id) ?? (depth < OPEN_DEPTH && node.members.length <= OPEN_MEMBERS_MAX))
  );
}

export function visibleRows(root: JsonNode, folding: Folding): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (node: JsonNode, id: string, depth: number, key: JsonRow["key"]) => {
    const open = isOpen(id, depth, node, folding);
    rows.push({ id, depth, key, node, isOpen: open });
    if (!open || !isContainer(node)) return;
    node.members.forEach((member, index) => {
      add(member.value, `${id}.${index}`, depth + 1, member.key ?? index);
    });
  };
  add(root, "0", 0, null);
  return rows;
}

/** Ids of the values whose key or text holds the needle, in order; at most `MATCHES_MAX`. */
export function findInJson(root: JsonNode, needle: string): string[] {
  const wanted = needle.toLowerCase();
  const found: string[] = [];
  const visit = (node: JsonNode, id: string, key: string | null) => {
    if (found.length >= MATCHES_MAX) return;
    if (
      key?.toLowerCase().includes(wanted) ||
      (!isContainer(node) && node.text.toLowerCase().includes(wanted))
    ) {
      found.push(id);
    }
    if (isContainer(node)) {
      node.members.forEach((member, index) => {
        visit(member.value, `${id}.${index}`, member.key);
      });
    }
  };
  if (wanted !== "") visit(root, "0", null);
  return found;
}

/** The folding with every ancestor of a value open. */
export function unfoldedTo(folding: Folding, id: string): Folding {
  const next = new Map(folding);
  for (let at = id.lastIndexOf("."); at !== -1; at = id.lastIndexOf(".", at - 1))
    next.set(id.slice(0, at), true);
  return next;
}

/** The keys that lead from the root to a value. */
export function pathTo(root: JsonNode, id: string): (string | number)[] {
  const path: (string | number)[] = [];
  let node = root;
  for (const step of id.split(".").slice(1)) {
    if (!isContainer(node)) break;
    const index = Number(step);
    const member = node.members[index];
    if (member === undefined) break;
    path.push(member.key ?? index);
    node = member.value;
  }
  return path;
}
