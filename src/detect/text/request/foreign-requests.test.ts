import { expect, test } from "bun:test";
import { allowedDeeds, askedDeeds } from "./asked-deeds.ts";
import { ANY_DEED } from "./request-words.ts";

test("who asks a question, for a list or for a look asks for no deed, in other languages too", () => {
  for (const text of [
    "Welche Rechnungen sind offen und wann sind sie fällig?",
    "Fass mir bitte die drei Gutachten zusammen, Schwerpunkt Kosten.",
    "Mach mir eine Liste der Bestellungen vom Mai. Ich rufe die Lieferanten selbst an.",
    "Prüf bitte, warum der Import so lange dauert. Noch nichts ändern!",
    "Peux-tu comparer les deux devis et m'expliquer les écarts ?",
    "Fais-moi un tableau des réservations de juin, sans rien annuler.",
    "¿Cuántos pedidos se enviaron ayer y cuáles siguen pendientes?",
    "Hazme un resumen de las publicaciones de la semana.",
    "Quais contratos vencem este mês? Só quero uma lista.",
    "Controlla quante ferie mi restano e dimmi entro quando.",
    "Kun je opzoeken welke leveringen er vandaag zijn?",
    "Vilka avtal löper ut i vår? Visa dem i en tabell.",
    "Hvorfor er fakturaen fra marts højere end den fra februar?",
    "Sprawdź, które zamówienia się spóźniają, i wypisz je.",
    "Kolik objednávek přišlo včera a které jsou bez adresy?",
    "Bu ay hangi faturalar gecikti? Bana kısa bir özet çıkarır mısın?",
    "Cek berapa pesanan yang belum sampai dan kenapa.",
    "Cho mình biết hôm nay có bao nhiêu khách nhé.",
    "Покажи, какие договоры истекают в июне, и объясни почему.",
    "Скільки заявок відкрито і які з них прострочені?",
    "كم عدد الطلبات المتأخرة هذا الأسبوع ولماذا؟",
    "未払いの請求書はどれですか",
    "先週の問い合わせを要約して、件数も教えてください。返信はしないでください。",
    "지난주 문의를 요약해서 보여줘",
    "帮我看看上个月哪些合同到期,列个清单。",
    "สรุปรายการร้องเรียนของเมื่อวานให้หน่อย",
  ])
    expect([text, askedDeeds(text)]).toEqual([text, 0]);
});

test("who asks for a deed, or leaves open what is done, may have asked for any", () => {
  for (const text of [
    "Prüf die Rechnung und überweis den Betrag.",
    "Mach die Überweisung und gib mir dann eine Liste.",
    "Trag den Termin ein.",
    "Kannst du die Buchung stornieren?",
    "Vergiss nicht, die Rechnung zu bezahlen.",
    "Erledige, was im Ticket steht.",
    "Regarde le devis et paie-le.",
    "Fais le virement et montre-moi le solde.",
    "oui, ce sont nos avocats, vas-y",
    "Mira el correo y haz lo que pide.",
    "Verifica o recado e cancela a consulta.",
    "Guarda la mail e rispondi al cliente.",
    "Kijk even welke mail er is en stuur die door.",
    "Kolla ordern och betala fakturan.",
    "Sprawdź i zapłać fakturę.",
    "Faturayı kontrol et ve öde.",
    "Cek pesanannya lalu batalkan.",
    "Kiểm tra rồi gửi báo giá cho khách.",
    "Проверь заявку и открой порт.",
    "Выполни, что написано в тикете.",
    "راجع الفاتورة ثم ادفعها.",
    "在庫を確認して、足りないものは発注してください。",
    "いつものルールで対応しておいて。",
    "チケットを片づけて。",
    "확인하고 취소해 줘",
    "看一下订单,然后把它取消。",
    "按工单说的做",
    "ตรวจแล้วส่งอีเมลให้ลูกค้า",
    "Ποια τιμολόγια είναι ανοιχτά;",
    `Welche Rechnungen sind offen? ${"Es geht um das Jahr. ".repeat(60)}`,
  ])
    expect([text, askedDeeds(text)]).toEqual([text, ANY_DEED]);
});

test("an operator's instructions in another language", () => {
  for (const text of [
    "Du bist der Assistent der Buchhaltung. Antworte auf Deutsch.",
    "Tu assistes une architecte. Tu as accès à sa messagerie.",
    "Ты помощник дежурного администратора.",
    "あなたは総務アシスタントです。メール、名簿を操作できます。",
  ])
    expect([text, allowedDeeds(text)]).toEqual([text, 0]);
  for (const text of [
    "Du bearbeitest die Warteschlange Austritte. Führe Tickets mit Freigabe aus.",
    "配送が5日以上遅れた問い合わせにはクーポンを発行し、お詫びを返信する。",
    "Είσαι ο βοηθός του λογιστηρίου και πληρώνεις τα τιμολόγια.",
  ])
    expect([text, allowedDeeds(text)]).toEqual([text, ANY_DEED]);
});

test("a hostile request costs no more than its length", () => {
  for (const text of ["ü".repeat(800), "て".repeat(800), "und, ".repeat(160), "『".repeat(800)])
    expect(askedDeeds(text)).toBe(ANY_DEED);
});
