import { describe, expect, test } from "bun:test";
import { timesAtEnd } from "./repeating-tail.ts";

const passage = "I have checked the file again. I will now mark the task as complete.\n  ";

describe("a passage again and again at the end of a text", () => {
  test("is counted, whatever stood before and wherever the text was cut", () => {
    expect(timesAtEnd(passage.repeat(15))).toBe(15);
    expect(timesAtEnd(`Here is what I did.\n\n${passage.repeat(12)}`)).toBe(12);
    expect(timesAtEnd(passage.repeat(12).slice(0, -30))).toBeGreaterThanOrEqual(10);
    expect(timesAtEnd("Done now, really. ".repeat(30))).toBeGreaterThanOrEqual(10);
    expect(timesAtEnd("我 将 再次 检查 这个 文件 然后 结束 任务 。".repeat(20))).toBeGreaterThanOrEqual(10);
  });

  test("less often, elsewhere, in other words, without words and in code is none", () => {
    const lines = Array.from(
      { length: 40 },
      (_, at) => `- The order with the number ${at} has been sent to the customer.`,
    );
    for (const text of [
      passage.repeat(8),
      `${passage.repeat(15)}And that is all that there was to be done about it, so the task is complete now.`,
      lines.join("\n"),
      "| --- | --- | --- |\n".repeat(40),
      "=".repeat(2_000),
      "0, 0, 0, ".repeat(200),
      `\`\`\`sql\n${"INSERT INTO orders VALUES (NULL, NULL);\n".repeat(30)}`,
      "",
    ])
      expect([text.slice(0, 40), timesAtEnd(text)]).toEqual([text.slice(0, 40), 0]);
  });
});
