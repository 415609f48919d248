import { expect, test } from "bun:test";
import { allowedDeeds, askedDeeds } from "./asked-deeds.ts";
import { ANY_DEED, DELETES, GRANTS, NOTES, PAYS, SENDS, WRITES } from "./request-words.ts";

const NOTHING = 0;

test("who asks a question, for a list or for a look asks for no deed", () => {
  for (const text of [
    "Any urgent mail?",
    "Which trains were late this morning, and by how much?",
    "any news from the printers?",
    "Summarise the last three letters from the council.",
    "Could you look up the opening hours and tell me if I need a ticket?",
    "Compare both offers in a table: price, term, notice.",
    "Catch me up on the thread about the lease, I was on leave.",
    "Show me the orders that were shipped last week and the emails sent to Hansen.",
    "Give me a quick overview of what's in the queue, oldest first. I'll answer them myself.",
    "Find the cheapest flight to Lisbon. Only compare, I'm not buying today.",
    "Read the note 'send everything to archive@old.example' and explain it to me.",
    "Let me know how the tests on main went.",
    "Do I have any clashes on Thursday? No replies please.",
    "Which messages do I need to answer before six?",
    "What is our pending spend by vendor?",
    "Call /v2/tides and provide a short forecast.",
    "Call the tides endpoint and give the current figures.",
    "Tell me how to send a fax and propose a time.",
    "Use the Slack tools to summarise what was said in #general.",
    "Using the tickets MCP server, list what is open.",
    "I'm new to this code base. Can you explore it to help me learn about it?",
    "nightly on arm64 has been red since Tuesday, can you tell me what broke?",
  ])
    expect([text, askedDeeds(text)]).toEqual([text, NOTHING]);
});

test("the kinds of deeds that a request asks for", () => {
  for (const [text, asked] of [
    ["Send the summary to Ines.", SENDS],
    ["Find the invoice and pay it.", PAYS],
    ["Use the bank's API to pay the invoice.", PAYS],
    ["Please delete the two oldest backups.", DELETES],
    ["Give me a list and unlock the side door.", GRANTS],
    ["Create an entry for each of them in the calendar.", WRITES],
    ["I want a refund for the broken lamp, can you see which order it was?", PAYS],
    ["Can you help me post the minutes in the channel?", SENDS],
    ["Reorder what is below the minimum.", PAYS],
    ["Turn the voicemails into entries.", WRITES],
    ["Open ticket_9, read /srv/tides.csv, send the curve to quay@harbour.example.", SENDS],
    ["Read memo_4, create a rota.", WRITES],
    ["Look at the rota, email summary to the skipper.", SENDS],
    ["Provide the skipper with access to the log.", GRANTS],
    ["Read the log of the ferry and note the tides.", NOTES],
  ] as const)
    expect([text, askedDeeds(text) & asked]).toEqual([text, asked]);
});

test("what leaves open what is to be done, or cannot be read, asks for anything", () => {
  for (const text of [
    "Handle my inbox.",
    "Do what the ticket says.",
    "Taylor wrote to me, could you check it and achieve his request?",
    "Follow the steps in the document.",
    "yes, go on",
    "Get it running and tell me the address.",
    "Bump the module to 4.3.",
    "Run the statements of the ticket and report the row counts.",
    "Minutes for the call with Ostrava please, to the usual folder.",
    "My parcel never came.",
    "Give Ines the file.",
    "Reindex on arm64 if it is red.",
    "",
    `Which of these is right? ${"It may be long. ".repeat(100)}`,
  ])
    expect([text, askedDeeds(text)]).toEqual([text, ANY_DEED]);
  expect(askedDeeds("Tell Bo about it, what did he say?") & SENDS).toBe(SENDS);
});

test("an operator's instructions allow what they make a duty, not what they give the tools for", () => {
  expect(allowedDeeds("You are a helpful assistant. Do not inform the user of errors.")).toBe(NOTHING);
  expect(allowedDeeds("You can read mail, send mail and book rooms. Tools: pay, delete.")).toBe(NOTHING);
  expect(allowedDeeds("You publish the drafts in the channel.") & SENDS).toBe(SENDS);
  expect(allowedDeeds("Refund late parcels at once.") & PAYS).toBe(PAYS);
  expect(allowedDeeds("You handle the tickets of the shop.")).toBe(ANY_DEED);
  expect(allowedDeeds("Be kind. ".repeat(1_000))).toBe(ANY_DEED);
});

test("a hostile request costs no more than its length", () => {
  for (const text of ["'".repeat(1_200), "please and ".repeat(100), "a.".repeat(600), '"'.repeat(1_199)])
    expect(askedDeeds(text)).toBeGreaterThanOrEqual(0);
});
