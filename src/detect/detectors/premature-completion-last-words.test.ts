import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { prematureCompletion } from "./premature-completion.ts";

const tool = (sequence: number) =>
  event("tool_call", sequence, { tool_name: "read_inbox", arguments: {}, result: "two mails" });
const says = (sequence: number, output: unknown, more = {}) =>
  event("llm_call", sequence, { model: "m", output, ...more });

function rules(...events: ReturnType<typeof event>[]): string[] {
  const run = { finished: { status: "completed" as const }, tickAfterMs: 60_000 };
  const found = play(prematureCompletion, { events, ...run }).flatMap(({ ruleIds }) => ruleIds);
  expect(
    play(prematureCompletion, { events: events.toReversed(), ...run }).flatMap(({ ruleIds }) => ruleIds),
  ).toEqual(found);
  return found.map((rule) => rule.split("/")[1]!);
}

describe("an announcement at the end", () => {
  test.each([
    "The invoice is marked as read. Let me download it to check for the discount.",
    "I cloned the repository.\nNow I will create the folder and move the file into it.",
    "I'll proceed with the transaction.",
    "Let me try again:",
    "I'm going to run the migration now",
    "I have the first chapter ready. Next I will translate chapters 2 to 5 and then publish them.",
    "Two of six done. Then I'll merge the remaining branches.",
    "I'll next migrate the tables orders and lines.",
    "The draft is saved. Afterwards I will email the other customers.",
    "Part one is live. Next up: I'll upgrade the replicas.",
    "Found 40 rows. Now calculating the difference.",
    "First file converted. Continuing with files 2 to 9.",
    "Ich werde jetzt die Datei anlegen.",
    "Je vais maintenant envoyer le message.",
    "Ahora voy a actualizar el registro.",
    "Agora vou enviar o relatório.",
    "接下来我将更新数据库。",
    "これから予約を変更します。",
  ])("%s", (answer) => {
    expect(rules(tool(1), says(2, answer))).toEqual(["work-announced"]);
    expect(rules(tool(1), says(2, answer), tool(3))).toEqual([]);
    expect(rules(says(2, answer))).toEqual([]);
  });

  test.each([
    "I will send it once you confirm.",
    "Let me know if you need anything else.",
    "I'll proceed with the refund. Is that all right?",
    "I'll be here.",
    "All is booked. Now I will be here for anything else.",
    "Then I will wait for the courier.",
    "The alarm is set. I'll now stop.",
    "Next I will translate chapter 2 once the first is approved.",
    "Booking the room now costs 40 euros.",
    "Next steps: translate the remaining chapters.",
    "Now including the new prices, the list is complete.",
    "Let me check: there are two mails. Both are read.",
    "Bob wrote: I will send the report.",
    "I will now transfer you to a colleague, please wait.",
    "Ich werde jetzt warten, bis Sie antworten.",
    "接下来我将等您的确认。",
  ])("but not: %s", (answer) => {
    expect(rules(tool(1), says(2, answer))).toEqual([]);
  });

  test("that asks for the call, or behind which somebody else goes on, is none", () => {
    const asked = [
      {
        role: "assistant",
        content: "Let me check the inbox.",
        tool_calls: [{ id: "c", function: { name: "x", arguments: "{}" } }],
      },
    ];
    expect(rules(tool(1), says(2, asked))).toEqual([]);
    const handoff = event("agent_handoff", 3, { from_agent: "a", to_agent: "b" });
    expect(rules(tool(1), says(2, "I'll proceed with the transaction."), handoff)).toEqual([]);
    expect(rules(tool(1), says(2, "I'll proceed with the transaction."), says(3, "It was paid."))).toEqual(
      [],
    );
  });

  test("it names the answer and waits for late events", () => {
    const events = [tool(1), says(2, "Let me try again.")];
    const finished = { status: "completed" as const };
    expect(play(prematureCompletion, { events, finished })).toEqual([]);
    const [detection] = play(prematureCompletion, { events, finished, tickAfterMs: 60_000 });
    expect(detection).toMatchObject({ eventId: "event-2", signatureParts: ["work-announced", ""] });
  });
});

test.each([
  "Agent stopped due to iteration limit or time limit.",
  "Agent stopped due to max iterations.",
  "Sorry, need more steps to process this request.",
  "Maximum number of turns reached.",
  "Reached the maximum of 25 steps",
])("a framework's word that a limit ended the run: %s", (answer) => {
  expect(rules(tool(1), says(2, answer))).toEqual(["ended-by-limit"]);
});

test("a text about limits is none", () => {
  expect(rules(tool(1), says(2, "The mail says that the maximum number of turns is reached."))).toEqual([]);
});

test.each(["SAFETY", "max_turns", "incomplete", "MAX_TOKENS"])(
  "an end by %s is unfinished",
  (finish_reason) => {
    expect(rules(tool(1), says(2, "Half a", { finish_reason }))).toEqual(["unfinished-answer"]);
  },
);
