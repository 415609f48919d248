/**
 * `bun bench/eval/open-misses.ts [CLASS]`: the open cases that the rules judge otherwise than their writer,
 * with his reason and what fires. The sealed ones have no such list: whoever reads them spoils them.
 */
import { CASE_SETS, falseIn, firingsOf, unseenCases } from "./unseen-cases.ts";

const [wanted] = process.argv.slice(2);
for (const one of CASE_SETS.flatMap((set) => unseenCases("open", set))) {
  if (wanted !== undefined && one.class !== wanted) continue;
  const fired = firingsOf(one);
  const isRight = one.label === 1 ? fired.has(one.class) : falseIn(one, fired).length === 0;
  if (isRight) continue;
  const rules = [...fired.values()].flatMap((found) =>
    found.map(({ ruleIds, excerpt }) => `${ruleIds.join(" ")}: ${excerpt}`),
  );
  process.stdout.write(`${one.id} ${one.class} ${one.label === 1 ? "missed" : "fires"}: ${one.note}\n`);
  for (const rule of rules) process.stdout.write(`    ${rule}\n`);
}
