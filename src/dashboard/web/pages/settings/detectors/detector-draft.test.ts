import { expect, test } from "bun:test";
import { addEntries, detectorDraftOf, readDetectorDraft } from "./detector-draft.ts";

const detector = {
  thresholds: [
    { name: "repeats", description: "", default: 3, min: 2, max: 100, integer: true, value: 5, chosen: true },
    { name: "share", description: "", default: 0.5, min: 0, max: 1, value: 0.5, chosen: false },
  ],
  allow: ["poll"],
};

test("a draft that nobody touched changes nothing", () => {
  expect(readDetectorDraft(detectorDraftOf(detector), detector)).toEqual({ change: null, problems: {} });
});

test("what differs is sent, and null for what goes back to its default", () => {
  const draft = { thresholds: { repeats: "3", share: "0.25" }, allow: ["poll", "wait"] };
  expect(readDetectorDraft(draft, detector)).toEqual({
    change: { thresholds: { repeats: null, share: 0.25 }, allow: ["poll", "wait"] },
    problems: {},
  });
});

test("what is no integer or no number in range is told, by name", () => {
  for (const repeats of ["", "x", "1", "2.5", "101", "1e2", "NaN"]) {
    const { problems } = readDetectorDraft(
      { thresholds: { repeats, share: "0.5" }, allow: ["poll"] },
      detector,
    );
    expect([repeats, problems]).toEqual([repeats, { repeats: "An integer from 2 to 100" }]);
  }
  const { problems } = readDetectorDraft(
    { thresholds: { repeats: "3", share: "1.5" }, allow: ["poll"] },
    detector,
  );
  expect(problems).toEqual({ share: "A number from 0 to 1" });
});

test("entries are taken by lines and commas, once each", () => {
  expect(addEntries(["a"], " b, a\n\nc d ,")).toEqual(["a", "b", "c d"]);
  expect(addEntries(["a"], " ,\n")).toEqual(["a"]);
});
