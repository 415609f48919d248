import { expect, test } from "bun:test";
import { onlyValid } from "./only-valid.ts";

test("what a route did not find valid is overwritten, so that nothing of it comes through", () => {
  const validate = onlyValid(({ tab }: Record<string, unknown>) => (tab === "graph" ? { tab } : {}));
  const raw = { tab: "<script>", next: "https://evil.example" };
  expect({ ...raw, ...validate(raw) }).toEqual({ tab: undefined, next: undefined } as never);
  expect(validate({ tab: "graph" })).toEqual({ tab: "graph" });
});
