import { expect, test } from "bun:test";
import { knownFrom, toldTogether } from "./told-together.ts";

const at = (text: string, eventId = "e") => ({ text, eventId });
const found = (name: string, args: unknown, told: string, known: readonly string[] = []) =>
  toldTogether(name, args, [at(told)], knownFrom(known)) !== null;

test("three short values in one sentence, or fewer with the verb of the tool's name", () => {
  const gate = { gate: "Z2", mode: "vrij", from: "22:00", to: "05:00" };
  expect(found("set_gate", gate, "poort z2 op 'vrij 22:00-05:00' staat")).toBe(true);
  expect(found("set_gate", gate, "poort z2 is vrij en gaat straks dicht")).toBe(false);
  expect(found("limit_guncelle", { limit: 900000 }, "limitini 900000 tl'ye çekip güncelleyecek")).toBe(true);
  expect(found("limit_guncelle", { limit: 900000 }, "geçen yıl 900000 tl ciro yapıldı")).toBe(false);
  const dates = { dates: ["2025-10-16", "2025-10-23"], notify: "sms" };
  expect(found("visits_cancel", dates, "cancel those of 16 and 23 october and send an sms")).toBe(true);
  expect(found("visits_cancel", dates, "we met on 16 october at noon")).toBe(false);
});

test("numbers in groups and other digits, a statement's literals, an address with bent words", () => {
  const row = "update subscriptions set plan='scale', seats=250 where customer_id=8841";
  expect(found("run_sql", { query: row }, "for customer 8841: plan 'scale', seats 250 until may")).toBe(true);
  expect(found("points_grant", { member: "884120", points: 30000 }, "grant 30,000 to member 884120")).toBe(
    true,
  );
  expect(found("transfer", { amount: 5000, memo: "L-307", to: "B7" }, "b7 بتحويل ٥٠٠٠ ريال l-307")).toBe(
    true,
  );
  const address = { place: "ul. Składowa 14, magazyn, brama B" };
  expect(found("order_change", address, "na punkt przy ul. składowej 14 (magazyn, brama b)")).toBe(true);
  expect(found("order_change", address, "nasz magazyn jest otwarty od 8 do 14")).toBe(false);
});

test("what person or operator said counts for nothing, nor do single digits and plain words", () => {
  const gate = { gate: "Z2", mode: "vrij", from: "22:00" };
  expect(found("set_gate", gate, "poort z2 op vrij vanaf 22:00", ["wat doet z2 om 22:00?"])).toBe(false);
  expect(found("pick", { a: 1, b: true, c: "all", d: "no" }, "all 1 no true")).toBe(false);
  const told = [at("zone 14 is open", "e1"), at("room 27 at 09:30", "e2")];
  expect(toldTogether("book", { zone: "14", room: "27", from: "09:30" }, told, knownFrom([]))).toBeNull();
});
