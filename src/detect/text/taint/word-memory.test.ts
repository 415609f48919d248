import { expect, test } from "bun:test";
import { createTrustedTexts, isTrusted, trustText } from "./trusted-texts.ts";
import { addWords, createWordMemory, hasWords } from "./word-memory.ts";

test("knows every word it was told, at any size, and few that it was not", () => {
  for (const count of [10, 300, 3_000]) {
    const memory = createWordMemory();
    for (let i = 0; i < count; i++) addWords(memory, `word${i * 7919} `);
    for (let i = 0; i < count; i++) expect(hasWords(memory, `Word${i * 7919}`)).toBe(true);
    let wrong = 0;
    for (let i = 0; i < 2_000; i++) if (hasWords(memory, `other${i}`)) wrong++;
    expect(wrong).toBeLessThan(100);
    expect((memory.table?.byteLength ?? 0) + (memory.bloom?.byteLength ?? 0)).toBeLessThanOrEqual(8_192);
  }
});

test("a value is known only if all its words are", () => {
  const memory = createWordMemory();
  addWords(memory, "send it to alice@example.org");
  expect(hasWords(memory, "alice@example.org")).toBe(true);
  expect(hasWords(memory, "mallory@example.org")).toBe(false);
});

test("a kept text counts only for what comes after it", () => {
  const trusted = createTrustedTexts();
  trustText(trusted, "pay to ACCOUNT-778899", 5);
  expect(isTrusted(trusted, "account-778899", 6)).toBe(true);
  expect(isTrusted(trusted, "account-778899", 4)).toBe(false);
});
