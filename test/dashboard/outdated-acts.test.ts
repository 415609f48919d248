/**
 * Two people on one failure group: who acts on what it was before somebody else's act is told what it is, and
 * nothing is done.
 */
import { expect, test } from "bun:test";
import { resolveGroup } from "../../src/store/groups/failure-group-admin.ts";
import { callerOf, groupSuite } from "./group-fixtures.ts";

const suite = groupSuite();

interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly now?: { readonly id: string; readonly acted_at: string };
}

const acts = (email: string) => async (body: object) => {
  const member = callerOf(suite.sql, "member", undefined, email);
  const path = `/projects/${suite.project.projectId}/groups/bulk`;
  return ((await member("POST", path, body)).json as { results: Result[] }).results;
};
const ann = acts("ann@example.org");
const bob = acts("bob@example.org");

async function stateOf(id: string): Promise<string> {
  const [group] = await suite.sql<[{ state: string }]>`
    select state from ats.failure_group where group_id = ${id}`;
  return group.state;
}

test("the later act is refused with what it is and by whom; what was seen then may be acted on", async () => {
  const id = await suite.at({ signature: "one" });
  const other = await suite.at({ signature: "other" });
  expect(await bob({ ids: [id], action: "ignore", firings: 10, seen: { [id]: null } })).toEqual([
    { id, ok: true },
  ]);
  const [refused, done] = await ann({
    ids: [id, other],
    action: "resolve",
    seen: { [id]: null, [other]: null },
  });
  expect(done).toEqual({ id: other, ok: true });
  expect(refused).toMatchObject({
    ok: false,
    code: "changed",
    now: { id, state: "ignored", regressed: false, merged_into: null, acted_by: "bob@example.org" },
  });
  expect(await stateOf(id)).toBe("ignored");
  const now = refused!.now!.acted_at;
  expect(await ann({ ids: [id], action: "resolve", seen: { [id]: now } })).toEqual([{ id, ok: true }]);
  expect(await stateOf(id)).toBe("resolved");
});

test("what one has done oneself is no news: a click whose answer was lost may be made again", async () => {
  const id = await suite.at({ signature: "one" });
  for (const action of ["resolve", "resolve", "reopen"])
    expect(await ann({ ids: [id], action, seen: { [id]: null } })).toEqual([{ id, ok: true }]);
  expect(await bob({ ids: [id], action: "resolve", seen: { [id]: null } })).toMatchObject([
    { code: "changed", now: { acted_by: "ann@example.org" } },
  ]);
});

test("firings are no act of anybody; a resolution that did not hold is", async () => {
  const id = await suite.at({ signature: "one" });
  await suite.at({ signature: "one", agoMs: 1_000 });
  const seen = { [id]: null };
  const { sql, project } = suite;
  await resolveGroup(sql, { projectNo: project.projectNo, id });
  await suite.at({ signature: "one", agoMs: 0 });
  const [refused] = await ann({ ids: [id], action: "ignore", seen });
  expect(refused).toMatchObject({ code: "changed", now: { state: "open", regressed: true, acted_by: null } });
  await suite.at({ signature: "one", agoMs: 0 });
  const again = { [id]: refused!.now!.acted_at };
  expect(await ann({ ids: [id], action: "ignore", seen: again })).toEqual([{ id, ok: true }]);
});

test("a merge minds both ends, and who names no state acts as before", async () => {
  const from = await suite.at({ signature: "from" });
  const into = await suite.at({ signature: "into" });
  const seen = { [from]: null, [into]: null };
  await bob({ ids: [into], action: "resolve" });
  expect(await ann({ ids: [from], action: "merge", into, seen })).toMatchObject([
    { id: from, code: "changed", now: { id: into, state: "resolved" } },
  ]);
  await bob({ ids: [from], action: "merge", into });
  expect(await ann({ ids: [from], action: "resolve", seen })).toMatchObject([
    { code: "changed", now: { id: from, merged_into: into, acted_by: "bob@example.org" } },
  ]);
  expect(await ann({ ids: [into], action: "reopen" })).toEqual([{ id: into, ok: true }]);
});

test("what was taken apart and merged elsewhere meanwhile is not taken apart again", async () => {
  const [id, first, second] = [
    await suite.at({ signature: "one" }),
    await suite.at({ signature: "first" }),
    await suite.at({ signature: "second" }),
  ];
  await ann({ ids: [id], action: "merge", into: first });
  const path = `/projects/${suite.project.projectId}/groups/${first}`;
  const { merged_groups } = (await callerOf(suite.sql, "member", undefined, "ann@example.org")("GET", path))
    .json as { merged_groups: { acted_at: string }[] };
  await bob({ ids: [id], action: "unmerge" });
  await bob({ ids: [id], action: "merge", into: second });
  expect(
    await ann({ ids: [id], action: "unmerge", seen: { [id]: merged_groups[0]!.acted_at } }),
  ).toMatchObject([{ code: "changed", now: { id, merged_into: second, acted_by: "bob@example.org" } }]);
});
