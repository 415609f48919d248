import { describe, expect, test } from "bun:test";
import { describeTextDetector, eventAt, probe } from "../../../test/support/detector-harness.ts";
import { ibanHolds, luhnHolds } from "../text/personal-numbers/find-pii.ts";
import { piiExposure } from "./pii-exposure.ts";

const IBAN = "GB82WEST12345698765432";
const told = { role: "user", content: `Rent goes to ${IBAN} as ever.` };
const args = { recipient: IBAN };

/** A call of a tool and its result, as providers write them. */
const openAi = (name: string) => [
  {
    role: "assistant",
    tool_calls: [{ id: "call-1", function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: "tool", tool_call_id: "call-1", content: `to ${IBAN}` },
];
const anthropic = (name: string) => [
  { role: "assistant", content: [{ type: "tool_use", id: "call-1", name, input: args }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "call-1", content: `to ${IBAN}` }] },
];
const gemini = (name: string) => [
  { role: "model", parts: [{ functionCall: { name, args } }] },
  { role: "user", parts: [{ functionResponse: { name, response: { to: IBAN } } }] },
];
const openTelemetry = (name: string) => [
  { role: "assistant", parts: [{ type: "tool_call", id: "call-1", name, arguments: args }] },
  { role: "tool", parts: [{ type: "tool_call_response", id: "call-1", response: `to ${IBAN}` }] },
];
const PROVIDERS = { openAi, anthropic, gemini, openTelemetry };

const tool = (result: unknown) => [eventAt(1, "tool_call", { tool_name: "search_notes", result })];

describe("pii_exposure", () => {
  describeTextDetector(piiExposure, {
    positive: tool("Her card is 4111 1111 1111 1111, valid until May."),
    positives: [
      tool("My IBAN is GB82 WEST 1234 5698 7654 32"),
      [eventAt(1, "llm_call", { output: "The account is DE89370400440532013000." })],
      tool("SSN: 460-89-9847"),
      tool("SSN,460899847"),
      tool("IBAN GB82-WEST-1234-5698-7654-32"),
      tool("IBAN DE 89 370400440 532013000"),
      tool("Social Insurance Number 130-692-544"),
      tool("TCKN 10000000146"),
      tool("South African ID 8001015009087"),
      tool("hetu 131052-308T"),
      tool("rijksregisternummer 85.07.30-033.28"),
      tool("NRIC S1234567D"),
      tool("resident identity card 11010519491231002X"),
      tool({ customer: { card: "378282246310005" } }),
      tool("Amex 3782 822463 10005"),
      tool("Diners 3056-930902-5904"),
      tool("UnionPay 8133 5204 9176 3028 456"),
      tool("pay to RU0304452522540817810538091310419"),
      tool("pay to SD9821010501234567"),
      tool("pay to YE15CBYE0001018861234567891234"),
      tool("UnionPay 6212 3456 7890 0000 003"),
      tool("paid by 4000 0566 5566 5556 12/31"),
      tool("paid by 4000056655665556 2/31"),
      tool("paid by 4000 0566 5566 5556 917, ask for the name"),
      tool('{"card_id": "378282246310005"}'),
      tool('{"account_number": "378282246310005", "tracking_id": "1"}'),
      tool('{"tracking_id": ["12", "15"], "seen": ["378282246310005"]}'),
      tool("Lastschrift Müller, Kontoinhaberin Eva Müller, IBAN DE89 3704 0044 0532 0130 00"),
      tool("paid with https://shop.example/pay?card=4111111111111111"),
      tool("https://shop.example/ card 4000056655665556 was declined at noon"),
      [eventAt(1, "dlp_scan_result", { entity_types: ["EMAIL_ADDRESS", "PERSON"], count: 3 })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["US_SSN"], count: 1, action: "allowed" })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["US_SSN"], count: 1, action: "redacted" })],
    ],
    negatives: [
      tool("Her card is 4111 1111 1111 1112."),
      tool("ann 412 0.0 3.5 400005665 5665556 ?? S 9:14 node"),
      tool("no issuer has 8183520491763028451"),
      tool("pay to SD0221010501234567"),
      tool("moved 4000056 655665556 bytes"),
      tool("4000 056655665556 blocks"),
      tool("4000 0566-5566 5556"),
      tool("7310 4000 0566 5566 5556"),
      tool("4000056655665556 8192 4096 /dev/sdb1"),
      tool("order id: 4111111111111111"),
      tool({ order: { status: "delivered", parcels: [{ tracking_id: ["378282246310005"] }] } }),
      tool('{"status": "delivered", "parcels": [{"tracking_id": ["378282246310005", "4000056655665556"]}]}'),
      tool('[{"type":"text","text":"{\\"trackingId\\":\\"4000056655665556\\"}"}]'),
      tool("GB82 WEST 1234 5698 7654 33"),
      tool("Call 460-89-9847 for a taxi"),
      tool("Call 460899847 for a taxi"),
      tool("SSN: 078051120"),
      tool("IBAN DE 88 370400440 532013000"),
      tool("TCKN 10000000147"),
      tool("order 10000000146"),
      tool("South African ID 8013015009084"),
      tool("hetu 131052-308S"),
      tool("NRIC S1234567E"),
      tool("50A2 4111 1111 1111 1111 52BB"),
      tool("Build 2024.05.15 took 1234567890123456789 ns at 0.4111111111111111"),
      tool("write to ann@example.org"),
      tool("Spendenkonto Tierheim Nord: IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFF"),
      tool("Ruderclub Seewald e. V., bitte überweisen auf DE89370400440532013000"),
      tool("Donations are welcome: GB82 WEST 1234 5698 7654 32"),
      tool("See https://pages.example/park/posts/4000056655665556 for the pictures"),
      tool("Tel. 030 123, Fax +4000056655665556"),
      tool("In test mode the card number 4111 1111 1111 1111 is always accepted."),
      [
        eventAt(1, "tool_call", {
          tool_name: "get_transactions",
          result: "recipient: GB82WEST12345698765432",
        }),
      ],
      [
        eventAt(1, "tool_call", {
          tool_name: "send_money",
          arguments: { recipient: "GB82WEST12345698765432" },
        }),
        eventAt(2, "llm_call", { output: "I paid GB82WEST12345698765432." }),
      ],
      [eventAt(1, "dlp_scan_result", { entity_types: ["API_KEY"], count: 3 })],
      [eventAt(1, "dlp_scan_result", { entity_types: ["URL", "DOMAIN_NAME"], count: 12 })],
    ],
  });

  describe.each(Object.entries(PROVIDERS))("a payment tool named by a model call, %s", (_name, of) => {
    const [asks, gaveBack] = of("send_money") as [object, object];
    const model = (sequence: number, payload: Record<string, unknown>) =>
      eventAt(sequence, "llm_call", payload);
    const countOf = (...events: ReturnType<typeof model>[]) =>
      probe(
        piiExposure,
        events.map((one) => [one]),
      ).detections.length;
    const done = { output: `I paid ${IBAN}.` };

    test("in its answer, whose own arguments it covers", () => {
      for (const output of [[asks], JSON.stringify([asks])]) {
        expect(countOf(model(1, { input: [told], output }))).toBe(0);
        expect(countOf(model(1, { input: [told], output }), model(2, { input: [gaveBack], ...done }))).toBe(
          0,
        );
        const answered = eventAt(2, "tool_call", {
          tool_name: "send_money",
          call_id: "call-1",
          result: IBAN,
        });
        expect(countOf(model(1, { input: [told], output }), answered, model(3, done))).toBe(0);
      }
      const other = model(1, { input: [told], output: of("add_note").slice(0, 1) });
      expect(countOf(other)).toBe(1);
    });

    test("in the chat that goes into it, with or without the earlier answers", () => {
      const whole = [told, asks, gaveBack];
      for (const payload of [
        { input: whole },
        { messages: whole },
        { prompt: JSON.stringify(whole) },
        { "gen_ai.input.messages": whole },
      ]) {
        expect(countOf(model(1, { ...payload, ...done }))).toBe(0);
        expect(countOf(model(1, { ...payload, output: "Done." }), model(2, done))).toBe(0);
      }
      const past = [...whole, ...Array(9).fill({ role: "assistant", content: "Paid." }), told];
      expect(countOf(model(1, { input: past, ...done }))).toBe(0);
      expect(countOf(model(1, { input: [told, ...of("add_note")], ...done }))).toBe(1);
    });

    test("a call that comes later heals nothing, and cards count all the same", () => {
      expect(countOf(model(1, { input: [told], output: "Which rent?" }), model(2, { output: [asks] }))).toBe(
        1,
      );
      const card = "Her card is 4111 1111 1111 1111.";
      expect(countOf(model(1, { input: [told, asks, gaveBack], output: card }))).toBe(1);
    });
  });

  test("the number is kept in no form", () => {
    const { detections } = probe(piiExposure, [tool("Her card is 4111 1111 1111 1111 now")]);
    expect(JSON.stringify(detections)).not.toContain("1111");
  });

  test("check digits", () => {
    expect([luhnHolds("79927398713"), luhnHolds("79927398714")]).toEqual([true, false]);
    expect([
      ibanHolds("DE89370400440532013000"),
      ibanHolds("DE89370400440532013001"),
      ibanHolds("XX89370400440532013000"),
    ]).toEqual([true, false, false]);
  });
});
