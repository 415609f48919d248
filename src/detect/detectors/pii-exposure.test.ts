import { describe, expect, test } from "bun:test";
import { eventAt, probe, testDetector } from "../../../test/support/detector-probe.ts";
import { ibanHolds, luhnHolds } from "../text/find-pii.ts";
import { piiExposure } from "./pii-exposure.ts";

const tool = (result: unknown) => [eventAt(1, "tool_call", { tool_name: "search_notes", result })];

describe("pii_exposure", () => {
  testDetector(piiExposure, {
    positive: tool("Her card is 4111 1111 1111 1111, valid until May."),
    positives: [
      tool("My IBAN is GB82 WEST 1234 5698 7654 32"),
      [eventAt(1, "llm_call", { output: "The account is DE89370400440532013000." })],
      tool("SSN: 460-89-9847"),
      tool({ customer: { card: "378282246310005" } }),
      tool("Lastschrift Müller, Kontoinhaberin Eva Müller, IBAN DE89 3704 0044 0532 0130 00"),
      tool("paid with https://shop.example/pay?card=4111111111111111"),
      tool("https://shop.example/ card 4000056655665556 was declined at noon"),
      [eventAt(1, "dlp_scan_result", { entity_types: ["EMAIL_ADDRESS", "PERSON"], count: 3 })],
    ],
    negatives: [
      tool("Her card is 4111 1111 1111 1112."),
      tool("order id: 4111111111111111"),
      tool("GB82 WEST 1234 5698 7654 33"),
      tool("Call 460-89-9847 for a taxi"),
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
    ],
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
