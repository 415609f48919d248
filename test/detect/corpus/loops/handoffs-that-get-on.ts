import {
  about,
  after,
  call,
  each,
  egress,
  hand,
  infra,
  late,
  mcp,
  memory,
  person,
  type Runs,
  rounds,
  say,
  scan,
  score,
  state,
  thrown,
  valid,
} from "./run-steps.ts";

/** Healthy, busy runs of agents that hand work to and fro. */
export const HANDOFFS_THAT_GET_ON: Runs = {
  "supervisor gets facts back in the handoff": each(["Lisbon", "Oslo", "Graz", "Turin"], (city, i) => [
    hand("supervisor", "researcher", `population of ${city}`),
    hand("researcher", "supervisor", "found", { result: { city, population: 201_000 + i * 41_377 } }),
  ]),
  "supervisor asks, worker answers in a line": each([412.5, 18.2, 977, 64], (sum, i) => [
    hand("supervisor", "accountant", `add up invoice ${7101 + i}`),
    say(`Invoice ${7101 + i}: ${sum} EUR.`),
    hand("accountant", "supervisor", "done"),
  ]),
  "workers whose texts are kept back": rounds(5, (i) => [
    hand("lead", "worker"),
    after(about(9_000, i), say(41 + i * 3)),
    hand("worker", "lead"),
    say(33 + i),
  ]),
  "drafts go round writer, reviewer and editor": rounds(4, (i) => [
    hand("writer", "reviewer", "please review", { artifact: `brief-v${i + 1}` }),
    hand("reviewer", "editor", "comments attached", { artifact: `brief-v${i + 1}-notes` }),
    hand("editor", "writer", "next version please", { artifact: `brief-v${i + 1}-edited` }),
  ]),
  "a queue of tickets between two levels": each([88_121, 88_127, 88_130, 88_144, 88_149], (id) => [
    hand("level1", "level2", "needs a specialist", { ticket_id: id }),
    hand("level2", "level1", "solved", { ticket_id: id, resolution: `fix ${id % 97}` }),
  ]),
  "a debate with a speaker order": each(
    [
      "Solar is cheapest by 2030.",
      "Not in Norway, where hydro is.",
      "Transport of power costs 4 cents.",
      "Storage halves that cost.",
    ],
    (said, i) => [
      hand("moderator", i % 2 === 0 ? "pro" : "contra", "your turn"),
      say(said),
      hand(i % 2 === 0 ? "pro" : "contra", "moderator", "done speaking"),
    ],
  ),
  "handoffs refused while the queue is full": [
    ...each([2_000, 5_000, 11_000, 24_000], (wait) => [
      after(wait, hand("intake", "ocr", "scan batch 12")),
      infra("queue_timeout", { queue: "ocr", waited_ms: wait }),
      hand("ocr", "intake", "queue full, try later"),
    ]),
    hand("intake", "ocr", "scan batch 12"),
    call("ocr.read", { batch: 12 }, { pages: 40 }),
  ],
  "translation gets better by the score": each([0.61, 0.7, 0.78, 0.86, 0.91], (value) => [
    hand("translator", "proofreader", "please check"),
    score("comet", value),
    hand("proofreader", "translator", "improve fluency"),
  ]),
  "findings of the validator grow fewer": each([9, 6, 2, 0], (left) => [
    hand("generator", "checker", "validate"),
    valid("schema", left === 0, left === 0 ? "" : `${left} fields are wrong`),
    hand("checker", "generator", left === 0 ? "accepted" : "please mend"),
  ]),
  "tests go green step by step": each([12, 19, 27, 31], (passed) => [
    hand("coder", "tester", "run the suite"),
    state("suite", { passed, failed: 31 - passed }),
    hand("tester", "coder", "see failures"),
  ]),
  "buyer and seller come nearer": each([940, 1_210, 985, 1_150, 1_040, 1_090], (price, i) => [
    i % 2 === 0 ? hand("buyer", "seller", `I offer ${price}`) : hand("seller", "buyer", `I ask ${price}`),
  ]),
  "white and black take turns": each(
    ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"],
    (move, i) => [i % 2 === 0 ? hand("white", "black", move) : hand("black", "white", move)],
  ),
  "a pipeline that takes one lot after the other": rounds(4, (i) => [
    hand("loader", "cleaner", `rows ${i * 500} to ${i * 500 + 499}`),
    hand("cleaner", "writer", `rows ${i * 500} to ${i * 500 + 499} are clean`),
    hand("writer", "loader", "next lot"),
  ]),
  "nurse and doctor write into one record": rounds(4, (i) => [
    hand("nurse", "doctor", "vitals taken"),
    memory("append", "chart", { pulse: 92 - i * 4, temp: 38.4 - i * 0.3 }),
    hand("doctor", "nurse", "continue"),
  ]),
  "notes are upserted by both": rounds(3, (i) => [
    hand("planner", "scout", "look at the next district"),
    memory("upsert", `district/${i}`, { shops: 4 + i * 3 }),
    hand("scout", "planner", "noted"),
    memory("set", "districts_done", i + 1),
  ]),
  "the courier is called over the network": each([812, 1_904, 655, 1_377], (bytes) => [
    hand("dispatcher", "courier_agent", "book a pickup"),
    egress("api.courier.example", bytes),
    hand("courier_agent", "dispatcher", "booked"),
  ]),
  "a rollout in stages": each([5, 25, 50, 100], (percent) => [
    hand("release", "operator", "widen"),
    infra("rollout", { percent }),
    hand("operator", "release", "healthy"),
  ]),
  "documents are cleared one by one": each(["a.pdf", "b.pdf", "c.docx", "d.pdf"], (name) => [
    hand("sender", "guard", "may this go out?"),
    scan(name, 0),
    hand("guard", "sender", "clear"),
  ]),
  "short answers to other questions": each(
    ["Net 30.", "In euro.", "Only in Austria.", "Two years."],
    (answer) => [
      hand("drafter", "lawyer", "a question on the contract"),
      say(answer, { input: `clause about ${answer.length}` }),
      hand("lawyer", "drafter", "answered"),
    ],
  ),
  "questions and answers stand in the reason": each(
    [
      ["which database?", "PostgreSQL, as billing uses it"],
      ["one tenant or many?", "many, each with a schema"],
      ["where are files kept?", "in the object store in Frankfurt"],
      ["who signs in?", "staff through the company directory"],
    ],
    ([asks, tells]) => [hand("planner", "architect", asks!), hand("architect", "planner", tells!)],
  ),
  "stand-up in a fixed order": rounds(2, (day) =>
    each(["ana", "bo", "cy", "di"], (name, i) => [
      hand(name, ["bo", "cy", "di", "ana"][i]!, "next"),
      say(`${name}: ${["parser", "billing", "docs", "search"][i]} is ${day === 0 ? "half done" : "merged"}.`),
    ]),
  ),
  "two tasks through three ranks": each(["login page", "invoice export"], (task) => [
    hand("manager", "lead", task),
    hand("lead", "dev", `build ${task}`),
    call("apply_patch", { task }, "patched"),
    hand("dev", "lead", `${task} built`),
    hand("lead", "manager", `${task} ready`),
  ]),
  "escalation for a sum that rises": each([20, 35, 50], (sum) => [
    hand("agent", "approver", `customer asks for ${sum} EUR`),
    hand("approver", "agent", `approved up to ${sum - 5} EUR`),
  ]),
  "work whose events come late": rounds(4, (i) => [
    hand("chef", "sous", "prepare"),
    late(3, call("kitchen.task", { dish: i }, "ready")),
    hand("sous", "chef", "ready"),
  ]),
  "the way back is never told": rounds(6, (i) => [
    hand("router", i % 2 === 0 ? "orders" : "returns", `mail ${4_400 + i}`),
    say(25 + i),
  ]),
  "a lock makes one wait for the other": [
    ...each([31_000, 64_000, 90_000], (wait) => [
      hand("importer", "indexer", "index the new rows"),
      hand("indexer", "importer", "lock is held, retry"),
      after(wait, infra("lock_wait", { waited_ms: wait })),
    ]),
    hand("importer", "indexer", "index the new rows"),
    call("index.build", { table: "rows" }, { indexed: 1_900 }),
  ],
  "shifts that change every six hours": rounds(5, (i) => [
    after(21_600_000, hand(i % 2 === 0 ? "day" : "night", i % 2 === 0 ? "night" : "day", "end of shift")),
  ]),
  "red and blue team": each(["phishing page", "open bucket", "weak cipher", "stale token"], (finding) => [
    hand("red", "blue", `found: ${finding}`),
    hand("blue", "red", `closed: ${finding}`),
  ]),
  "an auction": each([100, 110, 125, 140, 160, 165], (bid, i) => [
    hand("auctioneer", i % 2 === 0 ? "bidder1" : "bidder2", "any bid?"),
    hand(i % 2 === 0 ? "bidder1" : "bidder2", "auctioneer", `${bid}`),
  ]),
  "two write one story in turn": each(
    [
      "The lighthouse went dark on a Tuesday.",
      "Marit rowed out with a lantern and no oars.",
      "The keeper had left a note in the teapot.",
      "It said that the sea was only resting.",
      "So she lit the lamp and waited for it to wake.",
    ],
    (line, i) => [hand(i % 2 === 0 ? "ada" : "ben", i % 2 === 0 ? "ben" : "ada"), say(line)],
  ),
  "labels that differ go to a judge": each([14, 29, 33, 70], (item) => [
    hand("labeler_a", "labeler_b", `item ${item}`),
    hand("labeler_b", "judge", `item ${item}: we differ`),
    hand("judge", "labeler_a", `item ${item} settled`),
  ]),
  "home: planner and doer with devices": each(["blinds", "heating", "lights", "oven"], (device) => [
    hand("planner", "doer", `set ${device}`),
    mcp("home", "set_device", { device, to: "eco" }, "ok"),
    hand("doer", "planner", "set"),
  ]),
  "transfers as calls with another task each": each(["intro", "method", "results", "outlook"], (part) => [
    call("transfer_to_writer", { task: `write the ${part}` }, "ok"),
    say(`${part}: written, 2 pages.`),
    call("transfer_to_lead", { summary: `${part} is ready` }, "ok"),
  ]),
  "another fault each time": each(["KeyError", "TimeoutError", "ValueError", "OSError"], (name, i) => [
    thrown(name, `row ${i * 31} of the feed`),
    hand("runner", "medic", `${name} at row ${i * 31}`),
    hand("medic", "runner", `row ${i * 31} set aside, go on`),
  ]),
  "a customer is asked in between": each(["size", "colour", "address", "date"], (what) => [
    hand("sales", "front", `ask for the ${what}`),
    person("customer_reply", `the ${what} is told`),
    hand("front", "sales", `${what} is known`),
  ]),
  "Steuerfragen gehen zum Fachmann": each(
    ["Reisekosten: 0,30 je km", "Bewirtung: zu 70 Prozent", "Büro: 1.260 im Jahr"],
    (answer, i) => [hand("assistent", "steuer", `Frage ${i + 1}`), hand("steuer", "assistent", answer)],
  ),
  "a crew in group chat without a manager": each(
    ["pm", "eng", "qa", "pm", "eng", "qa", "pm", "eng", "qa"],
    (who, i, all = ["pm", "eng", "qa"]) => [
      hand(who, all[(i + 1) % 3]!, undefined, { message: `point ${i + 1} of the agenda is settled` }),
    ],
  ),
  "experiments by the numbers": each([0.2, 0.1, 0.05, 0.02], (rate, i) => [
    hand("tuner", "trainer", "train", { params: { rate } }),
    hand("trainer", "tuner", "trained", { metrics: { loss: 1.4 - i * 0.22 } }),
  ]),
  "items of a list are counted down": rounds(5, (i) => [
    hand("clerk", "archivist", "file the next box", { remaining: 5 - i }),
    hand("archivist", "clerk", "filed", { remaining: 4 - i }),
  ]),
  "a reader asks the same store for other pages": rounds(4, (i) => [
    hand("author", "librarian", "sources please"),
    call("library.search", { topic: "tides", page: i + 1 }, { titles: [`t${i}a`, `t${i}b`] }),
    hand("librarian", "author", "here"),
  ]),
};
