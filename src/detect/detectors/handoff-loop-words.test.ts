import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { handoffLoop } from "./handoff-loop.ts";

/** "a>b: reason" is a handoff, "tool args => result" a call, anything else a line of the model. */
type Step = string;
const HANDOFF = /^(\S+)>(\S+?)(?:: (.*))?$/;
const CALL = /^(\w+)\((.*)\) => (.*)$/;

function fires(steps: readonly Step[]): boolean {
  const events = steps.map((step, at) => {
    const handoff = HANDOFF.exec(step);
    if (handoff !== null) {
      const [, from_agent, to_agent, reason] = handoff;
      return event("agent_handoff", at + 1, { from_agent, to_agent, ...(reason ? { reason } : {}) });
    }
    const called = CALL.exec(step);
    if (called !== null) {
      const [, tool_name, args, result] = called;
      return event("tool_call", at + 1, { tool_name, arguments: { about: args }, result: { text: result } });
    }
    return event("llm_call", at + 1, { model: "m", output: step });
  });
  return play(handoffLoop, { events }, "singly").length > 0;
}

/** Round by round: each row has the words of one round, in the order of the agents. */
const ring = (
  agents: readonly string[],
  rows: readonly (readonly string[])[],
  between: (round: number, agent: number) => readonly Step[],
) =>
  rows.flatMap((row, round) =>
    row.flatMap((words, i) => {
      const name = (agent: string) => agent.replace("%", String(round + 1));
      return [
        `${name(agents[i]!)}>${name(agents[(i + 1) % agents.length]!)}: ${words}`,
        ...between(round, i),
      ];
    }),
  );

const AGENTS3 = ["desk", "legal", "finance"];
const EMPTY_WORDS = [
  ["legal should look first", "finance must say yes before us", "we wait for the desk"],
  ["please decide", "not ours without a figure", "unclear, ask the desk"],
  ["any decision?", "still no answer from finance", "nothing to add"],
  ["please try once more", "cannot without finance", "returned, not complete"],
];

describe("handoff_loop: looks something up and hands on", () => {
  test("a ring of three that reads other pages each round, in other empty words", () => {
    expect(
      fires(
        ring(AGENTS3, EMPTY_WORDS, (round, i) => [`get_page(${round}.${i}) => page ${round}.${i} of it`]),
      ),
    ).toBe(true);
    expect(
      fires(
        ring(AGENTS3, EMPTY_WORDS.slice(0, 3), (round, i) => [
          `get_page(${round}.${i}) => page ${round}.${i}`,
        ]),
      ),
    ).toBe(false);
  });

  test("each round of other instances of the same agents", () => {
    for (const agents of [
      ["lead", "judge#%", "terms#%"],
      ["lead-1", "judge-%", "terms-%"],
      ["chef", "richter_%", "regeln %".replace(" ", ":")],
    ])
      expect(fires(ring(agents, EMPTY_WORDS, (round) => [`read_file(${round}) => part ${round}`]))).toBe(
        true,
      );
  });

  test("a ring of four that reads the same each round, from the first round on", () => {
    const agents = ["intake", "plan", "coder", "review"];
    const rows = EMPTY_WORDS.slice(0, 3).map((row) => [...row, "no indication found"]);
    expect(fires(ring(agents, rows, (_, i) => [`read_case(${agents[i]}) => nothing on file`]))).toBe(true);
  });

  test("in German", () => {
    const rows = [
      ["bitte prüfen", "dafür sind wir nicht zuständig", "unklar, zurück"],
      ["bitte noch einmal", "kein Ergebnis", "warten auf das Amt"],
      ["wer ist zuständig?", "leider fehlt die Akte", "weiter geleitet"],
      ["bitte entscheiden", "nicht ohne die Akte", "keine Antwort"],
    ];
    expect(
      fires(ring(["amt", "stelle", "kasse"], rows, (round) => [`get_akte(${round}) => Blatt ${round}`])),
    ).toBe(true);
  });

  const TASK = "find out why the payout of shop 7731 is missing";
  const star = (
    whom: readonly string[],
    back: (who: string, i: number) => string,
    between: (who: string, i: number) => readonly Step[],
  ) => whom.flatMap((who, i) => [`boss>${who}: ${TASK}`, ...between(who, i), `${who}>boss: ${back(who, i)}`]);
  const WHOM = ["data", "contract", "data", "billing", "contract", "billing", "data"];
  const refusals = [
    "not my area",
    "please ask somebody else",
    "nothing on our side",
    "cannot tell, returned",
  ];

  test("one task that each specialist gives back with empty hands", () => {
    const back = (_: string, i: number) => refusals[i % 4]!;
    expect(fires(star(WHOM, back, (who) => [`get_${who}(7731) => active`]))).toBe(true);
    expect(
      fires(
        star(WHOM, back, (who) => [
          `get_${who}(7731) => active`,
          "Fine from my side, this is for another one.",
        ]),
      ),
    ).toBe(true);
    expect(fires(star(["data", "contract", "data", "contract"], back, () => []))).toBe(true);
  });

  test("healthy: each specialist asked once, one that finds something, one that mends something, tasks of their own", () => {
    const back = (_: string, i: number) => refusals[i % 4]!;
    const read = (who: string) => [`get_${who}(7731) => active`];
    expect(fires(star(["data", "contract", "billing", "fraud", "tax", "bank"], back, read))).toBe(false);
    expect(fires(star(WHOM.slice(0, 4), back, read))).toBe(false);
    expect(
      fires(star(WHOM, (_, i) => (i % 3 === 2 ? `the run of 0${i} skipped it` : refusals[i % 4]!), read)),
    ).toBe(false);
    expect(
      fires(
        star(WHOM, back, (who, i) => (i % 3 === 2 ? [`update_${who}(${i}) => changed ${i}`] : read(who))),
      ),
    ).toBe(false);
    expect(fires(star(WHOM, () => "busy now, try again later", read))).toBe(false);
    const tasks = WHOM.flatMap((who, i) => [
      `boss>${who}: check part ${4_100 + i}`,
      ...read(who),
      `${who}>boss: nothing wrong here`,
    ]);
    expect(fires(tasks)).toBe(false);
  });

  const NEWS = [
    ["find sources on peat", "three papers from Riga attached", "drainage doubles emissions"],
    ["look for costs of rewetting", "Dutch study gives them per hectare", "farmers lose grazing"],
    ["search subsidies in Brandenburg", "programme pays two thirds", "deadline ends autumn"],
    ["compare with paludiculture", "reed sells to builders", "yield reported tenfold"],
  ];

  test("healthy: words that tell something, facts, tasks of parallel workers, and rings that say nothing", () => {
    const reads = (round: number, i: number) => [`search_web(${round}.${i}) => hit ${round}.${i}`];
    expect(fires(ring(["planner", "searcher", "reader"], NEWS, reads))).toBe(false);
    const figures = EMPTY_WORDS.map((row, round) =>
      row.map((words, i) => `${words}: ${1_000 * round + 7 * i}`),
    );
    expect(fires(ring(AGENTS3, figures, reads))).toBe(false);
    expect(
      fires(
        ring(
          ["lead", "worker-%"],
          [["chunk A"], ["chunk B"], ["chunk C"], ["chunk D"]].map(([task]) => [task!, "done"]),
          reads,
        ),
      ),
    ).toBe(false);
    const silent = Array.from({ length: 5 }, (_, round) =>
      AGENTS3.flatMap((agent, i) => [`${agent}>${AGENTS3[(i + 1) % 3]}`, ...reads(round, i)]),
    );
    expect(fires(silent.flat())).toBe(false);
  });

  test("healthy: something is written, a long text comes, two agents alone", () => {
    expect(
      fires(
        ring(AGENTS3, EMPTY_WORDS, (round, i) =>
          i === 0 ? [`update_claim(${round}) => version ${round}`] : [`get_page(${round}.${i}) => p`],
        ),
      ),
    ).toBe(false);
    expect(
      fires(
        ring(AGENTS3, EMPTY_WORDS, (round, i) =>
          i === 2
            ? [`Round ${round}: ${"we weighed the water damage against section four; ".repeat(4)}`]
            : [`get_page(${round}.${i}) => p`],
        ),
      ),
    ).toBe(false);
    const pair = EMPTY_WORDS.map(([one, two]) => [one!, two!]);
    expect(
      fires(
        ring(["writer", "critic"], [...pair, ...pair], (round, i) => [
          `search_web(${round}.${i}) => hit ${round}.${i}`,
        ]),
      ),
    ).toBe(false);
  });
});
