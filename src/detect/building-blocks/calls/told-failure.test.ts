import { describe, expect, test } from "bun:test";
import { toldFailure } from "./told-failure.ts";

describe("the failure that a result tells", () => {
  test("is an error's text, a refusal in a sentence, or fields that say so", () => {
    const failures = [
      "Error: locator.click: Timeout 30000ms exceeded",
      "Failed to click element with index 14",
      "Invalid action!",
      "Element with index 4 does not exist",
      "Could not find the button",
      "No element found for selector: #buy",
      "Cannot open cabinet 3",
      "Permission denied",
      "Unknown command 'fly'",
      '{"success": false, "message": "not logged in"}',
      '{"error": "no such app"}',
      { error: { code: 4, message: "no such app" } },
      { ok: false },
      { status: 503 },
      '{"status": 503, "reason": "Service Unavailable", "body": "upstream connect error"}',
      '{"statusCode":500,"message":"Internal server error"}',
      "An error occurred while running the tool. Please try again. Error: certificate has expired",
      "An unexpected error has occurred.",
    ];
    for (const result of failures) expect([result, toldFailure(result) !== ""]).toEqual([result, true]);
  });

  test("is not what a result says of errors, nor an answer that finds nothing", () => {
    const answers = [
      "No results found.",
      '{"status": 200, "body": "status 503 was seen at noon"}',
      "An error occurs in one of nine prints, the paper says.",
      "No flights match your search",
      "The file was saved. Errors: 0",
      "Page 1 of 3",
      "Node 20.11 is not supported by this package, see the notes",
      `Failed to load: ${"a long log ".repeat(60)}`,
      "Elements of the table: invalid, valid",
      "Canada cannot be reached by train",
      '{"error": null, "items": []}',
      '{"error": "", "ok": true}',
      { error: null, success: true, message: "done" },
      { status: "failed", payment: "p-1" },
      { items: [{ error: "x" }] },
      [],
      null,
      17,
    ];
    for (const result of answers) expect([result, toldFailure(result)]).toEqual([result, ""]);
  });
});
