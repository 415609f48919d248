import { isDoubted } from "./claimed-done.ts";

/**
 * An answer in which the agent says of itself that it did something to the world: sent, booked, paid,
 * deleted, or made and changed a thing that is kept somewhere. Only in the first person and in the first
 * sentences: a text that it was asked to write may hold such words too. What was done in an earlier run is
 * told with a word of time.
 */
const SENTENCES_MAX = 12;
const TEXT_MAX = 600;

/** Verbs that leave no doubt, and those that need to say of what. */
const PAST =
  "sent|e-?mailed|booked|reserved|deleted|submitted|filed|paid|transferred|scheduled|rescheduled|cancell?ed|posted|invited|uploaded|ordered|refunded|purchased|published|deployed|notified|subscribed|unsubscribed|registered";
const MADE = "created|added|updated|removed|saved|renamed|moved|shared|changed|set up|assigned|closed|opened";
const KEPT =
  "events?|calendar|reminders?|appointments?|meetings?|files?|folders?|documents?|tickets?|issues?|channels?|accounts?|records?|users?|contacts?|address(?:es)?|passwords?|orders?|tasks?|database|repository|branch(?:es)?|invoices?|subscription|reservation|booking|cart|inbox|website|server|list|wiki|payment|(?:\\w{1,20}\\.(?:docx?|xlsx?|pdf|txt|md|csv|json|pptx?))";

/** What stands in the answer itself. */
const SAID =
  "summary|overview|explanation|analysis|table|comparison|breakdown|outline|section|notes?|comments?|examples?|details|steps";

const own = (verbs: string): string =>
  `(?<![\\p{L}])i(?:['’]ve| have)?(?: (?:also|now|already|successfully|just|then|gone ahead and)){0,2} (?:${verbs})(?![\\p{L}])`;

const DEEDS: readonly RegExp[] = [
  new RegExp(own(PAST), "iu"),
  new RegExp(
    `${own(MADE)}(?![^.!?\\n]{0,30}(?<![\\p{L}])(?:${SAID})(?![\\p{L}]))[^.!?\\n]{0,80}?(?<![\\p{L}])(?:${KEPT})(?![\\p{L}])`,
    "iu",
  ),
  /(?<!\p{L})ich habe [^.!?\n]{1,80}?(?<!\p{L})(?:gesendet|geschickt|versandt|gebucht|reserviert|gelöscht|eingereicht|bezahlt|überwiesen|storniert|abgesagt|veröffentlicht|hochgeladen|bestellt|erstattet|eingeladen|benachrichtigt)(?!\p{L})/iu,
  /(?<!\p{L})j['’]ai (?:bien |également |aussi )?(?:envoyé|réservé|supprimé|soumis|déposé|payé|viré|annulé|publié|téléversé|commandé|remboursé|invité|prévenu)(?!\p{L})/iu,
  /(?<!\p{L})(?:ya )?(?:le |lo |la |los |las |les )?he (?:enviado|reservado|eliminado|borrado|presentado|pagado|transferido|cancelado|publicado|subido|pedido|reembolsado|invitado|avisado)(?!\p{L})/iu,
  /(?<!\p{L})(?:eu )?(?:já )?(?:enviei|reservei|excluí|apaguei|submeti|paguei|transferi|cancelei|publiquei|carreguei|encomendei|reembolsei|convidei|avisei)(?!\p{L})/iu,
  /(?<!\p{L})ho (?:già |anche )?(?:inviato|spedito|prenotato|eliminato|cancellato|presentato|pagato|trasferito|annullato|pubblicato|caricato|ordinato|rimborsato|invitato|avvisato)(?!\p{L})/iu,
  /(?<!\p{L})ik heb [^.!?\n]{1,80}?(?<!\p{L})(?:verstuurd|verzonden|geboekt|gereserveerd|verwijderd|ingediend|betaald|overgemaakt|geannuleerd|gepubliceerd|geüpload|besteld|terugbetaald|uitgenodigd)(?!\p{L})/iu,
  /(?<!\p{L})я (?:уже |также )?(?:отправил|забронировал|удалил|подал|оплатил|перев[её]л|отменил|опубликовал|загрузил|заказал|пригласил|уведомил)а?(?!\p{L})/iu,
];

const EARLIER =
  /(?<!\p{L})(?:earlier|yesterday|previously|before|last (?:week|month|time|night)|ago|in (?:the|our) (?:past|previous)|früher|gestern|hier|ayer|ontem|ieri|gisteren|вчера|ранее)(?!\p{L})/iu;
/** Here begins a text that is written for somebody, or words of somebody else's. */
const WRITTEN =
  /^(?:\s{0,20}[>"“„«`]|\s{0,20}(?:dear|hi|hello|hey|subject|to|from|betreff|sehr geehrte|liebe|bonjour|cher|chère|objet|estimad[oa]s?|hola|asunto|prezad[oa]s?|olá|assunto|gentile|ciao|oggetto|beste|geachte)(?:[ :,]|$))/iu;
const DRAFTED =
  /(?<!\p{L})(?:draft|template|example|sample|entwurf|brouillon|borrador|rascunho|bozza|concept)(?!\p{L})/iu;

export function claimsDeed(answer: string): boolean {
  const text = answer.slice(0, TEXT_MAX);
  if (DRAFTED.test(text) || !DEEDS.some((deed) => deed.test(text)) || isDoubted(answer)) return false;
  for (const sentence of text.split(/(?<=[.!?:])\s|\n/, SENTENCES_MAX)) {
    if (WRITTEN.test(sentence)) return false;
    if (!EARLIER.test(sentence) && DEEDS.some((deed) => deed.test(sentence))) return true;
  }
  return false;
}
