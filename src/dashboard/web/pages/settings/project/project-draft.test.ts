import { expect, test } from "bun:test";
import { draftOf, durationOf, type ProjectValues, readDraft } from "./project-draft.ts";

const project: ProjectValues = {
  name: "agents",
  rate_burst: 100,
  rate_per_second: 10,
  cooldown_seconds: 86_400,
  alert_scope: "class",
  retention_days: null,
};

test("a draft that nobody touched changes nothing", () => {
  for (const cooldown_seconds of [0, 1, 59, 60, 5_400, 86_400, 31_536_000]) {
    const own = { ...project, cooldown_seconds, retention_days: 90 };
    expect(readDraft(draftOf(own), own)).toEqual({ change: {}, problems: {} });
  }
  expect(readDraft(draftOf(project), project)).toEqual({ change: {}, problems: {} });
});

test("seconds are shown in the largest unit that leaves nothing over", () => {
  expect(
    [0, 45, 90, 5_400, 7_200, 86_400, 90_000].map((seconds) => Object.values(durationOf(seconds))),
  ).toEqual([
    ["0", "seconds"],
    ["45", "seconds"],
    ["90", "seconds"],
    ["90", "minutes"],
    ["2", "hours"],
    ["1", "days"],
    ["25", "hours"],
  ]);
});

test("what was changed is read, and nothing else", () => {
  const draft = {
    ...draftOf(project),
    name: "other",
    cooldown: { text: "2", unit: "hours" as const },
    retention: { limited: true, days: "30" },
  };
  expect(readDraft(draft, project)).toEqual({
    change: { name: "other", cooldown_seconds: 7_200, retention_days: 30 },
    problems: {},
  });
  expect(readDraft({ ...draft, cooldown: { text: "24", unit: "hours" } }, project).change).not.toHaveProperty(
    "cooldown_seconds",
  );
});

test("what is no whole number in range is told by its field", () => {
  const draft = {
    ...draftOf(project),
    name: "  ",
    rate_burst: "1.5",
    rate_per_second: "0",
    cooldown: { text: "366", unit: "days" as const },
    retention: { limited: true, days: "" },
  };
  expect(readDraft(draft, project).problems).toEqual({
    name: "A project has a name",
    rate_burst: "A whole number from 1 to 1,000,000",
    rate_per_second: "A whole number from 1 to 1,000,000",
    cooldown_seconds: "A whole number from 0 to 365",
    retention_days: "A whole number from 1 to 3,650",
  });
});
