import { expect, test } from "bun:test";
import { eventTypeCode } from "../../ingest/wire/event-types.ts";
import { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import { EventTally } from "./event-tally.ts";
import { sliceRows } from "./execution-slices.ts";

const HOME_DAY = 20_216;
/** Since 2000, on the home day. */
const HOME_SECONDS = 8e8;
const DAY_SECONDS = 86_400;
const RECEIVED_MS = Date.UTC(2026, 10, 20, 10, 0, 30);

const TOOL_CALL = eventTypeCode("tool_call")!;
const CHECKPOINT = eventTypeCode("checkpoint")!;

interface Sent {
  readonly executionNo: number;
  readonly id: string;
  readonly projectNo?: number;
  readonly typeCode?: number;
  readonly sequence?: number;
  /** From the execution's home day. */
  readonly days?: number;
}

/** The packs of requests, each received a minute after the one before. */
function rowsOf(requests: readonly (readonly Sent[])[]): Uint8Array {
  const packs = new PackBuffer(1 << 12);
  for (const [n, request] of requests.entries()) {
    for (const { executionNo, id, projectNo = 1, typeCode = TOOL_CALL, sequence = 1, days = 0 } of request) {
      packs.append(
        {
          projectNo,
          executionNo,
          homeDay: HOME_DAY,
          typeCode,
          sequence,
          seconds: HOME_SECONDS + days * DAY_SECONDS,
          micros: 0,
          eventId: id,
          payload: "{}",
        },
        RECEIVED_MS + n * 60_000,
        7,
      );
    }
    packs.closePack();
  }
  return packs.finish();
}

function slicesOf(
  requests: readonly (readonly Sent[])[],
  wantedMaskOf: (projectNo: number) => number | undefined,
) {
  const tally = new EventTally();
  const counts = { unreadablePayloads: 0 };
  const { slices, eventCount } = sliceRows({
    rows: rowsOf(requests),
    counts,
    wantedMaskOf,
    tally,
  });
  return {
    slices: slices.map(({ events, ...slice }) => ({ ...slice, ids: events.map(({ eventId }) => eventId) })),
    eventCount,
    counts: tally
      .counts()
      .map(({ projectNo, slotMs, typeCode, count }) => ({ projectNo, slotMs, typeCode, count })),
  };
}

const ALL = -1;
const minute = (n: number) => Date.UTC(2026, 10, 20, 10, n);
const toolCalls = (projectNo: number, n: number, count: number) => ({
  projectNo,
  slotMs: minute(n),
  typeCode: TOOL_CALL,
  count,
});

test("an execution's packs make one slice, by arrival and then by the client's numbers", () => {
  const requests = [
    [
      { executionNo: 1, id: "c", sequence: 3 },
      { executionNo: 2, id: "x" },
      { executionNo: 1, id: "b", sequence: 2 },
      { executionNo: 1, id: "a", sequence: 2 },
    ],
    [{ executionNo: 1, id: "late", sequence: 1 }],
  ];
  expect(slicesOf(requests, () => ALL)).toEqual({
    slices: [
      { projectNo: 1, executionNo: 1, typeMask: 1 << TOOL_CALL, ids: ["a", "b", "c", "late"] },
      { projectNo: 1, executionNo: 2, typeMask: 1 << TOOL_CALL, ids: ["x"] },
    ],
    eventCount: 5,
    counts: [toolCalls(1, 0, 4), toolCalls(1, 1, 1)],
  });
});

test("stand-ins on the home day are no events", () => {
  const requests = [
    [
      { executionNo: 1, id: "before", sequence: 1, days: -1 },
      { executionNo: 1, id: "home", sequence: 2 },
      { executionNo: 1, id: "after", sequence: 3, days: 400 },
    ],
  ];
  expect(slicesOf(requests, () => ALL)).toEqual({
    slices: [{ projectNo: 1, executionNo: 1, typeMask: 1 << TOOL_CALL, ids: ["before", "home", "after"] }],
    eventCount: 3,
    counts: [toolCalls(1, 0, 3)],
  });
});

test("what nobody wants is counted, what is of a project that is not claimed is only walked past", () => {
  const requests = [
    [
      { executionNo: 1, id: "a", typeCode: CHECKPOINT },
      { executionNo: 1, id: "b" },
      { executionNo: 2, id: "c", typeCode: CHECKPOINT },
    ],
    [{ projectNo: 2, executionNo: 3, id: "d" }],
  ];
  expect(slicesOf(requests, (projectNo) => (projectNo === 1 ? 1 << TOOL_CALL : undefined))).toEqual({
    slices: [{ projectNo: 1, executionNo: 1, typeMask: 1 << TOOL_CALL, ids: ["b"] }],
    eventCount: 3,
    counts: [{ ...toolCalls(1, 0, 2), typeCode: CHECKPOINT }, toolCalls(1, 0, 1)].sort(
      (one, other) => one.typeCode - other.typeCode,
    ),
  });
});
