import { expect, test } from "bun:test";
import { ALL_PROJECTS, isInShare, SLOTS, shareOf, slotsOf } from "./project-share.ts";

const PROJECTS = Array.from({ length: 100 }, (_, index) => index + 1);
const sharesOf = (of: number) => Array.from({ length: of }, (_, index) => ({ index, of }));

test("whoever is alone has every slot and every project", () => {
  expect(slotsOf(ALL_PROJECTS)).toHaveLength(SLOTS);
  expect(PROJECTS.every((projectNo) => isInShare(ALL_PROJECTS, projectNo))).toBe(true);
});

test.each([2, 3, 5, 16])("of %d shares every project is in one, that of its slot", (of) => {
  for (const projectNo of PROJECTS) {
    const own = sharesOf(of).filter((share) => isInShare(share, projectNo));
    expect(own).toEqual([{ index: shareOf(projectNo, of), of }]);
    expect(slotsOf(own[0]!)).toContain(projectNo % SLOTS);
  }
  expect(
    sharesOf(of)
      .flatMap(slotsOf)
      .toSorted((a, b) => a - b),
  ).toEqual(slotsOf(ALL_PROJECTS) as number[]);
});

test("no share of many is empty, and neighbours in number are looked after by different threads", () => {
  for (let of = 2; of <= SLOTS; of++) {
    expect(sharesOf(of).every((share) => slotsOf(share).length > 0)).toBe(true);
    expect(shareOf(1, of)).not.toBe(shareOf(2, of));
  }
});
