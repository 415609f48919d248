import { type Fields, isFields } from "./fields.ts";

/**
 * The state in a checkpoint of LangGraph, as its savers keep it (`channel_values`) or as `get_state` gives it
 * (`values` and the nodes that are `next`): without the ids and the times that are new with each checkpoint.
 * Bounded in depth and nodes; what lies beyond stays as it is.
 */
const DEPTH_MAX = 12;
const NODES_MAX = 5_000;
const NEW_EACH_TIME =
  /^(?:checkpoint_?(?:id|ns|map)|thread_?ts|ts|time_?stamp|(?:created|updated|modified|saved)_?at|last_?(?:updated|modified))$/i;

export function graphState({ channel_values: channels, values, next }: Fields): Fields | null {
  const state = isFields(channels)
    ? channels
    : isFields(values) && Array.isArray(next)
      ? { values, next }
      : null;
  return state === null ? null : (lasting(state, { left: NODES_MAX }, 0) as Fields);
}

function lasting(value: unknown, nodes: { left: number }, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX || nodes.left-- <= 0) return value;
  if (Array.isArray(value)) return value.map((one) => lasting(one, nodes, depth + 1));
  const kept: Record<string, unknown> = {};
  // A message is given another id whenever it is made anew.
  const isMessage = "content" in value;
  for (const key in value) {
    if (NEW_EACH_TIME.test(key) || (isMessage && key === "id") || key === "__proto__") continue;
    kept[key] = lasting((value as Fields)[key], nodes, depth + 1);
  }
  return kept;
}
