import { expect, test } from "bun:test";
import { Elysia, t } from "elysia";
import { failureResponse } from "./failure.ts";
import { groupAction } from "./group-query.ts";

const app = new Elysia()
  .onError(failureResponse)
  .post("/acts", () => "done", { body: groupAction })
  .post("/settings", () => "done", {
    body: t.Object({ repeats: t.Union([t.Number({ minimum: 2 }), t.Null()]), scope: t.Literal("class") }),
  });

const ids = ["fg_aaaaaaaaaaaaaaaaaaaa"];

test.each([
  ["/acts", { action: "explode", ids }, "action: Expected one of resolve, reopen, ignore, merge, unmerge"],
  ["/acts", { action: "resolve", ids: [] }, "ids: Expected array length to be greater or equal to 1"],
  ["/acts", { action: "ignore", ids: ["g-7"] }, "ids.0: Expected string to match '^fg_[a-z2-7]{20}$'"],
  ["/acts", { action: "ignore", ids, firings: 0 }, "firings: Expected integer to be greater or equal to 1"],
  ["/acts", { action: "ignore", ids, until: "soon" }, "until: Expected string to match 'date-time' format"],
  ["/acts", { action: "merge", ids }, "into: Expected required property"],
  ["/acts", 7, "request: Expected object"],
  ["/settings", { repeats: "5", scope: "class" }, "repeats: Expected number"],
  ["/settings", { repeats: null, scope: "team" }, "scope: Expected 'class'"],
])("%s %o is refused with what is wrong in it", async (path, body, detail) => {
  const request = new Request(`http://localhost:8080${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const response = await app.handle(request);
  expect([response.status, (await response.json()).detail]).toEqual([422, detail]);
});
