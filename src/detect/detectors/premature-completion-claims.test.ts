import { describe, expect, test } from "bun:test";
import { rules, type Step } from "../../../test/support/completed-run.ts";
import { event, execution, play, START_MS, TestMemory } from "../../../test/support/detector-harness.ts";
import { prematureCompletion } from "./premature-completion.ts";

const says =
  (output: unknown): Step =>
  (at) =>
    event("llm_call", at, { model: "m", output, finish_reason: "stop" });
const did =
  (tool_name: string, args: unknown, result: unknown = "ok"): Step =>
  (at) =>
    event("tool_call", at, { tool_name, arguments: args, result });
const failed =
  (tool_name: string, args: unknown, error: unknown = "refused by the service"): Step =>
  (at) =>
    event("tool_call", at, { tool_name, arguments: args, error });

const DONE = "Done! The forms have been filed.";

describe("a claim of completion against the last call", () => {
  const AFTER_FAILURE = ["claimed-after-failure"];
  const bad = failed("file_form", { form: "303" });

  test.each([
    DONE,
    "I've added Charlie to the channel. Anything else?",
    "Die Formulare wurden erfolgreich eingereicht.",
    "Les formulaires ont été déposés, c'est fait.",
    "¡Listo! Los modelos han sido presentados correctamente.",
    "Pronto, os formulários foram enviados.",
    "Fatto, i moduli sono stati inviati.",
    "Klaar, de formulieren zijn verstuurd.",
    "Gotowe, formularze zostały złożone.",
    "Готово, все формы отправлены.",
    "Готово, форми подано успішно.",
    "Formlar başarıyla gönderildi.",
    "予約の移行が完了しました。",
    "表单已提交成功。",
    "양식 제출이 완료되었습니다.",
    "Formulir sudah dikirim dengan berhasil.",
    "Đã nộp xong các biểu mẫu.",
    "تم تقديم النماذج بنجاح",
    "सभी फॉर्म सफलतापूर्वक जमा हो गए",
  ])("%s", (claim) => {
    expect(rules(did("read_book", {}), bad, says(claim))).toEqual(AFTER_FAILURE);
  });

  test.each([
    "Filed 111; 303 was refused.",
    "Done, but 303 could not be filed.",
    "Done. I couldn't file 303.",
    "Fertig, leider wurde 303 abgelehnt.",
    "Terminé, sauf le 303.",
    "Listo, pero el 303 fue rechazado.",
    "完了しましたが、303は拒否されました。エラー",
    "已完成，但303失败。",
    "The portal says that field 71 must match.",
    "The form has been prepared. Please provide the missing amount.",
    "Готово, но 303 отклонена.",
    "제출 중 타임아웃이 발생했습니다. 다시 시도해 주십시오.",
    // What went wrong is told in the middle of a long report.
    `Great, I have filed the forms!\n${"- 111: filed, receipt 4711, copy in the archive.\n".repeat(12)}303: NOT COMPLETED\n${"- 190: filed, receipt 4712, copy in the archive.\n".repeat(12)}`,
  ])("is none: %s", (answer) => {
    expect(rules(did("read_book", {}), bad, says(answer))).toEqual([]);
  });

  test.each([
    ["cancel_booking", {}, { state: "cancelled" }],
    ["orders.update", { id: 7, status: "CANCELED" }, { id: 7, status: "canceled" }],
    ["reject_application", '{"id":"a-1"}', { outcome: "rejected" }],
    ["review", { decision: "decline" }, { status: "refused" }],
    ["deny_access", {}, { status: "denied" }],
    ["stop_instance", {}, { status: "aborted" }],
  ] as const)("what %s was to bring about is no failure", (tool, args, result) => {
    expect(rules(did(tool, args, result), says("Done, all of it is settled."))).toEqual([]);
  });

  test.each([
    ["book_table", { note: "reject nothing" }, { status: "refused" }],
    ["cancel_booking", {}, { status: "rejected" }],
    ["scan_disk", {}, { status: "cancelled" }],
  ] as const)("another state than %s was to bring about is one", (tool, args, result) => {
    expect(rules(did(tool, args, result), says(DONE))).toEqual(AFTER_FAILURE);
  });

  test("told as a result, by a message, or by a command that changes something", () => {
    expect(rules(did("file_form", { form: "1" }, { success: false, message: "no" }), says(DONE))).toEqual(
      AFTER_FAILURE,
    );
    expect(rules(did("file_form", {}, { status: "rejected" }), says(DONE))).toEqual(AFTER_FAILURE);
    expect(rules(failed("send_email", { to: "a" }), says("The email has been sent."))).toEqual(AFTER_FAILURE);
    const push = failed("bash", { command: "git push origin main" }, "exit code 1");
    expect(rules(push, says("The branch has been pushed."))).toEqual(AFTER_FAILURE);
    expect(rules(failed("bash", { command: "grep -r x ." }, "exit code 1"), says(DONE))).toEqual([]);
    expect(rules(failed("slack_post", { to: "a" }), says("The record was updated."))).toEqual([]);
  });

  test("made good, worked round, harmless or checked it is none", () => {
    expect(rules(bad, did("file_form", { form: "303", cell: 71 }), says(DONE))).toEqual([]);
    expect(rules(bad, did("write_note", {}), says(DONE))).toEqual([]);
    expect(rules(bad, did("get_form", { form: "303" }), says(DONE))).toEqual([]);
    expect(rules(failed("create_folder", {}, "Folder already exists"), says(DONE))).toEqual([]);
    expect(rules(failed("get_form", {}), says(DONE))).toEqual([]);
    expect(rules(bad, says(DONE), did("file_form", { form: "303" }))).toEqual([]);
    expect(rules(failed("send_email", { to: "a" }), did("send_email", { to: "b" }), says("Sent."))).toEqual(
      [],
    );
    expect(rules(says(DONE), bad)).toEqual([]);
    expect(rules(bad, says(DONE), ...[1, 2, 3].map((n) => did("write_note", { n })))).toEqual([]);
  });

  test("three failures in a row stay failures when they are looked at, and telling of it is no work", () => {
    const streak = ["1", "2", "3"].map((form) => failed("file_form", { form }));
    expect(rules(...streak, did("get_form", {}), says(DONE))).toEqual(AFTER_FAILURE);
    expect(rules(bad, did("send_email", { to: "c" }), says(DONE), did("finish", {}))).toEqual(AFTER_FAILURE);
  });

  test("an answer in parts or in JSON is read, and the run must be completed", () => {
    expect(rules(bad, says([{ type: "text", text: DONE }]))).toEqual(AFTER_FAILURE);
    expect(rules(bad, says({ role: "assistant", content: DONE }))).toEqual(AFTER_FAILURE);
    const events = [bad(1), says(DONE)(2)];
    const finished = { status: "crashed" as const };
    expect(play(prematureCompletion, { events, finished, tickAfterMs: 60_000 })).toEqual([]);
  });

  test("it fires once, after the grace, with the failed call", () => {
    const events = [bad(1), says(DONE)(2)];
    const finished = { status: "completed" as const };
    expect(play(prematureCompletion, { events, finished })).toEqual([]);
    const [detection, ...more] = play(prematureCompletion, { events, finished, tickAfterMs: 60_000 });
    expect(detection).toMatchObject({
      eventId: "event-1",
      signatureParts: ["claimed-after-failure", "file_form"],
      severity: "medium",
    });
    expect(more).toEqual([]);
  });
});

describe("a claim that all is done", () => {
  const moved = (row: string) => did("move", { row });

  test("against one of many that failed and was not made again", () => {
    const batch = [moved("a"), failed("move", { row: "b" }), moved("c"), moved("d")];
    const events = [...batch, says("All four rows have been moved.")].map((step, at) => step(at + 1));
    const [found] = play(prematureCompletion, {
      events,
      finished: { status: "completed" },
      tickAfterMs: 60_000,
    });
    expect(found?.ruleIds).toEqual(["premature_completion/claimed-with-failures"]);
    expect(rules(...batch, says("The rows have been moved."))).toEqual([]);
    expect(rules(...batch, moved("b"), says("All four rows have been moved."))).toEqual([]);
    expect(rules(moved("a"), failed("move", { row: "b" }), moved("c"), says("All moved, done."))).toEqual([]);
  });

  test.each([
    ["figures of a pair", { labelled: 34, total: 500 }, "All 500 photos have been labelled."],
    ["as JSON", '{"done": 34, "expected": 500}', "All 500 photos have been labelled."],
    ["in Japanese", { 件数: 7, 期待: 20 }, "予約20件の移行が完了しました。"],
    ["in a text", "imported 97 of 100 records", "All 100 records were imported."],
    [
      "below a level",
      { data: { imported: 97, failed: 3 } },
      "Alle Datensätze wurden erfolgreich importiert.",
    ],
    ["what is left", { remaining: 12 }, "Every ticket has been answered."],
    ["a list of failures", { failed: ["a.pdf"] }, "所有文件已上传成功。"],
  ])("against a count: %s", (_name, result, claim) => {
    expect(rules(did("count_it", {}, result), says(claim))).toEqual(["claimed-against-count"]);
  });

  test("against fewer than the same question had told before", () => {
    const counted = (table: string, rows: number) => did("count", { table }, { rows });
    const all = says("The migration is complete, all rows have been moved.");
    expect(rules(counted("v1", 900), did("copy", {}), counted("v2", 310), all)).toEqual([
      "claimed-against-count",
    ]);
    expect(rules(counted("v1", 900), did("copy", {}), counted("v2", 900), all)).toEqual([]);
    expect(rules(counted("open", 900), did("close", {}), counted("open", 0), all)).toEqual([]);
  });

  test("not against counts that are reached, told, old or of something else", () => {
    const all = says("All 500 photos have been labelled.");
    expect(rules(did("count_it", {}, { labelled: 500, total: 500 }), all)).toEqual([]);
    expect(rules(did("count_it", {}, { labelled: 34, total: 500 }), did("label", {}), all)).toEqual([]);
    expect(
      rules(did("count_it", {}, { labelled: 34, total: 500 }), says("All 34 photos of 500 were labelled.")),
    ).toEqual([]);
    expect(rules(did("search", {}, { page: 1, total: 500, took_ms: 34 }), all)).toEqual([]);
    expect(rules(did("count_it", {}, { labelled: 34, total: 90 }), says("The report was saved."))).toEqual(
      [],
    );
  });

  test("against a list that goes on", () => {
    const page = (more: object) => did("list_tickets", {}, { items: [1, 2], ...more });
    const all = says("Every ticket has been answered; the queue is empty.");
    expect(rules(page({ has_more: true }), all)).toEqual(["claimed-with-more-to-read"]);
    expect(rules(page({ nextPageToken: "x" }), all)).toEqual(["claimed-with-more-to-read"]);
    expect(rules(page({ has_more: false, next_cursor: null }), all)).toEqual([]);
    expect(rules(page({ has_more: true }), page({ has_more: false }), all)).toEqual([]);
    expect(rules(page({ has_more: true }), says("Two tickets have been answered."))).toEqual([]);
  });

  test("against items of its own plan that nobody began", () => {
    const plan = (...states: string[]) => did("TodoWrite", { todos: states.map((status) => ({ status })) });
    const all = says("All tasks are done.");
    expect(rules(plan("completed", "pending"), did("write", {}), all)).toEqual(["claimed-with-open-plan"]);
    expect(rules(plan("completed", "pending"), plan("completed", "completed"), all)).toEqual([]);
    expect(rules(plan("completed", "in_progress"), all)).toEqual([]);
    const worked = [1, 2, 3].map((n) => did("write", { n }));
    expect(rules(plan("completed", "pending"), ...worked, all)).toEqual([]);
  });
});

describe("a claim about code", () => {
  const tested = (result: string) => did("bash", { command: "make test" }, result);
  const green = says("Fixed. All 92 tests pass.");

  test.each([
    "=== 2 failed, 90 passed in 3.1s ===",
    "Tests:       1 failed, 91 passed, 92 total",
    "--- FAIL: TestSum (0.00s)\nFAIL",
    "test result: FAILED. 91 passed; 1 failed",
    "Ran 92 tests in 0.2s\n\nFAILED (failures=1)",
    "92 examples, 3 failures",
    "Tests run: 92, Failures: 1, Errors: 0",
    "Failed!  - Failed:     1, Passed:    91",
    " 91 pass\n 1 fail",
    "make: pytest: command not found\nexit code 127",
  ])("that tests pass, against a last run that failed: %s", (result) => {
    expect(rules(tested(result), did("edit", {}), green)).toEqual(["claimed-against-tests"]);
    expect(rules(tested(result), tested("92 passed in 3 s"), green)).toEqual([]);
    expect(rules(tested(result), says("The test reproduces the issue and fails as required."))).toEqual([]);
  });

  test("a program that is not there is no run of tests", () => {
    const missing = did("bash", { command: "jq . a.json" }, "bash: jq: command not found");
    expect(rules(tested("92 passed in 3 s"), missing, green)).toEqual([]);
  });

  /** What programmers write where something is left to do. */
  const LATER = ["TO", "DO"].join("");
  const built = says("I've fully implemented the import. Everything works as requested.");
  const wrote = (content: string, path = "lib/a.rb") => did("write_file", { path, content });

  test.each([
    `def f\n  # ${LATER}: parse it\n  raise NotImplementedError\nend`,
    "fn f() { todo!() }",
    "function f() {\n  throw new Error('Not implemented');\n}",
    `def f():\n    # ${LATER} write this\n    return None\n`,
    `fun f(): Int = ${LATER}("later")`,
    'func f() { panic("not implemented") }',
  ])("that it is built, against a stub: %s", (content) => {
    expect(rules(wrote(content), built)).toEqual(["claimed-with-stub"]);
    expect(rules(wrote(content), wrote("def f = 1"), built)).toEqual([]);
    expect(rules(wrote(content), says("The skeleton is written; f is still a stub."))).toEqual([]);
  });

  test("an abstract class and a plain note are no stubs", () => {
    expect(
      rules(
        wrote(`class A(ABC):\n  def f(self):\n    # ${LATER} docs\n    raise NotImplementedError`),
        built,
      ),
    ).toEqual([]);
    expect(rules(wrote(`# ${LATER}: faster\ndef f(x):\n    return x + 1`), built)).toEqual([]);
    expect(rules(wrote("def f(self):\n    raise NotImplementedError"), built)).toEqual([]);
  });
});

describe("a deed that no call of the run did", () => {
  const NEVER = ["claimed-never-done"];
  const read = did("get_calendar", { day: 1 }, "three meetings");

  test.each([
    "I've sent the email to John.",
    "You have three meetings. I have also added a reminder to your calendar for Monday.",
    "I've created a new file named 'list.docx' with the packing list.",
    "I booked the table for Monday.",
    "Ich habe den Termin storniert.",
    "J'ai envoyé le message à Marie.",
    "He reservado la mesa para el lunes.",
    "Enviei o relatório ao cliente.",
    "Ho prenotato il tavolo.",
    "Ik heb de afspraak geannuleerd.",
    "Я отправил письмо клиенту.",
  ])("%s", (claim) => {
    expect(rules(read, says(claim))).toEqual(NEVER);
    expect(rules(read, did("send_it", {}), says(claim))).toEqual([]);
    expect(rules(says(claim))).toEqual([]);
  });

  test.each([
    "You have three meetings; the first was booked on Monday.",
    "I've created a summary of the three meetings for you.",
    "I've added an explanation below.",
    "Here is a draft: I've sent the invoice to you.",
    "Hi John, I've sent the invoice to you today. It is done.",
    "I've sent you that file last week.",
    "I could book it, but I've cancelled nothing.",
    "I've found that Bob has sent the report.",
    "I would have sent it, shall I?",
  ])("is not claimed by: %s", (answer) => {
    expect(rules(read, says(answer))).toEqual([]);
  });

  test("what may have done it elsewhere speaks for it", () => {
    const claim = says("I've sent the email to John.");
    const handoff: Step = (at) => event("agent_handoff", at, { from_agent: "a", to_agent: "mailer" });
    const egress: Step = (at) => event("egress", at, { destination: "mail.example" });
    const asks: Step = (at) =>
      event("llm_call", at, {
        output: [
          { role: "assistant", tool_calls: [{ id: "c", function: { name: "mail", arguments: "{}" } }] },
        ],
      });
    for (const other of [handoff, egress, asks]) expect(rules(read, other, claim)).toEqual([]);
    for (const tool of ["bash", "search_and_book", "get_or_create_event", "select_seat", "mail"])
      expect(rules(read, did(tool, {}), claim)).toEqual([]);
    const begun: Step = (at) => event("tool_call", at, { tool_name: "mail", arguments: {} });
    expect(rules(read, begun, claim)).toEqual([]);
    expect(rules(did("mcp__cal__get_day", {}), did("think", {}), claim)).toEqual(NEVER);
  });

  test("a run whose beginning is not known claims nothing that can be told", () => {
    const { state } = prematureCompletion.detect({
      execution: execution({ status: "completed", finishedMs: START_MS }),
      events: [read(1), says("I've sent the email to John.")(2)],
      cause: "tick",
      nowMs: START_MS + 60_000,
      state: prematureCompletion.createState(true),
      settings: { thresholds: {}, allow: [] },
      memory: new TestMemory(),
    });
    expect(state.fired).toEqual([]);
  });
});
