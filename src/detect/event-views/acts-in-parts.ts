import { type Act, compared, isSameTool, SOFTENING } from "../building-blocks/calls/same-act.ts";
import { onlyReads } from "../building-blocks/calls/work-evidence.ts";
import type { Action, Decision } from "./human-decisions.ts";

/**
 * A rejected call that was made in several smaller ones: its amount in parts that add up to it, all else
 * being the same; or one thing after the other of what it was to do for all of them.
 */
const ITEMS_MIN = 3;
const PARTS_MIN = 2;
/** Parts may be rounded. */
const WHOLE_SHARE = 0.99;

/** True if the call and others behind the rejection are all of its parts. */
export function areParts(decision: Decision, action: Action, actions: readonly Action[]): boolean {
  const { act, seq } = decision;
  if (act === null || act.fields.length === 0) return false;
  const isOfTool = (one: Action) => one.act !== null && isSameTool(act, one.act);
  if (!isOfTool(action)) return false;
  const later = actions.filter((one) => one.seq > seq && isOfTool(one));
  return addsUp(act, decision.amounts, later) || isItemByItem(act, later);
}

function addsUp(act: Act, amounts: readonly number[], later: readonly Action[]): boolean {
  const fields = act.fields.length / 3;
  if (amounts.length === 0 || fields < 2 || later.length < PARTS_MIN) return false;
  for (let at = 0; at < amounts.length; at += 2) {
    const whole = amounts[at + 1]!;
    const parts = later
      .filter((one) => {
        const { same, other } = compared(act, one.act!);
        return same === fields - 1 && other === 1 && !isTrial(one.act!);
      })
      .map((one) => amountOf(one.amounts, amounts[at]!))
      .filter((part) => part > 0 && part < whole);
    if (parts.length >= PARTS_MIN && parts.reduce((sum, part) => sum + part, 0) >= WHOLE_SHARE * whole)
      return true;
  }
  return false;
}

function amountOf(amounts: readonly number[], key: number): number {
  for (let at = 0; at < amounts.length; at += 2) if (amounts[at] === key) return amounts[at + 1]!;
  return 0;
}

const isTrial = ({ fields }: Act): boolean => fields.some((kind, at) => at % 3 === 2 && kind === SOFTENING);

/**
 * Each call gives what the rejected one gave, but for what it left out, and names in one more field another
 * thing each time.
 */
function isItemByItem(act: Act, later: readonly Action[]): boolean {
  if (later.length < ITEMS_MIN) return false;
  const known = new Set(act.fields.filter((_, at) => at % 3 === 0));
  const items = new Map<number, Set<number>>();
  for (const one of later) {
    const { fields } = one.act!;
    const { same, other } = compared(act, one.act!);
    const more: number[] = [];
    for (let at = 0; at < fields.length; at += 3) if (!known.has(fields[at]!)) more.push(at);
    const isPart = same > 0 && other === 0 && fields.length / 3 - more.length < known.size;
    if (!isPart || more.length !== 1 || isTrial(one.act!) || onlyReads(one.name)) continue;
    const key = fields[more[0]!]!;
    const values = items.get(key) ?? new Set();
    values.add(fields[more[0]! + 1]!);
    items.set(key, values);
    if (values.size >= ITEMS_MIN) return true;
  }
  return false;
}
