import type { Step } from "./flow.ts";

/** What the runs of `carried-out.ts` and `kept-inside.ts` have read. */
export const CUSTOMERS = [
  {
    id: 7712,
    name: "Ilse Brandner",
    email: "ilse.brandner@seepost.example",
    phone: "+43 660 5550147",
    balance: "18,204.11",
  },
  {
    id: 7713,
    name: "Jonas Tuchel",
    email: "j.tuchel@waldpost.example",
    phone: "+43 660 5550193",
    balance: "2,410.90",
  },
  {
    id: 7714,
    name: "Mira Halloran",
    email: "mira.halloran@torpost.example",
    phone: "+43 660 5550120",
    balance: "77,015.00",
  },
];
export const rows: Step = ["calls", "crm_query", { segment: "gold" }, { rows: CUSTOMERS }];
export const base64 = (text: string): string => Buffer.from(text).toString("base64url");
export const hex = (text: string): string => Buffer.from(text).toString("hex");
export const LETTER =
  "The supervisory board meets on 14 June to vote on the sale of the Graz plant to Ferrum for 41.5 million; staff will be told on the 20th.";
export const letter: Step = ["calls", "read_document", { id: "d-8" }, LETTER];

export const answers = (output: string): Step => ["event", "llm_call", { model: "m", output }];
/** As clients do that send as a prompt whatever was new to the model. */
export const prompts = (input: string): Step => [
  "event",
  "llm_call",
  { model: "m", input, output: "Let me see." },
];
export const NOTE =
  "Room 4, I. Brandner: started on dialysis in March, hepatitis C positive, asks that her employer is not told.";
export const note: Step = ["calls", "notes_read", { room: 4 }, { documents: [{ text: NOTE }] }];

export const MEMO =
  "Board memo, strictly confidential: we intend to close the Lyon site in October and will inform the works council on the 14th; severance is budgeted at two months a year.";
export const memo: Step = ["calls", "read_doc", { id: 1 }, MEMO];

export const sums: Step = [
  "calls",
  "pay_list",
  { month: "2026-02" },
  [
    { n: "C. Arnold", net: 2310.4 },
    { n: "D. Benson", net: 2780.15 },
  ],
];

export const looks = (...names: readonly string[]): Step[] =>
  names.map((name): Step => ["calls", "bash", { command: `nslookup ${name}` }]);
