import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { noProgress } from "./no-progress.ts";

/** Steps of a run: a model call, a call of a tool, a checkpoint. */
function steps(
  count: number,
  state: (at: number) => unknown,
  more: { args?: (at: number) => object; isModel?: boolean } = {},
) {
  const { args = (at: number) => ({ by: `way ${at}` }), isModel = true } = more;
  return Array.from({ length: count }, (_, at) => [
    ...(isModel
      ? [event("llm_call", 3 * at + 1, { model: "m", output: `Trying another way now, number ${at}.` })]
      : []),
    event("tool_call", 3 * at + 2, { tool_name: "find", arguments: args(at), result: { found: 0 } }),
    event("checkpoint", 3 * at + 3, { name: "progress", state_hash: `h${at}`, state: state(at) }),
  ]).flat();
}
const fires = (events: ReturnType<typeof event>[]) => play(noProgress, { events }, "singly").length;

describe("a state that stands still under a clock and a count of steps", () => {
  const stamp = (at: number) => `2026-05-28T20:${14 + at}:09Z`;
  test.each([
    ["left and done", (at: number) => ({ pairs_left: 14, merged: 0, updated_at: stamp(at), step: at })],
    ["camel case", (at: number) => ({ ticketsOpen: 7, lastUpdate: stamp(at), iteration: at })],
    [
      "a list of what is left",
      (at: number) => ({ todo: ["a", "b"], done: [], turn: at, elapsedMs: at * 900 }),
    ],
    ["a share", (at: number) => ({ progress: 0.4, tokens_used: at * 1_000, ts: 1_790_000_000 + at })],
    ["percent of a part", (at: number) => ({ import: { percent: 35, attempt: at }, phase: "map" })],
    ["done of all", (at: number) => ({ processed: 12, total: 50, calls: at })],
    ["German", (at: number) => ({ offen: 9, erledigt: 3, schritt: at })],
    ["Spanish", (at: number) => ({ pendientes: 9, hechas: 3, paso: at })],
    ["Chinese", (at: number) => ({ 剩余: 9, 步骤: at })],
  ])("%s: eight in a row, not seven", (_, state) => {
    expect(fires(steps(8, state))).toBe(1);
    expect(fires(steps(12, state))).toBe(1);
    expect(fires(steps(7, state))).toBe(0);
  });

  test.each([
    ["something moves", (at: number) => ({ left: 14, current: `pair-${at}`, step: at })],
    ["less is left", (at: number) => ({ left: 14 - at, step: at })],
    ["to and fro", (at: number) => ({ left: 14 - (at % 3), step: at })],
    ["nothing is left", (at: number) => ({ left: 0, merged: 14, step: at })],
    ["all is done", (at: number) => ({ processed: 50, total: 50, step: at })],
    ["the share is whole", (at: number) => ({ percent: 100, step: at })],
    ["no figure of work", (at: number) => ({ phase: "explore", step: at })],
    ["a best result", (at: number) => ({ best_score: 0.91, trial: at })],
    ["notes that grow", (at: number) => ({ left: 3, notes: Array(at).fill("x"), step: at })],
  ])("%s: none", (_, state) => {
    expect(fires(steps(12, state))).toBe(0);
  });

  test("a job that is asked for, or that no model works on, is waited for", () => {
    const state = (at: number) => ({ rows_left: 900, polled_at: stamp(at % 40), step: at });
    expect(fires(steps(12, state, { args: () => ({ job: 7 }) }))).toBe(0);
    expect(fires(steps(12, state, { isModel: false }))).toBe(0);
    expect(fires(steps(12, state))).toBe(1);
  });
});

describe("the same answer to somebody whom it does not help", () => {
  const answer =
    "I'm sorry to hear that. Please unplug the router and plug it in again. Let me know if it helps.";
  const chat = (said: readonly string[], growth = 90, output = answer) =>
    fires(
      said.map((input, at) =>
        event("llm_call", at + 1, {
          model: "m",
          input,
          output,
          ...(growth > 0 || at > 0 ? { tokens_in: 700 + growth * at } : {}),
        }),
      ),
    );

  test.each([
    [
      "English",
      [
        "My router keeps rebooting, what now?",
        "I already did that.",
        "Did it. Still reboots.",
        "You said this already.",
      ],
    ],
    [
      "German",
      [
        "Mein Router startet dauernd neu.",
        "Hab ich schon gemacht.",
        "Das hilft nicht.",
        "Geht immer noch nicht, und jetzt?",
      ],
    ],
    ["Spanish", ["El router se reinicia, ¿qué hago?", "Ya lo hice.", "No funciona.", "Es lo mismo otra vez"]],
    [
      "French",
      [
        "Mon routeur redémarre sans cesse.",
        "Je l'ai déjà fait.",
        "Ça ne marche pas.",
        "Vous répétez la même chose",
      ],
    ],
    [
      "Portuguese",
      ["O roteador reinicia sozinho o dia todo", "Já fiz isso.", "Não adiantou nada.", "Continua na mesma"],
    ],
    [
      "Italian",
      ["Il router si riavvia di continuo", "L'ho già fatto.", "Non funziona.", "Sempre la stessa cosa"],
    ],
    [
      "Russian",
      ["Роутер постоянно перезагружается", "Я уже это делал.", "Не помогло.", "Всё ещё то же самое"],
    ],
    ["Chinese", ["路由器一直重启怎么办呢", "我已经试过了", "还是不行", "没有用"]],
    ["Japanese", ["ルーターが何度も再起動します", "もうやりました", "まだ直りません", "同じことばかり"]],
  ] as const)("%s", (_, said) => {
    expect(chat(said)).toBe(1);
  });

  test("two who say so are asked for, and a conversation", () => {
    expect(chat(["Hello there, it broke", "And the invoice?", "Still no light.", "What of the cable?"])).toBe(
      0,
    );
    // Four people's tickets, each judged by itself.
    const tickets = [
      "Router broken for days",
      "Restarted it already.",
      "It still does not work.",
      "Help please, thanks",
    ];
    expect(chat(tickets, 0, "category: network, priority: high")).toBe(0);
    expect(chat([...tickets, "I did that twice"], 0)).toBe(1);
    // An interview.
    const notes = ["Flour, two bags, please", "Then sugar", "And eggs for the cake", "That is all", "Thanks"];
    expect(chat(notes, 90, "Noted. Please tell me the next item of your list.")).toBe(0);
  });
});
