/**
 * What a last answer claims: that the work is done, that all of it is, that the tests pass. Read only where
 * the run's own calls say otherwise, and only of an answer without a word of doubt: one that names what went
 * wrong, what is left or what was left out claims less than it seems. Completion is told in few words in each
 * language; these are the plain ones of eighteen.
 */
export interface Claim {
  readonly isAll: boolean;
  readonly isSent: boolean;
  readonly isTested: boolean;
  readonly isBuilt: boolean;
  /** Says that what was to be done is over, and of nothing that it still goes on. */
  readonly isOver: boolean;
  /** Figures that stand in it, without the marks between thousands. */
  readonly figures: ReadonlySet<number>;
}

/** Words of a language that puts spaces between them, and of those that do not. */
const spaced = (words: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}])`, "iu");
const joined = (words: string): RegExp => new RegExp(words, "u");

const DENIED =
  /(?<!\p{L})(?:without|no|zero|0|ohne|keine?|sin|sans|sem|senza|zonder|bez|без) (?:any |further |more |weiteren? |ning[uú]n |aucune? )?(?:errors?|issues?|problems?|failures?|conflicts?|warnings?|exceptions?|fehler|probleme?|errore?s?|erreurs?|problèmes?|fallos?|erros?|errori|fouten|błęd[óo]w|ошибок)(?!\p{L})/giu;

/** That nothing is left: more of a claim than "all", in words that would be a doubt without the negation. */
const NOTHING_LEFT =
  /(?<!\p{L})(?:(?:no|nothing|none|zero|0) (?:(?!of\b|was\b|were\b)\p{L}{2,14} ){0,3}(?:left|remain(?:s|ing)?|pending|outstanding|missing|to do|to be done)|(?:no|nothing) (?:further|more|else|other|additional) (?:\p{L}{2,14} ){0,3}(?:required|needed|necessary)|keine weiteren (?:schritte|maßnahmen|aktionen)(?: (?:sind|mehr))? (?:nötig|erforderlich|notwendig)|nichts (?:mehr )?(?:offen|übrig)|(?:aucune? (?:autre )?\p{L}{3,14}|plus rien) (?:n['’]est )?(?:supplémentaire )?(?:requise?|nécessaire|à faire)|(?:no queda|sin) nada (?:más )?(?:pendiente|por hacer)|nada (?:más )?(?:pendiente|pendente)|niente (?:altro )?(?:in sospeso|da fare)|niets (?:meer )?(?:over|open|te doen))(?!\p{L})|残り(?:は|も)?(?:ありません|ない|なし)|(?:没有|无)(?:剩余|遗漏|其他待办)/giu;

const DOUBT = [
  spaced(
    "not|\\w{2,8}n['’]t|no|none of|nothing was|cannot|unable|fail(?:ed|s|ing|ures?)?|errors?|exceptions?|excep(?:t|ting)|however|but|although|though|unfortunately|partial(?:ly)?|remain(?:s|ing|ed)?|skip(?:s|ped|ping)?|refus\\w{2,4}|reject\\w{2,4}|denied|denies|missing|todos?|stubs?|stubbed|placeholders?|pending|issues?|problems?|warnings?|unsuccess\\w{3,6}|still|yet|only|some|most|so far|blocked|retr(?:y|ied|ies)|later|manual(?:ly)?|incomplete|unresolved|conflicts?|invalid|instead|permission|timed? ?out|would|should|could|might|apolog\\w{2,5}|sorry|attempt\\w{0,3}|tried|roll(?:ed)?[ -]?back|revert\\w{0,3}|left|deferred|expected|unless|until|reduced|pilot|first \\w{1,12} of",
  ),
  spaced(
    "nicht|kein\\w{0,2}|leider|fehl\\w{1,12}|aber|jedoch|nur|noch|teil\\w{1,8}|übersprungen|abgelehnt|allerdings|außer|offen\\w{0,2}|ausstehend|konnten?|(?:ne|pas|échec|échoué\\w{0,2}|erreur|mais|cependant|impossible|seulement|refusé\\w{0,2}|sauf|manqu\\w{1,4}|reste\\w{0,2}|partiel\\w{0,6}|malheureusement|problème)|(?:fall\\w{1,5}|error|pero|sin|solo|sólo|rechaz\\w{1,5}|falt\\w{1,5}|excepto|parcial\\w{0,5}|pendiente\\w{0,1}|lamentablemente|problema|aún|todavía)|(?:não|falh\\w{1,5}|erro|mas|porém|apenas|rejeit\\w{1,5}|recus\\w{1,5}|exceto|infelizmente|ainda)|(?:non|errore|fallit\\w|ma|però|tuttavia|rifiutat\\w|tranne|purtroppo|manca\\w{0,3}|parzial\\w{1,5}|ancora)|(?:niet|geen|mislukt|fout|maar|echter|alleen|helaas|behalve|geweigerd|nog)",
  ),
  spaced(
    "nie|błąd|błęd\\p{L}{1,3}|ale|jednak|tylko|niestety|odrzuc\\p{L}{1,4}|oprócz|brak\\p{L}{0,5}|не|нет|ошибк\\p{L}{1,3}|но|однако|только|отклон\\p{L}{1,5}|кроме|осталось|частично|сбой|помилк\\p{L}{1,3}|але|лише|değil|hata|ama|ancak|fakat|yalnızca|başarısız|red\\p{L}{0,8}|kaldı|\\p{L}{2,12}(?:emedi|amadı)|maalesef|tidak|belum|gagal|tetapi|namun|hanya|kecuali|ditolak|sayangnya|không|chưa|lỗi|thất bại|nhưng|chỉ|trừ|từ chối|नहीं|त्रुटि|लेकिन|केवल|विफल|لم|لا|لن|فشل|خطأ|لكن|فقط|باستثناء|تعذر",
  ),
  // Who asks for something before it can go on has not finished.
  spaced(
    "please (?:provide|confirm|specify|clarify|tell|share|choose|check|try)|(?:i|we) (?:will |'ll )?need|needs? (?:to know|more|your)|can you (?:please |kindly )?(?:tell|provide|confirm|share|clarify|specify)|let me know (?:which|what|how|when|who)|which (?:one|of)|waiting for|bitte (?:geben|teilen|nennen|bestätigen|wählen)|veuillez|merci de (?:préciser|fournir|confirmer)|por favor,? (?:indique|indica|proporcione|confirme|confirma|informe)|per favore (?:indica|conferma|fornisci)|укажите|уточните|подтвердите|lütfen \\p{L}{3,14}(?:in|ın|un|ün)|mohon|vui lòng",
  ),
  joined("请(?:提供|确认|告诉|选择|说明)|教えて|ご確認ください|お知らせください|알려 ?주|확인해 ?주"),
  joined(
    "ない|ません|失敗|エラー|ただし|しかし|できず|未(?!来)|残り|のみ|だけ|拒否|不可|没|失败|错误|但|仅|只有|除了|剩|拒绝|无法|不能|超时|重试|タイムアウト|部分|타임아웃|시간 ?초과|다시 ?시도|않|못|실패|오류|하지만|그러나|제외|남아|남은|거부|없",
  ),
];

const DONE = [
  spaced(
    "done|complet(?:e|ed|ion)|finished|success(?:ful|fully)?|succeeded|accomplished|all set|(?:has|have) (?:all |now |each )?been (?:\\w{2,14}ly )?\\w{2,16}|(?:i|we)(?:['’]ve| have) (?:\\w{2,14}ly )?\\w{2,14}(?:ed|nt|en|lt|ade)|saved|sent|filed|submitted|uploaded|deployed|published|released|imported|exported|migrated|moved|copied|labell?ed|created|updated|deleted|removed|booked|scheduled|ordered|paid|refunded|transferred|processed|converted|translated|fixed|resolved|merged|pushed|installed|added|written|generated|answered|archived|cleaned|renamed|verified|restored|fully implemented|passed|pass|is (?:now )?(?:live|ready|empty|up|open)",
  ),
  spaced(
    "fertig|erledigt|abgeschlossen|erfolgreich|gespeichert|gesendet|(?:wurden?|sind|ist) [^.!?\\n]{0,60}?ge\\p{L}{2,14}(?:t|en)|terminée?s?|effectuée?s?|réussie?s?|(?:a|ont) été \\p{L}{3,16}|c['’]est fait|listo|hecho|completad[oa]s?|terminad[oa]s?|(?:ha|han) sido \\p{L}{3,16}|con éxito|correctamente|enviad[oa]s?|pronto|concluíd[oa]s?|feito|(?:foi|foram) \\p{L}{3,16}|com sucesso|fatto|completat[oaie]|terminat[oaie]|(?:è|sono) stat[oaie]|con successo|inviat[oaie]|klaar|voltooid|afgerond|gelukt|succesvol|verstuurd|opgeslagen",
  ),
  spaced(
    "gotowe|zakończon\\p{L}{1,2}|ukończon\\p{L}{1,2}|pomyślnie|został\\p{L}{0,2}|готово|заверш[её]н\\p{L}{0,2}|выполнен\\p{L}{0,2}|успешно|отправлен\\p{L}{0,2}|сохран[её]н\\p{L}{0,2}|завершено|виконано|успішно|tamamlandı|bitti|başarıyla|\\p{L}{2,16}(?:ildi|ıldı|uldu|üldü|edildi)|selesai|berhasil|telah|sudah|hoàn (?:thành|tất)|đã|xong|thành công|पूरा|सफलतापूर्वक|हो गय\\p{M}|تم|تمت|اكتمل\\p{L}{0,1}|بنجاح",
  ),
  joined("完了|終わりました|済みです|ました|成功|完成|已|办妥|好了|완료|했습니다|됐습니다|되었습니다|성공"),
];

const ALL = [
  spaced(
    "all|every(?:thing|one|body)?|each|entire|whole|100 ?%|both|(?:queue|list|inbox|backlog) is (?:now )?empty|alle[rsnm]?|sämtliche[rsn]?|jede[rsn]?|komplett\\w{0,2}|vollständig\\w{0,2}|tous|toutes?|chaque|l['’]ensemble|tod[oa]s?|cada|tutt[ieao]|ogni|allemaal|elke|wszystk\\p{L}{1,3}|każd\\p{L}{1,3}|все|всех|всем|кажд\\p{L}{1,3}|полностью|всі|усі|tüm|hepsi|bütün|semua|seluruh|tất cả|toàn bộ|सभी|جميع|كل|كافة",
  ),
  joined("すべて|全て|全部|全件|全員|全\\d|所有|都已|均已|모든|모두|전부"),
];

const SENT = [
  spaced(
    "sent|e-?mailed|messaged|notified|informed|posted|published|shared|submitted|replied|forwarded|invited|uploaded|gesendet|verschickt|benachrichtigt|informiert|envoyée?s?|prévenue?s?|publiée?s?|enviad[oa]s?|avisad[oa]s?|notificad[oa]s?|publicad[oa]s?|inviat[oaie]|verstuurd|wysłan\\p{L}{1,2}|отправлен\\p{L}{0,2}|надіслано|gönderildi|dikirim|terkirim|gửi|भेज\\p{L}{0,3}|إرسال",
  ),
  joined("送信|送り|通知|连絡|連絡|发送|已发|보냈|전송"),
];

const TESTED = [
  /\btests?\b[^.!\n]{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\b(?:pass(?:es|ed)?|green)\b[^.!\n]{0,24}\btests?\b|\btest ?suite\b[^.!\n]{0,24}\b(?:pass|green)/i,
  /\btests?\b[^.!\n]{0,30}(?:grün|durch|bestanden|erfolgreich)|\btests\b[^.!\n]{0,30}(?:passent|réussi|au vert)|\b(?:pruebas|tests|testes)\b[^.!\n]{0,20}\b(?:pasan|passam|passaram|correctas)|\btest\b[^.!\n]{0,20}(?:superati|passano)|тест\p{L}{0,3}[^.!\n]{0,20}(?:прош|проход|зел[её]н)/iu,
  /テスト[^。\n]{0,16}(?:通|成功|パス|合格)|测试[^。\n]{0,10}(?:通过|成功)|테스트[^.\n]{0,12}(?:통과|성공)/,
];

const BUILT = [
  spaced(
    "implement(?:ed|ation)?|works?|working|built|coded|feature|functional|production[- ]ready|implementiert|umgesetzt|funktioniert|implémentée?s?|fonctionne|implementad[oa]s?|funciona|implementat[oaie]|funziona|geïmplementeerd|werkt|zaimplementowan\\p{L}|działa|реализован\\p{L}{0,2}|работает",
  ),
  joined("実装|動作|实现|可用|구현|작동"),
];

const holds = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

const THOUSANDS = /(\d)[,.'’\u00a0\u202f ](?=\d{3}(?!\d))/g;

/** Without its state of where it looked last. */
const NOTHING_LEFT_ONCE = new RegExp(NOTHING_LEFT, "iu");
const UP_AND_RUNNING = /up and running/gi;
/** Gone on with while the answer is given, or only begun. */
const UNDERWAY = [
  spaced(
    "running|progress\\w{0,4}|queued?|processing|background|ongoing|start(?:ed|ing)|begun|began|kicked off|triggered|launched|under ?way|will be|läuft|laufen|gestartet|begonnen|en cours|lancée?s?|démarrée?s?|en curso|iniciad[oa]s?|lanzad[oa]s?|em andamento|in corso|avviat[oaie]|bezig|gestart|w toku|uruchomion\\p{L}{1,2}|в процессе|запущен\\p{L}{0,2}|devam|başlat\\p{L}{2,6}|sedang|dimulai|đang",
  ),
  joined("実行中|進行中|処理中|開始|运行中|进行中|开始|진행|시작|실행 중"),
];
const OVER = [
  spaced(
    "complete|completed|finished|done|ready|live|succeeded|all set|up and running|fertig|erledigt|abgeschlossen|bereit|terminée?s?|prêt(?:e|s|es)?|complet(?:ad[oa]s?|at[oaie])|terminad[oa]s?|list[oa]s?|concluíd[oa]s?|pront[oaie]s?|voltooid|afgerond|klaar|zakończon\\p{L}{1,2}|gotow[ey]|заверш[её]н\\p{L}{0,2}|готов[оаы]?|tamamlandı|hazır|selesai|siap|hoàn (?:thành|tất)|xong|पूरा|اكتمل\\p{L}{0,1}",
  ),
  joined("完了|終わりました|完成|好了|완료"),
  // What takes its time, and went well: "submitted" or "scheduled successfully" only begins it.
  /(?<!\p{L})(?:success\p{L}{0,5}|erfolgreich|con éxito|com sucesso|con successo|avec succès|succesvol|успешно) (?:\p{L}{2,12} ){0,2}(?:deployed|rolled out|released|migrated|exported|imported|installed|built|converted|uploaded|synced|restored|provisioned|rendered|indexed|trained|backed up|upgraded|ausgerollt|bereitgestellt|migriert|exportiert|importiert|installiert|übertragen|развернут\p{L}{0,2}|обновлен\p{L}{0,2})|(?<!\p{L})(?:deployed|rolled out|released|migrated|exported|imported|installed|built|converted|uploaded|synced|restored|provisioned|rendered|indexed|trained|backed up|upgraded|desplegad[oa]s?|implantad[oa]s?|migrad[oa]s?|exportad[oa]s?|importad[oa]s?|instalad[oa]s?|déployée?s?|migrée?s?|exportée?s?|importée?s?|installée?s?) (?:successfully|con éxito|com sucesso|avec succès|correctamente)(?!\p{L})|(?<!\p{L})health ?checks? (?:are|is|were) (?:all )?(?:green|passing|ok)(?!\p{L})/iu,
];

const withoutDenials = (text: string): string => text.replace(DENIED, " ").replace(NOTHING_LEFT, " ");

/** It says itself that something is open, or went wrong. */
export const isDoubted = (text: string): boolean => holds(DOUBT, withoutDenials(text));

/** null: it claims no completion, or not without a doubt. */
export function claimIn(text: string): Claim | null {
  const said = withoutDenials(text);
  if (!holds(DONE, said) || holds(DOUBT, said)) return null;
  const sentences = said.split(/[.!?;](?=\s|$)|[。！？；\n]/u);
  return {
    isAll: sentences.some((one) => holds(ALL, one) && holds(DONE, one)) || NOTHING_LEFT_ONCE.test(text),
    isSent: holds(SENT, said),
    isTested: holds(TESTED, said),
    isBuilt: holds(BUILT, said),
    isOver: holds(OVER, said) && !holds(UNDERWAY, said.replace(UP_AND_RUNNING, " ")),
    figures: new Set(
      said
        .replace(THOUSANDS, "$1")
        .match(/\d{1,12}/g)
        ?.map(Number),
    ),
  };
}
