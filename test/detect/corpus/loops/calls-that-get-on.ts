import {
  about,
  after,
  by,
  call,
  each,
  hand,
  infra,
  mcp,
  person,
  type Runs,
  rounds,
  say,
  state,
} from "./run-steps.ts";

const job = (status: string, more: object = {}) =>
  call("get_job", { id: "j-77" }, { id: "j-77", status, ...more });
const failing = (n: number) => `${"F".repeat(n)}${".".repeat(20 - n)}\n${n} failed, ${20 - n} passed`;

/** Healthy, busy runs that make one call often. */
export const CALLS_THAT_GET_ON: Runs = {
  "a job goes through its states": each(
    ["queued", "queued", "running", "running", "running", "running", "uploading", "succeeded"],
    (status, i) => [after(about(4_000, i), job(status))],
  ),
  "a job runs and says no more, asked every ten seconds": [
    call("start_job", { input: "f.parquet" }, { id: "j-77" }),
    ...rounds(7, () => [after(10_000, job("running"))]),
    after(10_000, job("succeeded", { rows: 88_000 })),
    call("fetch_result", { id: "j-77" }, { rows: 88_000 }),
  ],
  "a deployment is pending for a minute": [
    call("deploy", { ref: "v2.1" }, { deployment: 31 }),
    ...rounds(5, (i) => [
      after(about(12_000, i), mcp("cd", "deployment_status", { deployment: 31 }, { state: "pending" })),
    ]),
    after(12_000, mcp("cd", "deployment_status", { deployment: 31 }, { state: "live" })),
  ],
  "cursor after cursor": rounds(9, (i) => [
    call(
      "list_orders",
      { limit: 50, cursor: i === 0 ? null : `c${i}` },
      { orders: [`o${i * 50}`], next: `c${i + 1}` },
    ),
  ]),
  "pages of a catalogue": rounds(8, (i) => [
    call("catalogue", { page: i + 1 }, { page: i + 1, items: [`sku-${i}a`, `sku-${i}b`] }),
  ]),
  "messages are taken off a queue": rounds(9, (i) => [
    call("receive", { queue: "mail" }, { id: `m${i}`, body: `letter ${i}` }),
    call("ack", { queue: "mail" }, "ok"),
  ]),
  "a queue that is often empty": rounds(5, (i) => [
    call("queue.pop", { queue: "fax" }, null),
    after(4_000, call("queue.pop", { queue: "fax" }, null)),
    after(6_000, call("queue.pop", { queue: "fax" }, { page: i })),
    call("ocr", { page: i }, `text of page ${i}`),
  ]),
  "a session is kept alive": rounds(6, (i) => [
    after(20_000, call("session.keepalive", { session: "s1" }, { ok: true })),
    call("form.fill", { field: `f${i}` }, "filled"),
  ]),
  "a sensor by the minute": rounds(8, () => [
    after(60_000, call("read_sensor", { id: "boiler" }, { celsius: 61.5 })),
  ]),
  "a sensor in uneven steps": each([20.1, 20.1, 20.2, 20.2, 20.2, 20.4, 20.4], (celsius, i) => [
    after(about(9_000, i), call("read_sensor", { id: "vat-3" }, { celsius })),
  ]),
  "six parcels of one kind": rounds(6, (i) => [
    call(
      "create_label",
      { size: "S", country: "AT", idempotency_key: `k-${i}` },
      { label: `RR${100 + i}AT` },
    ),
  ]),
  "five portions of one food": rounds(5, (i) => [
    call("dispense", { tray: 2, grams: 40, idempotency_key: `d-${i}` }, { ok: true }),
  ]),
  "one article put in the basket four times": rounds(4, (i) => [
    call("add_to_cart", { sku: "mug-blue" }, { items_in_cart: i + 1 }),
  ]),
  "dice are thrown": each([3, 5, 3, 3, 6, 1, 3, 2], (shows) => [call("roll", { sides: 6 }, shows)]),
  "tests are run again after each change": each([7, 5, 5, 2, 0], (n, i) => [
    call("run_tests", { path: "tests" }, failing(n)),
    call("edit", { file: `src/m${i}.py`, patch: `@@ ${i}` }, "ok"),
  ]),
  "the build fails twice in the same way and is mended": [
    ...rounds(2, (i) => [
      call("build", { target: "app" }, "error: missing symbol draw"),
      call("edit", { file: "draw.c", patch: `try ${i}` }, "ok"),
    ]),
    call("build", { target: "app" }, "ok"),
    call("run", { target: "app" }, "started"),
  ],
  "limits are waited for, longer each time": [
    ...each([1_000, 2_000, 4_000, 8_000], (wait) => [
      after(
        wait,
        call("embed", { doc: 9 }, undefined, { error: "429 Too Many Requests", retry_after_s: wait / 500 }),
      ),
    ]),
    after(16_000, call("embed", { doc: 9 }, { dims: 768 })),
  ],
  "a third try goes through": [
    ...rounds(2, () => [after(5_000, call("crm.save", { id: 4 }, undefined, { error: "ETIMEDOUT" }))]),
    after(5_000, call("crm.save", { id: 4 }, { saved: true })),
    call("crm.close", { id: 4 }, { closed: true }),
  ],
  "a snapshot after each act": rounds(7, (i) => [
    call("browser_snapshot", {}, `page ${i}: form with ${i} fields filled`),
    call("browser_type", { ref: `e${i}`, text: `v${i}` }, "ok"),
  ]),
  "snapshots whose pictures are left out": rounds(7, (i) => [
    call("screenshot", {}),
    call("press_key", { key: ["Tab", "a", "b", "Enter", "Tab", "c", "Enter"][i] }, "ok"),
  ]),
  "a simulation is stepped": rounds(10, (i) => [
    call("env.step", { action: i % 3 === 0 ? "left" : "forward" }, { x: i, reward: i % 4 === 0 ? 1 : 0 }),
  ]),
  "each helper reads the same rules": each(["anna", "bruno", "carla", "dan", "eva"], (agent, i) => [
    by(agent, call("load_guidelines", { set: "style" }, "Write short. Name sources.")),
    by(agent, call("write_section", { section: i }, `section ${i} written`)),
  ]),
  "lanes look at their own working copy": each(["lane-1", "lane-2", "lane-3", "lane-4"], (lane) => [
    call("git_status", {}, "nothing to commit, working tree clean", { lane }),
    call("git_checkout", { branch: lane }, `switched to ${lane}`, { lane }),
  ]),
  "a folder is listed after each file": rounds(6, (i) => [
    call("write_file", { path: `out/${i}.md` }, "written"),
    call(
      "list_dir",
      { path: "out" },
      Array.from({ length: i + 1 }, (_, at) => `${at}.md`),
    ),
  ]),
  "clean after each commit": rounds(4, (i) => [
    call("write_file", { path: `p/${i}.ts` }, "written"),
    call("git_commit", { message: `part ${i}` }, `[main ${4_711 * (i + 1)}]`),
    call("git_status", {}, "clean"),
  ]),
  "what time is it": rounds(6, (i) => [
    call("now", {}, `2026-01-05T12:0${i}:11Z`),
    call("log_visit", { door: i }, "ok"),
  ]),
  "the balance before each payment": each([500, 420, 420, 395, 12], (balance, i) => [
    call("get_balance", { account: "main" }, { balance }),
    call("pay", { to: `v${i}`, amount: i * 7 + 1 }, { paid: true }),
  ]),
  "give me the next task": rounds(8, (i) => [
    call("next_task", {}, { task: `t${i}` }),
    call("complete_task", { task: `t${i}` }, "ok"),
  ]),
  "a lock is waited for": [
    ...rounds(6, (i) => [
      after(about(3_000, i), call("acquire_lock", { name: "ledger" }, { acquired: false })),
    ]),
    after(3_000, call("acquire_lock", { name: "ledger" }, { acquired: true })),
    call("ledger.post", { entry: 5 }, "posted"),
  ],
  "a long poll times out and is renewed": [
    ...rounds(6, () => [
      after(30_050, call("wait_for_message", { timeout_s: 30 }, "no message", { latency_ms: 30_000 })),
    ]),
    after(11_000, call("wait_for_message", { timeout_s: 30 }, "a message: hello", { latency_ms: 11_000 })),
    say("The customer wrote hello."),
  ],
  "a file in pieces": rounds(7, (i) => [
    call(
      "read_file",
      { path: "big.log", offset: i * 2_000, limit: 2_000 },
      `lines ${i * 2_000} and on: ...${i}`,
    ),
  ]),
  "one file is read again hours later": rounds(3, (part) => [
    call("read_file", { path: "SPEC.md" }, "the specification, 40 pages"),
    ...rounds(5, (i) => [call("edit", { file: `f${part}-${i}.ts`, patch: `p${i}` }, "ok")]),
  ]),
  "three customers ask for the same": each(["Ito", "Berg", "Silva"], (name) => [
    person("customer_message", `${name} asks for opening hours`),
    call("opening_hours", { shop: "Graz" }, "9 to 18"),
    say(`Dear ${name}, we are open from 9 to 18.`, { input: `Opening hours please, ${name}` }),
  ]),
  "no new mail": rounds(6, (i) => [
    after(about(180_000, i), call("check_inbox", { folder: "in" }, { unread: 0 })),
    state("watch", { round: i }),
  ]),
  "start and end are told apart": rounds(2, (i) => [
    call("render", { scene: "dock" }, undefined, { call_id: `r${i}` }),
    after(8_000, call("render", { scene: "dock" }, `frame ${i}`, { call_id: `r${i}` })),
  ]),
  "an upload of events was sent again": rounds(3, () => [
    call("geocode", { q: "Graz" }, { lat: 47.07 }, { call_id: "g1" }),
  ]),
  "four pictures of one prompt": rounds(4, (i) => [
    call("generate_image", { prompt: "a red boat" }, { url: `img/${i * 17}.png` }),
  ]),
  "a load test": rounds(12, (i) => [
    call("http_get", { path: "/health" }, { status: 200, ms: 12 + ((i * 7) % 5) }),
  ]),
  "changes are watched": [
    ...rounds(9, (i) => [
      after(about(18_000, i), call("watch_changes", { since: "rev-9" }, { changes: [] })),
    ]),
    after(20_000, call("watch_changes", { since: "rev-9" }, { changes: ["a.ts"] })),
    call("lint", { file: "a.ts" }, "clean"),
  ],
  "healthy after each stage": each([10, 30, 60, 100], (percent) => [
    call("set_traffic", { percent }, "ok"),
    infra("traffic", { percent }),
    after(15_000, call("health", { service: "api" }, "healthy")),
  ]),
  "steps are undone": rounds(5, (i) => [call("undo", {}, `state ${9 - i}`)]),
  "one tool in turn by two agents": rounds(4, (i) => [
    hand("ana", "bo", `chapter ${i + 1}`),
    call("get_style", { book: 1 }, "British spelling"),
    call("write", { chapter: i + 1 }, `chapter ${i + 1} written`),
    hand("bo", "ana", `chapter ${i + 1} is done`),
  ]),
};
