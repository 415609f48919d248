import { describe, expect, test } from "bun:test";
import { rules, type Step } from "../../../test/support/completed-run.ts";
import { event } from "../../../test/support/detector-harness.ts";

const ask = (id: string, name: string, args: unknown = { q: id }) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
const gave = (tool_call_id: string, content: string) => ({ role: "tool", tool_call_id, content });
const user = { role: "user", content: "Please." };
/** A client that sends model calls alone. */
const turn =
  (input: unknown[], output: unknown, finish_reason?: string): Step =>
  (at) =>
    event("llm_call", at, { model: "m", input, output, finish_reason });
const did =
  (tool_name: string, args: unknown, result: unknown = "ok"): Step =>
  (at) =>
    event("tool_call", at, { tool_name, arguments: args, result });
const says =
  (output: unknown): Step =>
  (at) =>
    event("llm_call", at, { model: "m", output, finish_reason: "stop" });
const checkpoint =
  (state: unknown, name = "progress"): Step =>
  (at) =>
    event("checkpoint", at, { name, state });

describe("clients that send model calls alone", () => {
  const first = turn([user], ask("c1", "suche_fluege"), "tool_calls");
  const found = [user, ask("c1", "suche_fluege"), gave("c1", "LH 1")];

  test("a call asked for last is missing, if the tool reads or its verb was used before", () => {
    expect(rules(first, turn(found, ask("c2", "suche_hotels"), "tool_calls"))).toEqual(["tool-never-called"]);
    expect(rules(first, turn(found, ask("c2", "search_hotels")))).toEqual(["tool-never-called"]);
    expect(rules(first, turn(found, ask("c2", "reiseplan"), "tool_calls"))).toEqual([]);
    expect(rules(first, turn(found, ask("c2", "final_result"), "tool_calls"))).toEqual([]);
    expect(rules(turn([user], ask("c2", "search_hotels"), "tool_calls"))).toEqual([]);
  });

  test("a command that only says that the run is over is no call that is missing", () => {
    const begin = turn([user], ask("c1", "bash", { command: "ls" }), "tool_calls");
    const listed = [user, ask("c1", "bash", { command: "ls" }), gave("c1", "a.txt")];
    const last = (command: string) =>
      rules(begin, turn(listed, ask("c2", "bash", { command }), "tool_calls"));
    expect(last("echo HARBOUR_TASK_OVER")).toEqual([]);
    expect(last("echo HARBOUR_TASK_OVER && git diff --cached")).toEqual([]);
    expect(last("echo done")).toEqual(["tool-never-called"]);
    expect(last("make harbour")).toEqual(["tool-never-called"]);
  });

  test("what the chat gives back is held against the claim", () => {
    const asked = [user, ask("c1", "file_form", { form: "303" })];
    const begin = turn([user], ask("c1", "file_form", { form: "303" }), "tool_calls");
    const refused = [...asked, gave("c1", '{"success": false, "message": "closed"}')];
    expect(rules(begin, turn(refused, "Done! The form has been filed.", "stop"))).toEqual([
      "claimed-after-failure",
    ]);
    expect(rules(begin, turn(refused, "The form could not be filed.", "stop"))).toEqual([]);
    const filed = [...asked, gave("c1", '{"success": true}')];
    expect(rules(begin, turn(filed, "Done! The form has been filed.", "stop"))).toEqual([]);
  });

  test("a deed that no call did; what was done before the run counts", () => {
    const begin = turn([user], ask("c1", "search_contacts"), "tool_calls");
    const read = [user, ask("c1", "search_contacts"), gave("c1", "Ann")];
    const claim = "I've sent the message to Ann.";
    expect(rules(begin, turn(read, claim, "stop"))).toEqual(["claimed-never-done"]);
    const earlier = [user, ask("c0", "send_mail"), gave("c0", "sent"), user];
    expect(rules(begin, turn([...earlier, ...read], claim, "stop"))).toEqual([]);
  });

  test("events of tools say more than the chat does", () => {
    const chat = [user, ask("c1", "file_form"), gave("c1", "Error: closed")];
    expect(
      rules(did("file_form", { form: 1 }), turn(chat, "Done! The form has been filed.", "stop")),
    ).toEqual([]);
  });
});

describe("an output tool", () => {
  test("ends the run, called or not", () => {
    const asks = (name: string) => turn([user], ask("c2", name), "tool_calls");
    expect(rules(did("read_book", {}), asks("final_result"))).toEqual([]);
    expect(rules(did("read_book", {}), asks("transfer_to_billing"))).toEqual([]);
    expect(rules(did("read_book", {}), asks("send_mail"))).toEqual(["tool-never-called"]);
  });

  test("and its words are the last answer", () => {
    const bad = did("file_form", { form: "303" }, { success: false, message: "no" });
    expect(rules(bad, did("finish", { summary: "All forms have been filed." }))).toEqual([
      "claimed-after-failure",
    ]);
    expect(rules(bad, did("finish", '{"summary": "All forms have been filed."}'))).toEqual([
      "claimed-after-failure",
    ]);
    expect(rules(bad, did("finish", { summary: "303 was refused." }))).toEqual([]);
    expect(rules(bad, did("finish", { summary: "All forms have been filed." }), says("303 failed."))).toEqual(
      [],
    );
  });
});

describe("counts in words", () => {
  const ALL = "All files have been translated.";
  const stats = (text: string) => rules(did("write_file", { path: "a" }), did("stats", {}, text), says(ALL));
  const AGAINST = ["claimed-against-count"];

  test.each([
    "menu 84/84\nquests 0/240\nitems 0/96",
    "NAME READY STATUS\na-1 0/1 CrashLoopBackOff\na-2 1/1 Running",
    "# Plan\n- [x] menu\n- [ ] quests\n- [ ] items",
    "entries: 240, untranslated: 12",
    "imported 940, 60 rejected",
    "ok=12 failed=3",
  ])("%s", (text) => {
    expect(stats(text)).toEqual(AGAINST);
  });

  test.each([
    "menu 84/84\nquests 240/240",
    "NAME READY STATUS\nmigrate-1 0/1 Completed\na-2 1/1 Running\na-3 1/1 Running",
    "clarity 7/10\nstyle 9/10\ntone 8/10",
    "- [x] menu\n- [x] quests",
    "- [ ] a template's box\n- [ ] another",
    "entries: 240, untranslated: 0, unchanged: 12",
    "0 failed, 12 passed",
    "see src/a/b.ts and docs/1/2/3",
    "saved 2026/11/25\nclosed 2026/11/26",
  ])("are none: %s", (text) => {
    expect(stats(text)).toEqual([]);
  });

  test("nothing that is left is a claim of all, and no doubt", () => {
    const left = did("stats", {}, { total: 9, done: 4 });
    for (const claim of [
      "Migration complete. No further action required.",
      "Done, nothing left to do.",
      "Fertig, keine weiteren Schritte nötig.",
      "移行が完了しました。残りはありません。",
    ])
      expect(rules(did("write_file", { path: "a" }), left, says(claim))).toEqual(AGAINST);
    for (const claim of [
      "Migration stopped, no further steps were taken.",
      "None of the remaining files was done.",
      "Migrated what was asked; the rest is left.",
    ])
      expect(rules(did("write_file", { path: "a" }), left, says(claim))).toEqual([]);
  });

  test("a file that was read tells nothing of the work", () => {
    expect(rules(did("read_file", { path: "c.yml" }, "retries: 2\nfailed: 3"), says(ALL))).toEqual([]);
    expect(rules(did("read_file", '{"path": "c.yml"}', "retries: 2\nfailed: 3"), says(ALL))).toEqual([]);
  });

  test("as MCP gives it back", () => {
    const result = { content: [{ type: "text", text: "97 of 100" }] };
    expect(rules(did("write_file", { path: "a" }), did("stats", {}, result), says(ALL))).toEqual(AGAINST);
  });
});

describe("a job that still runs", () => {
  const begin = did("start_export", { table: "orders" }, { job_id: "j", status: "queued" });
  const look = (result: unknown, tool = "get_job_status") => did(tool, { job_id: "j" }, result);
  const claim = says("The export is complete.");
  const UNDERWAY = ["claimed-while-underway"];

  test("at the last look, and the answer says that it is over", () => {
    expect(rules(begin, look({ status: "running" }), claim)).toEqual(UNDERWAY);
    expect(rules(begin, look("status: in_progress"), claim)).toEqual(UNDERWAY);
    expect(rules(begin, look({ progress: 40 }), claim)).toEqual(UNDERWAY);
    expect(rules(begin, look({ phase: "Running" }), says("Der Export ist abgeschlossen."))).toEqual(UNDERWAY);
  });

  test("is none where it ended, was only begun, or the answer says so", () => {
    expect(rules(begin, look({ status: "running" }), look({ status: "succeeded" }), claim)).toEqual([]);
    expect(rules(begin, claim)).toEqual([]);
    expect(rules(begin, look({ status: "running" }), says("Done. The export is running."))).toEqual([]);
    expect(rules(begin, look({ status: "running" }), says("The export has been started."))).toEqual([]);
    expect(rules(begin, look({ status: "running" }), did("send_mail", { to: "a" }), claim)).toEqual(UNDERWAY);
    expect(rules(look({ status: "pending" }, "get_order"), says("Your order is ready."))).toEqual([]);
    expect(
      rules(
        begin,
        look({ status: "running" }, "get_server_status_page_text"),
        says("Server a is up and running, done."),
      ),
    ).toEqual(UNDERWAY);
  });
});

describe("a checkpoint", () => {
  const work = did("update_block", { block: 1 });
  const ALL = "All blocks have been updated.";

  test("at the end says how far the run is", () => {
    expect(rules(work, checkpoint({ total: 6, done: 2 }), says(ALL))).toEqual(["claimed-against-count"]);
    expect(rules(work, checkpoint({ done: 2, of: 6 }), says(ALL))).toEqual(["claimed-against-count"]);
    const todos = [
      { t: "a", s: "done" },
      { t: "b", s: "open" },
    ];
    expect(rules(work, checkpoint(todos, "todos"), says(ALL))).toEqual(["claimed-with-open-plan"]);
    expect(rules(checkpoint({ total: 6, done: 2 }), says(ALL))).toEqual(["claimed-against-count"]);
  });

  test("is none before more work, where a later one is whole, or where the answer tells of it", () => {
    expect(rules(checkpoint({ total: 6, done: 2 }), work, says(ALL))).toEqual([]);
    expect(
      rules(work, checkpoint({ total: 6, done: 2 }), checkpoint({ total: 6, done: 6 }), says(ALL)),
    ).toEqual([]);
    const aggregated: Step = (at) =>
      event("llm_call", at, { model: "m", output: ALL, tokens_out: 8_800, finish_reason: "stop" });
    expect(rules(work, checkpoint({ total: 6, done: 2 }), aggregated)).toEqual([]);
    expect(rules(work, checkpoint({ total: 6, done: 2 }), says("Next block."), says(ALL))).toEqual([]);
    expect(rules(work, checkpoint({ total: 6, done: 2 }), says("Two done, the rest was stopped."))).toEqual(
      [],
    );
    const withdrawn = [
      { t: "a", s: "done" },
      { t: "b", s: "cancelled by user" },
    ];
    expect(rules(work, checkpoint(withdrawn, "todos"), says(ALL))).toEqual([]);
  });
});

test("an answer of as many tokens as were allowed was cut off", () => {
  const answer =
    (tokens_out: number, finish_reason?: string): Step =>
    (at) =>
      event("llm_call", at, { model: "m", max_tokens: 1024, tokens_out, output: "The", finish_reason });
  expect(rules(answer(1024))).toEqual(["unfinished-answer"]);
  expect(rules(answer(1023))).toEqual([]);
  expect(rules(answer(1024, "stop"))).toEqual([]);
});
