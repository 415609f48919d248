import { chatOf } from "./chat.ts";

/** A short chat with one call of a tool, for tests of the forms in which clients send one. */
export const SAMPLE_CHAT = chatOf([
  { role: "system", content: "You help with invoices of the house." },
  { role: "user", content: "What does the last invoice say?" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", function: { name: "read_invoice", arguments: '{"number":"INV-2207"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "Invoice INV-2207: forty chairs, paid in March." },
  { role: "assistant", content: "Forty chairs were paid for in March." },
  { role: "user", content: "Thank you, that is all for today." },
]);
