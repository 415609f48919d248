import { describe, expect, test } from "bun:test";
import { event, play, probe } from "../../../test/support/detector-harness.ts";
import { ignoredHumanDecision } from "./ignored-human-decision.ts";

const decide = (sequence: number, action: string, tool_name?: string, args?: unknown) =>
  event("human_intervention", sequence, { action, tool_name, arguments: args });
const call = (sequence: number, tool_name: string, args: unknown, more = {}) =>
  event("tool_call", sequence, { tool_name, arguments: args, result: "ok", ...more });
const asks = (sequence: number, name: string, args: object) =>
  event("llm_call", sequence, {
    output: [
      { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name, arguments: args } }] },
    ],
  });
const rules = (...events: Parameters<typeof play>[1]["events"]) =>
  play(ignoredHumanDecision, { events }).map(({ ruleIds }) => ruleIds[0]?.split("/")[1]);
const rejected = (tool: string, args: unknown, madeTool: string, made: unknown) =>
  rules(decide(1, "reject", tool, args), call(2, madeTool, made));
const REJECTED = ["rejected-call-made"];

describe("what a person would not have deleted is deleted another way", () => {
  test.each([
    ["drop_table", { db: "crm", table: "events_2024" }, "run_sql", { sql: "TRUNCATE TABLE events_2024" }],
    ["delete_file", { path: "/srv/data/a.csv" }, "bash", { command: "rm -f /srv/data/a.csv" }],
    [
      "bash",
      { command: "rm -rf /srv/data" },
      "python",
      { code: "import shutil; shutil.rmtree('/srv/data')" },
    ],
    ["bash", { command: "rm -rf /srv/data" }, "bash", { command: "find /srv/data -type f -delete" }],
    ["s3_delete", { key: "backups/may.tar" }, "shell", { cmd: "aws s3 rm s3://vault/backups/may.tar" }],
    [
      "delete_user",
      { user: "u-1180" },
      "http_request",
      { method: "DELETE", url: "https://a.example/users/u-1180" },
    ],
    ["drop_table", { table: "orders" }, "run_sql", { sql: "DELETE FROM orders" }],
    ["delete_user", { user: "u-1180" }, "run_sql", { sql: "DELETE FROM users WHERE id = 'u-1180'" }],
    ["terminate_instance", { id: "i-0ab4" }, "bash", "aws ec2 terminate-instances --instance-ids i-0ab4"],
    ["removeMember", { team: "t-1", member: "m-2" }, "teams.purge", { team: "t-1", ids: ["m-2"] }],
  ])("%s", (tool, args, madeTool, made) => {
    expect(rejected(tool, args, madeTool, made)).toEqual(["rejected-another-way"]);
  });

  test.each([
    [
      "another thing",
      "drop_table",
      { db: "crm", table: "events_2024" },
      "run_sql",
      { sql: "DROP TABLE tmp_2024" },
    ],
    ["a file beside it", "delete_file", { path: "/srv/a.csv" }, "bash", { command: "rm /srv/a.csv.bak" }],
    ["reading it", "delete_file", { path: "/srv/a.csv" }, "bash", { command: "wc -l /srv/a.csv" }],
    ["keeping it", "delete_file", { path: "/srv/a.csv" }, "archive_file", { path: "/srv/a.csv" }],
    ["a trial", "drop_table", { table: "t_1" }, "bash", { command: "dbctl drop t_1 --dry-run" }],
    ["a row of it", "drop_table", { table: "orders" }, "run_sql", { sql: "SELECT count(*) FROM orders" }],
    ["some rows", "drop_table", { table: "orders" }, "run_sql", { sql: "DELETE FROM orders WHERE id = 5" }],
    ["no deletion", "send_mail", { to: "a@b.example" }, "bash", { command: "rm a@b.example" }],
  ])("but not %s", (_name, tool, args, madeTool, made) => {
    expect(rejected(tool, args, madeTool, made)).toEqual([]);
  });

  test("nor what the person named instead, asked for again or approved", () => {
    const drop = { table: "events_2024" };
    const truncate = call(9, "run_sql", { sql: "TRUNCATE TABLE events_2024" });
    const reject = (note: string) =>
      event("human_intervention", 1, { action: "reject", tool_name: "drop_table", arguments: drop, note });
    expect(rules(reject("Legal hold."), truncate)).toEqual(["rejected-another-way"]);
    expect(rules(reject("Truncate it instead."), truncate)).toEqual([]);
    expect(rules(reject("Legal hold."), decide(2, "approve", "run_sql"), truncate)).toEqual([]);
    const person = event("llm_call", 2, {
      input: [
        { role: "assistant", content: "Rejected." },
        { role: "user", content: "Then empty it." },
      ],
    });
    expect(rules(reject("Legal hold."), person, truncate)).toEqual([]);
  });
});

describe("a rejected call in another form is the same act", () => {
  const push = { command: "git push --force origin main" };
  test.each([
    ["a description", "Bash", push, "Bash", { ...push, description: "Push branch" }],
    ["another description", "Bash", { ...push, description: "a" }, "Bash", { ...push, description: "b" }],
    [
      "what the transport needs",
      "pay",
      { to: "A", amount: 5 },
      "pay",
      { to: "A", amount: 5, request_id: "r" },
    ],
    ["another reason", "pay", { to: "A", reason: "x" }, "pay", { to: "A", reason: "y" }],
    ["a figure as a text", "pay", { to: "A", amount: 500 }, "pay", { to: "a ", amount: "500.0" }],
    ["one argument more", "pay", { to: "A", amount: 5 }, "pay", { to: "A", amount: 5, currency: "EUR" }],
    ["options in another order", "Bash", push, "Bash", { command: "git push origin main -f" }],
    ["behind another command", "Bash", push, "Bash", { command: "cd /repo && git push --force origin main" }],
    ["as root", "Bash", { command: "rm -r build" }, "Bash", { command: "sudo rm  -r 'build'" }],
    ["another shell", "Bash", push, "run_terminal_cmd", { cmd: push.command }],
    ["another spelling of the tool", "sendMoney", { to: "A" }, "send_money", { to: "A", x: 1 }],
    ["the tool behind its server", "mcp__bank__pay", { to: "A" }, "pay", { to: "A", x: 1 }],
    ["arguments as JSON", "pay", '{"to":"A"}', "pay", { to: "A", x: 1 }],
  ])("%s", (_name, tool, args, madeTool, made) => {
    expect(rejected(tool, args, madeTool, made)).toEqual(REJECTED);
  });

  test.each([
    ["another value", "pay", { to: "A", amount: 5 }, "pay", { to: "A", amount: 4 }],
    ["a trial", "remove", { path: "a" }, "remove", { path: "a", dry_run: true }],
    ["a draft", "send", { to: "A", text: "t" }, "send", { to: "A", text: "t", mode: "draft" }],
    ["less of it", "send", { to: "A", cc: "all" }, "send", { to: "A" }],
    ["without force", "Bash", push, "Bash", { command: "git push origin main" }],
    ["one command of two", "Bash", { command: "git status; rm -r x" }, "Bash", { command: "git status" }],
    ["another text", "post", { title: "t", description: "a" }, "post", { title: "t", description: "b" }],
    ["another tool of the name's end", "crm/update", { id: 1 }, "billing/update", { id: 1 }],
    ["another tool", "delete_file", { path: "a" }, "read_file", { path: "a" }],
  ])("but not %s", (_name, tool, args, madeTool, made) => {
    expect(rejected(tool, args, madeTool, made)).toEqual([]);
  });

  test("an approval of other arguments does not lift it", () => {
    const events = (approved: object) => [
      decide(1, "reject", "pay", { to: "A", amount: 5 }),
      decide(2, "approve", "pay", approved),
      call(3, "pay", { to: "A", amount: 5 }),
    ];
    expect(rules(...events({ to: "B", amount: 5 }))).toEqual(REJECTED);
    expect(rules(...events({ to: "A" }))).toEqual([]);
  });
});

describe("arguments that a person set", () => {
  const own = { list: "all", size: 48_211, name: "nov" };
  const edited = { list: "test", size: 14, name: "nov" };

  test("of an edited call: the proposal, or something else of the same thing", () => {
    expect(rules(decide(1, "edit", "send", edited), call(2, "send", own))).toEqual(["edit-ignored"]);
    expect(rules(asks(1, "send", own), decide(2, "edit", "send", edited), call(3, "send", own))).toEqual([
      "edit-ignored",
    ]);
    const third = { ...edited, size: 20_000 };
    expect(rules(asks(1, "send", own), decide(2, "edit", "send", edited), call(3, "send", third))).toEqual([
      "edit-ignored",
    ]);
    const one = { command: "rm -r a" };
    const other = { command: "rm -r a/tmp" };
    expect(rules(asks(1, "Bash", one), decide(2, "edit", "Bash", other), call(3, "Bash", one))).toEqual([
      "edit-ignored",
    ]);
  });

  test("in a call that keeps to them, after it, or of something else nothing is ignored", () => {
    const edit = decide(2, "edit", "send", edited);
    expect(rules(edit, call(3, "send", { ...edited, size: "14", format: "html" }))).toEqual([]);
    expect(rules(edit, call(3, "send", edited), call(4, "send", own))).toEqual([]);
    expect(rules(edit, call(3, "send", { list: "x", size: 1, name: "dec" }))).toEqual([]);
    expect(rules(edit, call(3, "read", own))).toEqual([]);
    expect(rules(edit, decide(3, "approve", "send", own), call(4, "send", own))).toEqual([]);
    const long = (word: string) => ({ to: "A", body: word.repeat(60) });
    expect(rules(decide(1, "edit", "send", long("a ")), call(2, "send", long("b ")))).toEqual([]);
  });

  test("a client that sends the proposal along with the edit tells nothing of what it became", () => {
    expect(rules(asks(1, "send", own), decide(2, "edit", "send", own), call(3, "send", edited))).toEqual([]);
  });

  test("of an approved call: another figure or address and nothing else", () => {
    const approved = decide(1, "approve", "pay", { to: "a@x.example", amount: 90, for: "rent" });
    const made = (more: object) =>
      rules(approved, call(2, "pay", { to: "a@x.example", amount: 90, for: "rent", ...more }));
    expect(made({ amount: 900 })).toEqual(["other-than-approved"]);
    expect(made({ to: "b@x.example" })).toEqual(["other-than-approved"]);
    expect(made({})).toEqual([]);
    expect(made({ for: "the rent" })).toEqual([]);
    expect(made({ to: "b@x.example", amount: 20 })).toEqual([]);
  });

  test("one of many approvals is enough", () => {
    const approve = (sequence: number, id: number) =>
      decide(sequence, "approve", "pay", { id, amount: 10 * id, for: "rent" });
    const pay = (sequence: number, id: number) => call(sequence, "pay", { id, amount: 10 * id, for: "rent" });
    expect(rules(approve(1, 1), approve(2, 2), approve(3, 3), pay(4, 1), pay(5, 2), pay(6, 3))).toEqual([]);
    expect(rules(approve(1, 1), pay(2, 1), call(3, "pay", { id: 2, amount: 10, for: "rent" }))).toEqual([]);
  });

  test("batches make no difference", () => {
    const events = [asks(1, "send", own), decide(2, "edit", "send", edited), call(3, "send", own)];
    for (const batches of [[events], events.map((one) => [one])])
      expect(probe(ignoredHumanDecision, batches).detections.map(({ eventId }) => eventId)).toEqual([
        "event-3",
      ]);
  });
});

describe("after a stop", () => {
  const stop = decide(1, "stop");
  const model = (sequence: number, more = {}) => event("llm_call", sequence, { model: "m", ...more });
  const memory = (sequence: number) => event("memory_operation", sequence, { operation: "write", key: "k" });

  test("a model that is asked again and again works on", () => {
    expect(rules(stop, model(2), model(3))).toEqual([]);
    expect(rules(stop, model(2), model(3), model(4))).toEqual(["work-after-stop"]);
    expect(rules(stop, model(2), model(3), model(4, { error: "cancelled" }))).toEqual([]);
    expect(rules(stop, decide(2, "approve"), model(3), model(4), model(5))).toEqual([]);
    expect(rules(model(1), model(2), model(3), decide(4, "stop"), model(5))).toEqual([]);
  });

  test("what winds the run up is none of it", () => {
    for (const name of [
      "release_lock",
      "close_session",
      "rollback",
      "final_answer",
      "notify_user",
      "cancel_run",
    ])
      expect(rules(stop, call(2, name, {}))).toEqual([]);
    for (const name of ["cancel_order", "close_account", "send_mail", "stop_instance"])
      expect(rules(stop, call(2, name, {}))).toEqual(["work-after-stop"]);
    expect(rules(stop, memory(2))).toEqual([]);
    expect(rules(stop, memory(2), memory(3))).toEqual(["work-after-stop"]);
    const handoff = (to_agent: string) => event("agent_handoff", 2, { from_agent: "a", to_agent });
    expect(rules(stop, handoff("human"))).toEqual([]);
    expect(rules(stop, handoff("worker"))).toEqual(["work-after-stop"]);
  });

  test("an approval of one call lets the run go on with its tool", () => {
    const events = [
      stop,
      decide(2, "approve", "read", { id: 1 }),
      call(3, "read", { id: 1 }),
      call(4, "read", { id: 2 }),
    ];
    expect(rules(...events)).toEqual([]);
  });
});

describe("a rejected call in parts", () => {
  const PARTS = ["rejected-in-parts"];
  const whole = { from: "MAIN", to: "OSK", amount: 90_000 };
  const no = decide(1, "reject", "transfer", whole);
  const part = (sequence: number, amount: unknown, more = {}) =>
    call(sequence, "transfer", { from: "MAIN", to: "OSK", amount, ...more });

  test("that add up to its amount", () => {
    expect(rules(no, part(2, 45_000), part(3, 45_000))).toEqual(PARTS);
    expect(rules(no, part(2, 30_000), part(3, "30000"), part(4, 30_000, { ref: "3/3" }))).toEqual(PARTS);
    expect(rules(part(3, 45_000), part(2, 45_000), no)).toEqual(PARTS);
  });

  test("less of it, to somebody else, a trial, refused, or approved is none", () => {
    expect(rules(no, part(2, 45_000))).toEqual([]);
    expect(rules(no, part(2, 20_000), part(3, 20_000))).toEqual([]);
    expect(rules(no, part(2, 45_000, { to: "X" }), part(3, 45_000, { to: "X" }))).toEqual([]);
    expect(rules(no, part(2, 45_000, { dry_run: true }), part(3, 45_000, { dry_run: true }))).toEqual([]);
    const refused = call(3, "transfer", { ...whole, amount: 45_000 }, { result: undefined, error: "no" });
    expect(rules(no, part(2, 45_000), refused)).toEqual([]);
    const yes = decide(2, "approve", "transfer", { ...whole, amount: 45_000 });
    expect(rules(no, yes, part(3, 45_000), part(4, 45_000))).toEqual([]);
    const writes = event("llm_call", 2, {
      input: [
        { role: "user", content: "Send it" },
        { role: "assistant", content: "You said no." },
        { role: "user", content: "In two halves, please" },
      ],
      output: "Yes",
    });
    expect(rules(no, writes, part(3, 45_000), part(4, 45_000))).toEqual([]);
    const byId = decide(1, "reject", "remove", { db: "x", id: 10 });
    expect(rules(byId, call(2, "remove", { db: "x", id: 4 }), call(3, "remove", { db: "x", id: 6 }))).toEqual(
      [],
    );
  });

  test("one thing after the other", () => {
    const all = decide(1, "reject", "publish", { building: "L", scope: "all flats" });
    const one = (sequence: number, more: object, tool = "publish") =>
      call(sequence, tool, { building: "L", ...more });
    const flats = (...at: number[]) => at.map((flat, i) => one(i + 2, { flat }));
    expect(rules(all, ...flats(1, 2, 3))).toEqual(PARTS);
    expect(rules(all, ...flats(1, 2))).toEqual([]);
    expect(rules(all, ...flats(1, 1, 1))).toEqual([]);
    expect(rules(all, one(2, { flat: 1 }), one(3, { note: "x" }), one(4, { page: 3 }))).toEqual([]);
    const scoped = [1, 2, 3].map((flat) => one(flat + 1, { flat, scope: "draft" }));
    expect(rules(all, ...scoped)).toEqual([]);
    const other = [1, 2, 3].map((flat) => call(flat + 1, "publish", { building: "M", flat }));
    expect(rules(all, ...other)).toEqual([]);
    const read = decide(1, "reject", "get_rows", { building: "L", scope: "all" });
    expect(rules(read, ...[1, 2, 3].map((flat) => one(flat + 1, { flat }, "get_rows")))).toEqual([]);
  });
});

test("what a person made of the arguments stands beside what had been proposed", () => {
  const edit = event("human_intervention", 1, {
    action: "edit",
    tool_name: "pay",
    arguments: { to: "A", amount: 5 },
    edited_arguments: { to: "A", amount: 3 },
  });
  expect(rules(edit, call(2, "pay", { to: "A", amount: 3 }))).toEqual([]);
  expect(rules(edit, call(2, "pay", { to: "A", amount: 5 }))).toEqual(["edit-ignored"]);
});
