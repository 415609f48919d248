/**
 * Figures of a result that tell how far the work is: how many of how many, how many are left or failed, and that a list goes on. By the names of
 * their fields, for a figure alone says nothing. Looks at a small object and one level below it, or at a short text ("97 of 100").
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

const FIELDS_MAX = 40;
const TEXT_MAX = 400;
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

export function countsIn(result: unknown): Counts | null {
  const found: Found = { total: null, done: null, left: 0, more: false, only: null, numbers: 0 };
  const fields = typeof result === "string" ? parsed(result) : result;
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) take(found, fields, 0);
  else if (typeof result === "string" && result.length <= TEXT_MAX) takeText(found, result);
  const isPair = found.total !== null && found.done !== null && found.done < found.total;
  const only = found.numbers === 1 ? found.only : null;
  if (!isPair && found.left === 0 && !found.more && only === null) return null;
  const { total, done } = isPair ? found : { total: null, done: null };
  return { total, done, left: found.left, more: found.more, only };
}

function parsed(text: string): unknown {
  if (text.length > JSON_MAX || text.charCodeAt(0) !== 0x7b) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function take(found: Found, fields: object, depth: number): void {
  let n = 0;
  for (const key in fields) {
    if (n++ >= FIELDS_MAX) return;
    const value = (fields as Record<string, unknown>)[key];
    if (typeof value === "number") {
      found.numbers++;
      if (TOTAL.test(key)) found.total = value;
      else if (DONE.test(key)) found.done = value;
      else if (LEFT.test(key) && Number.isInteger(value) && value > 0)
        found.left = Math.max(found.left, value);
      if (ONLY.test(key)) found.only = value;
    } else if (value === true) {
      if (MORE.test(key)) found.more = true;
    } else if (typeof value === "string") {
      if (value !== "" && NEXT.test(key)) found.more = true;
    } else if (Array.isArray(value)) {
      if (value.length > 0 && LEFT.test(key)) found.left = Math.max(found.left, value.length);
    } else if (typeof value === "object" && value !== null && depth === 0) take(found, value, 1);
  }
}

function takeText(found: Found, text: string): void {
  const [, done, total] = OF_IN_TEXT.exec(text) ?? [];
  if (done === undefined || total === undefined) return;
  found.done = Number(done);
  found.total = Number(total);
}
