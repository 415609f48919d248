/**
 * How a writer names instructions of his own as what is withdrawn, with their subject, in the languages of
 * `languages/`: "unsere bisherigen Anweisungen zur Verpackung", "nos instructions précédentes concernant …".
 * Letters and orders need no pattern: no rule takes them for what governs a model. Owned by `retractions.ts`;
 * patterns read raw text and repeat within bounds.
 */
export interface ForeignRetraction {
  /** Of the language, as in `Language.code`. */
  readonly code: string;
  readonly pattern: RegExp;
}

/** So many words may stand between whose it is and what it is, or behind that. */
const WORDS = "(?:[\\p{L}\\p{M}]{2,16} ){0,2}";
const BEHIND = "(?: [\\p{L}\\p{M}]{2,16}){0,2}";

const owned = (code: string, own: string, nouns: string, subject: string): ForeignRetraction => ({
  code,
  pattern: new RegExp(
    `(?<![\\p{L}])(?:${own}) ${WORDS}(?:${nouns})(?=${BEHIND} (?:${subject})(?![\\p{L}\\p{M}]))`,
    "giu",
  ),
});
const owning = (code: string, nouns: string, own: string, subject: string): ForeignRetraction => ({
  code,
  pattern: new RegExp(
    `(?<![\\p{L}])(?:${nouns}) ${WORDS}(?:${own})(?=${BEHIND} (?:${subject})(?![\\p{L}\\p{M}]))`,
    "giu",
  ),
});
const undivided = (code: string, pattern: string): ForeignRetraction => ({
  code,
  pattern: new RegExp(pattern, "gu"),
});

/**
 * Of a guide, a release or a package that an age or a number tells apart: no writer's own, and nobody's but
 * its readers'.
 */
const EDITION_WITHIN = 48;
const edition = (code: string, nouns: string, joins: string, ages: string): ForeignRetraction => ({
  code,
  pattern: new RegExp(
    `(?<![\\p{L}])(?:${nouns})(?= (?:${joins})(?![\\p{L}\\p{M}])[^.!?:;\\n]{0,${EDITION_WITHIN}}(?<![\\p{L}\\p{N}])(?:${ages}|beta|alpha|v\\d|\\d\\.\\d))`,
    "giu",
  ),
});

/** Subjects that are a model's own, or nobody's to withdraw. */
export const OF_A_MODEL_ABROAD =
  /sicherheit|verhalten|vertraulich|datenschutz|antwort|sécurité|comportement|confidenti|réponse|seguridad|comportamiento|confidencial|respuesta|segurança|comportamento|resposta|sicurezza|riservat|rispost|veiligheid|gedrag|vertrouwelijk|antwoord|bezpieczeń|zachowani|poufn|odpowied|безопасн|поведен|конфиденц|ответ|безпек|поведінк|відповід|güvenlik|davranış|gizli|cevap|yanıt|keamanan|perilaku|rahasia|jawab|bảo mật|an toàn|hành vi|trả lời|安全|行为|保密|回答|セキュリティ|秘密|振る舞い|回答|보안|비밀|행동|답변|السلامة|السرية|السلوك|الرد|सुरक्षा|गोपनीय|व्यवहार|उत्तर|ความปลอดภัย|ความลับ|ตอบ|systemprompt|prompt/iu;

export const FOREIGN_RETRACTIONS: readonly ForeignRetraction[] = [
  edition(
    "de",
    "anweisung(?:en)?|hinweise|vorgaben|schritte|anleitung(?:en)?",
    "der|des|aus|in|im|auf|zu[rm]?|f\u00fcr",
    "alten?|fr\u00fchere[nr]?|vorige[nr]?|version|auflage|ausgabe",
  ),
  edition(
    "fr",
    "instructions|consignes|indications|\u00e9tapes",
    "d[ue]|de l[a']|des|dans|sur",
    "anciens?|anciennes?|ancienne|version|\u00e9dition|pr\u00e9c\u00e9dente \u00e9dition",
  ),
  edition(
    "es",
    "instrucciones|indicaciones|pasos",
    "del?|de la|en|para",
    "antigu[oa]s?|versi\u00f3n|edici\u00f3n|anterior edici\u00f3n",
  ),
  edition(
    "pt",
    "instru\u00e7\u00f5es|passos",
    "d[oa]|de|n[oa]|em|para",
    "antig[oa]s?|vers\u00e3o|edi\u00e7\u00e3o",
  ),
  edition(
    "it",
    "istruzioni|indicazioni|passaggi",
    "de[li]|della|nella?|per",
    "vecchi[oae]|versione|edizione",
  ),
  edition(
    "nl",
    "instructies|aanwijzingen|stappen",
    "van|in|uit|op|voor",
    "oude|vorige|versie|editie|uitgave",
  ),
  owned(
    "de",
    "meine[nr]?|unsere[nr]?",
    "anweisung(?:en)?|vorgaben?|instruktionen|angaben|wünsche|befehle",
    "zu[rm]?|über|bezüglich|hinsichtlich|betreffend|wegen|für|vo[nm]",
  ),
  owned(
    "fr",
    "mes|nos",
    "instructions|consignes|indications|demandes|directives",
    "concernant|sur|pour|à propos|au sujet|relatives|quant|du|d'hier",
  ),
  owned(
    "es",
    "mis|nuestr[oa]s",
    "instrucciones|indicaciones|órdenes|peticiones|directrices",
    "sobre|acerca|respecto|relativas|para|en cuanto|del",
  ),
  owned(
    "pt",
    "minhas|nossas|meus|nossos",
    "instruções|indicações|orientações|ordens|pedidos",
    "sobre|acerca|quanto|relativas|para|referentes|d[oa]s?",
  ),
  owned(
    "it",
    "mie|nostre|miei|nostri",
    "istruzioni|indicazioni|direttive|richieste|ordini",
    "sull[ae]?|sul|sugli|riguardo|circa|relative|per|in merito|del",
  ),
  owned(
    "nl",
    "mijn|onze",
    "instructies|aanwijzingen|opdrachten|richtlijnen",
    "over|voor|betreffende|inzake|van|wat betreft|met betrekking",
  ),
  owned(
    "pl",
    "moj(?:e|ich)|nasz(?:e|ych)",
    "instrukcj[ei]|polecenia|poleceń|wskazówki|zalecenia|wytyczne",
    "dotyczące|dotyczących|w sprawie|co do|odnośnie|na temat|o|dla",
  ),
  owned(
    "ru",
    "мои|наши|моих|наших",
    "инструкции|инструкций|указания|указаний|распоряжения|пожелания",
    "об?|по|насчёт|насчет|относительно|касательно|для|про",
  ),
  owned("uk", "мої|наші", "інструкції|вказівки|розпорядження|побажання", "щодо|про|стосовно|для"),
  owned("hi", "मेरे|हमारे|मेरी|हमारी", "निर्देश(?:ों)?|हिदायत(?:ें|ों)?", "के बारे|को लेकर"),
  {
    code: "hi",
    pattern:
      /(?:के बारे में|को लेकर|से संबंधित|संबंधी) (?:हमारे|मेरे|हमारी|मेरी) (?:[\p{L}\p{M}]{2,16} ){0,2}(?:निर्देश|हिदायत)/gu,
  },
  owning("id", "instruksi|arahan|petunjuk|perintah", "saya|kami", "tentang|mengenai|terkait|untuk|soal"),
  owning("vi", "hướng dẫn|chỉ dẫn|chỉ thị", "của (?:tôi|chúng tôi|mình|em)", "về|cho|liên quan"),
  {
    code: "tr",
    pattern:
      /(?:hakkındaki|ilgili|konusundaki|ilişkin|dair) (?:\p{L}{2,16} ){0,2}(?:talimat|yönerge|istek)\p{L}{0,5}[ıiuü]m(?:[ıi]z)?[ıiuü](?!\p{L})/giu,
  },
  {
    code: "ar",
    pattern:
      /(?<!\p{L})(?:تعليمات|توجيهات|إرشادات)(?:نا|ي)(?=(?: \p{L}{2,16}){0,2} (?:بشأن|حول|بخصوص|عن|المتعلقة)(?!\p{L}))/gu,
  },
  undivided(
    "zh",
    "(?:我们?|我方|本人|我司|敝公司)[^，。,;；\\n]{0,8}(?:关于|有关|對於|对于|關於)[^，。,;；\\n]{1,14}的(?:指示|指令|说明|要求|說明)",
  ),
  undivided(
    "ja",
    "(?:私|弊社|当社|当方|わたし)(?:の|が|から)[^。、\\n]{0,16}(?:に関する|について)[^。、\\n]{0,8}(?:指示|説明|依頼)",
  ),
  undivided(
    "ko",
    "(?:저희|제가?|우리|당사)[가의]? [^.,。\\n]{0,20}(?:관한|대한|관련)[^.,。\\n]{0,8}(?:지시|안내|지침)|(?:관한|대한|관련) (?:저희|제|우리|당사)의? [^.,。\\n]{0,8}(?:지시|안내|지침)",
  ),
  undivided("th", "(?:คำสั่ง|คำแนะนำ)[^\\n]{0,12}(?:ของเรา|ของฉัน|ของผม|ของดิฉัน)[^\\n]{0,8}(?:เกี่ยวกับ|เรื่อง)"),
];
