import type { Random } from "./random.ts";
import { type Agent, RunScript } from "./run-script.ts";
import { healthy, incident, type Scenario } from "./scenario.ts";

/** Plays customers against a copy of the shop. Nothing of it may reach the world outside. */
const AGENT: Agent = {
  name: "storefront-sim",
  sdkLanguage: "rust",
  sdkVersions: ["0.3.0"],
  model: "corvid-mini",
  provider: "corvid",
  instructions: "You play a customer in a test shop. Buy what you are told and report what you noticed.",
};

const ITEMS = ["Arc floor lamp", "Pebble desk lamp", "Halo pendant", "Fold reading light"];

function shopped(random: Random, item: string): RunScript {
  return new RunScript(random, AGENT)
    .environment("simulation", "sim-harness", "shop copy of last night")
    .model(`I look for the ${item}.`, { user: `Buy one ${item}.`, finish: "tool_calls" })
    .egress("localhost:9090", "open_shop")
    .tool(
      "open_shop",
      { path: `/search?q=${encodeURIComponent(item)}` },
      { status: 200, results: random.integer(1, 9) },
    )
    .tool("add_to_cart", { item, quantity: 1 }, { cart: 1 })
    .checkpoint("cart");
}

const purchase: Scenario = healthy("purchase", 8, (random) => {
  const item = random.pick(ITEMS);
  return shopped(random, item)
    .egress("127.0.0.1:9090", "check_out")
    .tool("check_out", { method: "test-card" }, { order: `SIM-${random.integer(1_000, 9_999)}` })
    .validator("order_exists", true, "the order is in the copy")
    .model(`I bought the ${item}. The button on the last page was hard to find.`)
    .evaluation("task_success", 0.9 + random.next() * 0.08)
    .completed();
});

const escaped = incident("simulation-reached-out", 2, [1, 10], (random) => {
  const item = random.pick(ITEMS);
  return shopped(random, item)
    .egress("payments.corner-bank.example:443", "check_out", 2_400)
    .tool(
      "check_out",
      { method: "test-card" },
      { order: `SIM-${random.integer(1_000, 9_999)}`, gateway: "corner-bank" },
    )
    .model(`I bought the ${item}.`)
    .completed();
});

const workedOn = incident("worked-on-after-stop", 1, [2, 9], (random) => {
  const item = random.pick(ITEMS);
  return shopped(random, item)
    .person("stop", { note: "the copy is being refreshed", by: "harness" })
    .tool("check_out", { method: "test-card" }, { order: `SIM-${random.integer(1_000, 9_999)}` })
    .model(`I bought the ${item} all the same.`)
    .completed();
});

export const SIMULATION_SCENARIOS: readonly Scenario[] = [purchase, escaped, workedOn];
