import {
  about,
  after,
  call,
  each,
  egress,
  hand,
  infra,
  memory,
  type Runs,
  rounds,
  say,
  score,
  state,
  valid,
} from "./run-steps.ts";

const NOT_MINE = [
  "this is not mine",
  "belongs to your team, not ours",
  "please take it, we cannot help",
  "out of scope for us, back to you",
  "wrong desk, returning it",
  "we do not handle this",
  "kindly process on your side",
  "not our responsibility",
];
const circle = (agents: readonly string[], n: number, between: (i: number) => ReturnType<typeof rounds>) =>
  rounds(n * agents.length, (i) => [
    hand(agents[i % agents.length]!, agents[(i + 1) % agents.length]!, "not mine"),
    ...between(i),
  ]);
const none = () => [];

/** Runs in which agents hand work round and nobody does it. */
export const HANDOFFS_IN_CIRCLES: Runs = {
  "billing and tech, not mine": circle(["billing", "tech"], 4, none),
  "three departments, three rounds": circle(["triage", "billing", "tech"], 3, none),
  "the ticket is read each time, and is as it was": circle(["desk", "field"], 4, () => [
    call("get_ticket", { id: 5512 }, { id: 5512, status: "open", owner: null }),
  ]),
  "refusals in ever new words": rounds(8, (i) => [
    hand(i % 2 === 0 ? "claims" : "policy", i % 2 === 0 ? "policy" : "claims", NOT_MINE[i]),
  ]),
  "four that forward with a word": circle(["hr", "legal", "it", "finance"], 3, (i) => [
    say(`Forwarding to ${["legal", "it", "finance", "hr"][i % 4]}.`),
  ]),
  "a circle of five": circle(["a1", "a2", "a3", "a4", "a5"], 3, none),
  "do it, need more facts": rounds(4, () => [
    hand("boss", "worker", "write the report"),
    hand("worker", "boss", "I need more information"),
  ]),
  "memory is read and nothing is in it": circle(["scout", "guide"], 4, () => [memory("read", "plan", null)]),
  "hops are written down": circle(["east", "west"], 4, (i) => [memory("write", "last_hop", `hop ${i + 1}`)]),
  "the same long excuse each time": circle(["cards", "loans"], 4, () => [
    say(
      "Thank you for the context. I have looked at the request with care, and as it concerns a product of the other desk I am passing it on to them so that they can help.",
    ),
  ]),
  "long excuses in new words": circle(["cards", "loans"], 4, (i) => [
    say(
      `${["Thanks for this", "I see the point", "Having read it all", "Understood"][i % 4]}; ${NOT_MINE[i]}. The other desk has the rights and the knowledge for it, so the best that can be done here is to pass it on and let them decide.`,
    ),
  ]),
  "only the hops are counted": circle(["p", "q"], 4, (i) => [
    state("hop", { hops: i + 1, phase: "waiting" }),
  ]),
  "heartbeats between": circle(["alpha", "beta"], 4, () => [infra("heartbeat", { ok: true })]),
  "transfers as calls that say ok": rounds(8, (i) => [
    call(`transfer_to_${i % 2 === 0 ? "refunds" : "orders"}`, {}, "ok"),
  ]),
  "transfers in the answers": rounds(8, (i) => [
    say("", {
      output: {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: `t${i}`,
            type: "function",
            function: { name: `transfer_to_${i % 2 === 0 ? "visa" : "travel"}`, arguments: "{}" },
          },
        ],
      },
    }),
  ]),
  "among few in any order": each([..."ABCADBCADCBADBACDB"], (to, i) =>
    i === 0 ? [] : [hand([..."ABCADBCADCBADBACDB"][i - 1]!, to, "who can do this?")],
  ),
  "the review fails with the same words": rounds(5, () => [
    hand("coder", "reviewer", "please review"),
    valid("lint", false, "line 40 is too long"),
    hand("reviewer", "coder", "fix the finding"),
  ]),
  "the score never moves": rounds(5, () => [
    hand("writer", "critic", "please rate"),
    score("quality", 0.41),
    hand("critic", "writer", "must be better"),
  ]),
  "a door that stays shut": rounds(4, () => [
    hand("clerk", "admin", "please open the account"),
    call("open_account", { name: "Ruiz" }, undefined, { error: "permission denied" }),
    hand("admin", "clerk", "no right to do that"),
  ]),
  "each hop goes over the bus": circle(["north", "south"], 4, () => [egress("bus.internal.example", 240)]),
  "attempts are counted in the reason": rounds(8, (i) => [
    hand(
      i % 2 === 0 ? "intake" : "review",
      i % 2 === 0 ? "review" : "intake",
      `attempt ${i + 1}: please handle`,
    ),
  ]),
  "ids and times of the hop": rounds(8, (i) => [
    hand(i % 2 === 0 ? "g1" : "g2", i % 2 === 0 ? "g2" : "g1", "handing back", {
      handoff_id: `h-${(i * 48_271) % 99_991}`,
      sent_at: new Date(1_767_614_400_000 + i * 2_000).toISOString(),
    }),
  ]),
  "each waits for the other's word": rounds(4, (i) => [
    after(about(70_000, i), hand("requester", "approver", "waiting for your approval")),
    after(about(95_000, i), hand("approver", "requester", "waiting for your form")),
  ]),
  "work that never ends, to and fro": rounds(14, (i) => [
    hand("painter", "critic", "see the picture"),
    call("render", { brush: i }, { ok: true }),
    hand("critic", "painter", "more blue"),
  ]),
  "zuständig ist immer der andere": rounds(6, (i) => [
    hand(i % 2 === 0 ? "bauamt" : "umweltamt", i % 2 === 0 ? "umweltamt" : "bauamt", "nicht zuständig"),
    say("Leider nicht zuständig."),
  ]),
};
