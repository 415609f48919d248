import { EVENT_TYPES, eventTypeCode } from "../../ingest/wire/event-types.ts";
import type { EventCount } from "../../store/upkeep/rollups.ts";
import { tokensOf } from "../building-blocks/token-usage.ts";
import type { ExecutionSlice } from "./execution-slices.ts";

/**
 * Counts the events of one detection transaction by project, minute of arrival and type. Every stored event
 * passes here once, because its batch is claimed once; what is counted is stored in the same transaction or
 * not at all.
 */

const LLM_CALL_CODE = eventTypeCode("llm_call")!;
/** Model calls are always read, for the tokens that they report. */
export const LLM_CALL_BIT = 1 << LLM_CALL_CODE;
/** The codes of types begin at 1. */
const CODES = EVENT_TYPES.length + 1;
const MINUTE_US = 60_000_000;
const MS_FROM_1970_TO_2000 = 946_684_800_000;

interface Minute {
  readonly projectNo: number;
  /** Microseconds since 2000. */
  readonly startUs: number;
  /** By type code. */
  readonly counts: Float64Array;
  tokensIn: number;
  tokensOut: number;
}

export class EventTally {
  readonly #minutes = new Map<string, Minute>();
  #current: Minute | undefined;

  /** The counts, by type code, for events received at that moment. */
  countsAt(projectNo: number, receivedUs: number): Float64Array {
    return this.#minute(projectNo, receivedUs).counts;
  }

  /** Adds up the tokens of calls whose payloads the detectors have just read. */
  countTokens(slice: ExecutionSlice): void {
    if ((slice.typeMask & LLM_CALL_BIT) === 0) return;
    for (const event of slice.events) {
      if (event.typeCode !== LLM_CALL_CODE) continue;
      const { payload } = event;
      const tokensIn = tokensOf(payload.tokens_in);
      const tokensOut = tokensOf(payload.tokens_out);
      if (tokensIn + tokensOut === 0) continue;
      const minute = this.#minute(slice.projectNo, event.receivedUs);
      minute.tokensIn += tokensIn;
      minute.tokensOut += tokensOut;
    }
  }

  /** In the order of the roll-up's key. */
  counts(): EventCount[] {
    const minutes = [...this.#minutes.values()].sort(
      (a, b) => a.projectNo - b.projectNo || a.startUs - b.startUs,
    );
    return minutes.flatMap((minute) => countsOf(minute));
  }

  #minute(projectNo: number, receivedUs: number): Minute {
    const current = this.#current;
    if (
      current !== undefined &&
      current.projectNo === projectNo &&
      receivedUs >= current.startUs &&
      receivedUs < current.startUs + MINUTE_US
    ) {
      return current;
    }
    const startUs = Math.floor(receivedUs / MINUTE_US) * MINUTE_US;
    const key = `${projectNo} ${startUs}`;
    let minute = this.#minutes.get(key);
    if (minute === undefined) {
      minute = { projectNo, startUs, counts: new Float64Array(CODES), tokensIn: 0, tokensOut: 0 };
      this.#minutes.set(key, minute);
    }
    this.#current = minute;
    return minute;
  }
}

function countsOf(minute: Minute): EventCount[] {
  const counts: EventCount[] = [];
  for (let typeCode = 1; typeCode < CODES; typeCode++) {
    const count = minute.counts[typeCode]!;
    if (count === 0) continue;
    const isLlmCall = typeCode === LLM_CALL_CODE;
    counts.push({
      projectNo: minute.projectNo,
      slotMs: minute.startUs / 1000 + MS_FROM_1970_TO_2000,
      typeCode,
      count,
      tokensIn: isLlmCall ? minute.tokensIn : 0,
      tokensOut: isLlmCall ? minute.tokensOut : 0,
    });
  }
  return counts;
}
