import type { DetectorEvent } from "../detector.ts";
import { type Fragment, fragmentsOf } from "./fields.ts";
import { scanText, type TextScan } from "./scan-text.ts";

/**
 * The scan of an event's texts, made once and shared by every detector that asks. It is kept beside the event for as
 * long as the event lives; being a pure function of the event, a missing entry only costs time.
 */
export interface FragmentScan extends Fragment {
  readonly scan: TextScan;
}

const NOTHING: readonly FragmentScan[] = [];
const scans = new WeakMap<DetectorEvent, readonly FragmentScan[]>();
let lastEvent: DetectorEvent | null = null;
let lastScan: readonly FragmentScan[] = NOTHING;

function scanFragments(event: DetectorEvent): readonly FragmentScan[] {
  const fragments = fragmentsOf(event);
  if (fragments.length === 0) return NOTHING;
  return fragments.map((fragment) => ({ ...fragment, scan: scanText(fragment.text) }));
}

export function scanEvent(event: DetectorEvent): readonly FragmentScan[] {
  if (event === lastEvent) return lastScan;
  let scan = scans.get(event);
  if (scan === undefined) {
    scan = scanFragments(event);
    scans.set(event, scan);
  }
  lastEvent = event;
  lastScan = scan;
  return scan;
}
