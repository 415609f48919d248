import { parsedJson } from "../json-text.ts";

/**
 * Figures of a result that tell how far the work is: how many of how many, how many are left or failed, and
 * that a list goes on. By the names of their fields, for a figure alone says nothing. Looks at a small object
 * and one level below it, or at a short text ("97 of 100").
 */
export interface Counts {
  /** How many there are, and how many of them are done; null where the two are not told. */
  readonly total: number | null;
  readonly done: number | null;
  /** How many are left, or failed. */
  readonly left: number;
  readonly more: boolean;
  /** The only count of the result, where there is one. */
  readonly only: number | null;
}

const TOTAL =
  /^(?:total(?:_?(?:count|items|rows|records|files|tasks))?|expected(?:_?(?:count|items|rows|records))?|target|required|requested|planned|goal|期待|期待数|总数|总计|合計|総数|目標|전체|목표|gesamt|soll|erwartet|esperad[oa]s?|attendus?|attes[io]|totale|verwacht|oczekiwan[eo]|всего|ожидается|toplam|beklenen)$/i;
const DONE =
  /^(?:done|completed?|processed|finished|success(?:ful|es)?|succeeded|ok|passed|imported|exported|migrated|moved|copied|labell?ed|tagged|sent|uploaded|indexed|inserted|created|updated|written|saved|answered|converted|translated|filed|booked|actual|count|current|件数|完了|完了数|完成|已完成|실제|완료|erledigt|fertig|ist|hech[oa]s|completad[oa]s|enviad[oa]s|faits?|traités?|fatti|gedaan|gotowe|готово|выполнено|tamamlanan)(?:_?(?:count|rows|items|records|files|so_far))?$/i;
const LEFT =
  /^(?:remaining|pending|unprocessed|outstanding|todo|total_?open|still_?open|open_?(?:items|count|tickets|tasks|issues)|not_?(?:sent|done|processed|imported|migrated|copied)|failed|failures?|errors?|rejected|unsent|unanswered|missing|残り|残件|未処理|失敗|剩余|失败|未完成|남은|실패|offen|restant[es]{0,2}|pendientes|fallid[oa]s|échoués?|rimanenti|осталось|ошибок)(?:_?(?:count|items|rows|records|files|total))?$/i;
const MORE = /^(?:has_?more|has_?next(?:_?page)?|more_?available)$/i;
const NEXT = /^(?:next_?(?:page_?)?(?:token|cursor|page|link|url)|nextPageToken|continuation_?token)$/i;
const ONLY =
  /^(?:rows|count|total|n|num|records|items|size|row_?count|total_?(?:count|rows)|件数|数量|개수|anzahl|filas|lignes|righe|строк)$/i;

/**
 * A word with `un` before it names what has not been done to so many; some of these say of what was not meant
 * to be.
 */
const UNDONE =
  /^un(?!changed|used|modified|limited|affected|touched|defined|subscribed|related|expected|authori[sz]ed)[a-z]{3,16}ed$/i;
/** Beside one of the names above: a checkpoint's "step 3 of 7". */
const OF = /^of$/i;

const FIELDS_MAX = 40;
const TEXT_MAX = 400;
const TABLE_MAX = 2_000;
const LINES_MAX = 60;
const JSON_MAX = 4_000;
const OF_IN_TEXT =
  /(?<![\d./-])(\d{1,9}) ?(?:\/|of|out of|von|de|sur|di|van|из|z) ?(?:the |los |les )?(\d{1,9})(?![\d./-])/i;

interface Found {
  total: number | null;
  done: number | null;
  left: number;
  more: boolean;
  only: number | null;
  numbers: number;
}

/** Of a file that was read only fields count: its words are not what the tool says of its work. */
export function countsIn(result: unknown, isFile: boolean): Counts | null {
  const found: Found = { total: null, done: null, left: 0, more: false, only: null, numbers: 0 };
  const fields = typeof result === "string" ? parsed(result) : result;
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) take(found, fields, 0);
  else if (typeof result === "string" && result.length <= TABLE_MAX && !isFile) takeText(found, result);
  const isPair = found.total !== null && found.done !== null && found.done < found.total;
  const only = found.numbers === 1 ? found.only : null;
  if (!isPair && found.left === 0 && !found.more && only === null) return null;
  const { total, done } = isPair ? found : { total: null, done: null };
  return { total, done, left: found.left, more: found.more, only };
}

function parsed(text: string): unknown {
  if (text.length > JSON_MAX || text.charCodeAt(0) !== 0x7b) return null;
  return parsedJson(text);
}

function take(found: Found, fields: object, depth: number): void {
  let n = 0;
  for (const key in fields) {
    if (n++ >= FIELDS_MAX) return;
    const value = (fields as Record<string, unknown>)[key];
    if (typeof value === "number") takeNumber(found, key, value);
    else if (value === true) {
      if (MORE.test(key)) found.more = true;
    } else if (typeof value === "string") {
      if (value !== "" && NEXT.test(key)) found.more = true;
    } else if (Array.isArray(value)) {
      if (value.length > 0 && LEFT.test(key)) found.left = Math.max(found.left, value.length);
    } else if (typeof value === "object" && value !== null && depth === 0) take(found, value, 1);
  }
}

function takeNumber(found: Found, key: string, value: number): void {
  found.numbers++;
  if (TOTAL.test(key) || OF.test(key)) found.total = value;
  else if (DONE.test(key)) found.done = value;
  else if (value > 0 && Number.isInteger(value) && isLeft(key)) found.left = Math.max(found.left, value);
  if (ONLY.test(key)) found.only = value;
}

const isLeft = (name: string): boolean => LEFT.test(name) || UNDONE.test(name);

const HAS_DIGIT = /\d/;
const SLASHED = /\d ?\/ ?\d[^\n]{0,400}\n/;
const IN_LINE = /(?<![\d./:-])(\d{1,9}) ?\/ ?(\d{1,9})(?![\d./:-])/;
/** A job that has run stands at "0/1" for ever. */
const OVER = /\b(?:completed|succeeded|skipped|terminated)\b/i;
const KEYED = /(?<![\p{L}\d_])([\p{L}_]{2,24}) {0,2}[:=] {0,2}(\d{1,9})(?![\d.,:/%-])/gu;
const COUNTED = /(?<![\d.,:/-])(\d{1,9}) ([\p{L}_]{4,20})(?![\p{L}_])/gu;
const MARKED = /^\s{0,12}[-*] \[([ xX])\] /;
/** Marks out of ten are no progress. */
const MARKS_OUT_OF: ReadonlySet<number> = new Set([5, 10, 100]);

/** A table of "n/m", a list with boxes to tick, "97 of 100", "failed: 3" or "3 failed". */
function takeText(found: Found, text: string): void {
  // Most texts hold neither, and are spared the look at each of their lines.
  if (SLASHED.test(text) && takeTable(found, text.split("\n", LINES_MAX))) return;
  if (text.includes("[ ] ") && takeBoxes(found, text.split("\n", LINES_MAX))) return;
  if (text.length > TEXT_MAX || !HAS_DIGIT.test(text)) return;
  const [, done, total] = OF_IN_TEXT.exec(text) ?? [];
  if (done !== undefined && total !== undefined) {
    found.done = Number(done);
    found.total = Number(total);
    return;
  }
  for (const [, key, value] of text.matchAll(KEYED)) takeNumber(found, key!, Number(value));
  for (const [, value, word] of text.matchAll(COUNTED))
    if (Number(value) > 0 && LEFT.test(word!)) found.left = Math.max(found.left, Number(value));
}

/** True if it is a table of such pairs, whatever they count. */
function takeTable(found: Found, lines: readonly string[]): boolean {
  const pairs = lines.flatMap((line) => {
    const [, done, total] = IN_LINE.exec(line) ?? [];
    return done === undefined || OVER.test(line) ? [] : [[Number(done), Number(total)] as const];
  });
  if (pairs.length < 2 || pairs.length * 2 < lines.length || pairs.some(([done, total]) => done > total))
    return false;
  if (pairs.every(([done, total]) => done > 0 && MARKS_OUT_OF.has(total))) return true;
  found.done = pairs.reduce((sum, [done]) => sum + done, 0);
  found.total = pairs.reduce((sum, [, total]) => sum + total, 0);
  return true;
}

/** Where none is ticked, nobody ticks them. */
function takeBoxes(found: Found, lines: readonly string[]): boolean {
  const boxes = lines.flatMap((line) => MARKED.exec(line)?.[1] ?? []);
  const done = boxes.filter((box) => box !== " ").length;
  if (done === 0 || done === boxes.length) return false;
  found.done = done;
  found.total = boxes.length;
  return true;
}
