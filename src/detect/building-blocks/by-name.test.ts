import { expect, test } from "bun:test";
import { byName } from "./by-name.ts";

function counted() {
  const asked: string[] = [];
  const lengthOf = byName((name) => {
    asked.push(name);
    return name.length;
  });
  return { asked, lengthOf };
}

test("a name is asked about once", () => {
  const { asked, lengthOf } = counted();
  expect([lengthOf("read_file"), lengthOf("read_file"), lengthOf("")]).toEqual([9, 9, 0]);
  expect(asked).toEqual(["read_file", ""]);
});

test("an answer of false is remembered too", () => {
  let times = 0;
  const never = byName(() => times++ < 0);
  expect([never("a"), never("a"), times]).toEqual([false, false, 1]);
});

test("long names and half characters are answered, not kept", () => {
  const { asked, lengthOf } = counted();
  for (const name of ["x".repeat(201), "\ud800a"]) {
    expect([lengthOf(name), lengthOf(name)]).toEqual([name.length, name.length]);
  }
  expect(asked).toHaveLength(4);
});

test("a full memory starts anew", () => {
  const { asked, lengthOf } = counted();
  for (let n = 0; n < 2_000; n++) lengthOf(`tool_${n}`);
  lengthOf("tool_0");
  expect(asked).toHaveLength(2_000);
  lengthOf("one_more");
  lengthOf("tool_0");
  expect(asked).toHaveLength(2_002);
});
