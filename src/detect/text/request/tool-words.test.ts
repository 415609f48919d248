import { expect, test } from "bun:test";
import { deedWordsOf, readsByName } from "./tool-words.ts";

test("a tool's name says in any language that it does something", () => {
  for (const name of [
    "überweisung_anlegen",
    "ueberweisungAnlegen",
    "konto_sperren",
    "envoyer_courriel",
    "salles_annuler",
    "cita_cancelar",
    "portal_publicar",
    "buoni_crea",
    "randevu_iptal_et",
    "crm_limit_guncelle",
    "zamowienie_zmien",
    "予約キャンセル",
    "ポイント付与",
    "订单.取消",
    "예약_취소",
    "refund.release",
  ])
    expect([name, deedWordsOf(name).length > 0, readsByName(name)]).toEqual([name, true, false]);
});

test("and that it only reads; a thing alone says neither", () => {
  for (const name of [
    "belege_suchen",
    "lire_courriel",
    "buscar_pedidos",
    "mail_list",
    "チケット一覧",
    "注文検索",
    "주문_조회",
    "查询库存",
    "getTransactions",
    "wms.item.view",
    "trace_transfer_status",
    "assessMoveDetails",
  ])
    expect([name, deedWordsOf(name), readsByName(name)]).toEqual([name, [], true]);
  // Neither does what is looked at first: a review may be sent or read.
  for (const name of ["review_record_changes", "ticket", "recados", "portal.inbox", "kontor", ""])
    expect([name, deedWordsOf(name), readsByName(name)]).toEqual([name, [], false]);
});
