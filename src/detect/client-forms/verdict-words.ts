/**
 * What a client's checker says in a word or a short phrase, in the languages that such tools are written in:
 * "passed", "no injection detected", "nicht bestanden", "UNSAFE". Words of a list speak for or against what
 * was looked at; a negation turns round what stands behind it in its clause. Of a check (a validator, an
 * evaluation) only words of passing and failing count; of a finding (an alert, a drift signal) also those
 * that name what was found and how grave it is, which of a check might praise: "positive", "high", "match".
 */
export type Saying = "good" | "bad" | "yes" | "no" | "undecided";
export type SaidOf = "check" | "finding";

const CHARS_MAX = 160;

/** Without accents, which clients leave out as often as not. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");
const words = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => folded(list.trim()).split(/\s+/)));

const PASSING = words(
  "ok okay pass passes passed passing success successful successfully succeeded valid compliant accept accepts accepted approve approved correct met satisfied conforms conformant fine green safe clean",
  "bestanden erfolgreich gültig angenommen akzeptiert genehmigt korrekt erfüllt zulässig konform sicher sauber",
  "aprobado aprobada válido válida superado superada aceptado aceptada correcto correcta cumple exitoso conforme seguro segura limpio limpia",
  "réussi réussie valide validé validée accepté acceptée approuvé approuvée sûr sûre propre",
  "superato superata valido valida accettato corretto approvato riuscito sicuro sicura pulito pulita",
  "aprovado aprovada aceito aceite correto limpo limpa",
  "geslaagd geldig goedgekeurd geaccepteerd akkoord veilig schoon",
  "zaliczone zaliczony poprawny poprawne poprawna prawidłowy zatwierdzone bezpieczny bezpieczne",
  "godkänd godkänt giltig säker godkendt gyldig sikker bestått godkjent başarılı geçti geçerli güvenli",
  "пройдено пройден пройдена успешно верно корректно допустимо безопасно",
);
const FAILING = words(
  "nok ko fail fails failed failing failure failures invalid reject rejects rejected refuse refused block blocked blocks violate violates violated violation violations intervened noncompliant regress regressed regression regressions incorrect wrong broken red unsafe insecure denied unacceptable tripped issue issues problem problems errors",
  "durchgefallen fehlgeschlagen gescheitert ungültig abgelehnt blockiert verletzt verstoß verstöße fehlerhaft falsch mangelhaft unzulässig fehler unsicher",
  "fallido fallida falló fallo reprobado reprobada suspenso inválido inválida rechazado rechazada incorrecto incorrecta incumple inseguro insegura bloqueado bloqueada",
  "échoué échouée échec invalide rejeté rejetée refusé refusée bloqué bloquée erreurs",
  "fallito fallita bocciato bocciata invalido invalida rifiutato respinto bloccato errato scorretto",
  "reprovado reprovada falhou falha rejeitado recusado incorreto incorreta",
  "mislukt gefaald ongeldig afgekeurd geweigerd onjuist onveilig geblokkeerd",
  "niezaliczone niezaliczony niepoprawny niepoprawne błędny błędne odrzucone odrzucony nieudane",
  "underkänd underkänt ogiltig misslyckades avvist ugyldig başarısız geçersiz",
  "провалено провал неуспешно отклонено неверно некорректно недопустимо",
);
const HARMLESS = words(
  "benign ham negative unlikely dismissed expected legitimo legitima legit legitimate clear cleared ignored info low minimal negligible harmless innocuous allow allows allowed permitted trusted normal stable unchanged healthy",
  "unbedenklich harmlos gutartig unauffällig stabil zugelassen benigno benigna inofensivo estable permitido bénin bénigne inoffensif autorisé innocuo onschadelijk toegestaan",
);
const HARMFUL = words(
  "detected detect flagged flag malicious attack attacks injection injections injected jailbreak jailbreaks jailbreaking jailbroken suspicious threat threats harmful high severe critical positive confirmed intervened drift drifts drifted drifting hostile adversarial dangerous poison poisoned poisoning triggered exceeded breach breached anomaly anomalies anomalous alert alarm finding findings found manipulation",
  "bösartig schädlich verdächtig angriff erkannt auffällig abweichung malicioso maliciosa sospechoso ataque inyección detectado detectada dangereux malveillant attaque détecté détectée pericoloso attacco rilevato rilevata suspeito injeção detetado verdacht aanval gedetecteerd wykryto podejrzany обнаружено опасно атака",
);
const YES = words("true yes y 1 ja si oui sim tak da да evet label1");
const NO = words("false no n 0 nein nee none nothing non nao nie нет hayir label0");
const NEGATORS = words(
  "no not non without nothing never none zero 0 nicht kein keine keinen keiner ohne nie sin ningun ninguna sans pas aucun aucune senza nessun nessuna nao nenhum nenhuma sem geen niet zonder inte ingen inga ikke brak bez rien nada nichts niente не без нет",
);
/** Said of a check that came to nothing. */
const UNDECIDED = words(
  "unknown undecided undetermined inconclusive unclear pending skipped skip unavailable unevaluated timeout timed error errored disabled unsupported applicable evaluated checked run ran executed tested scanned performed available na nan null undefined running queued yet data verdict answer response decision opinion übersprungen unbekannt ausgeführt geprüft omitido desconocido ignoré inconnu",
);
const TURNS = words("but however aber doch pero mais ma mas maar");

const BAD_PHRASE =
  /\bfalse negative\b|\btrue positive\b|^(?!no\b|0\b|without\b).{0,160}\bvalidation errors?\b/;
const GOOD_PHRASE =
  /\bfalse (?:positive|alarm)\b|\btrue negative\b|\bruled out\b|\bfehlalarm\b|\bfalso positivo\b|\bfaux positif\b/;
/** "injection: none", "passed: no": turns round what stands before it. */
const DENIED_BEHIND = /^(.{1,80})[:=]\s{0,9}(?:none|no|false|0|nothing|nein|keine?|nil)$/;

const FAR_EAST: readonly (readonly [Saying, RegExp])[] = [
  ["good", /未检测到|未发现|没有|無し|なし|検出されませんでした|없음|탐지되지/],
  [
    "bad",
    /❌|不合格|不通过|未通过|不正|失败|失敗|拦截|攻击|攻撃|不安全|违规|越狱|注入|危険|불합격|실패|위험|공격/,
  ],
  ["good", /✅|通过|合格|成功|安全|正常|无害|無害|통과|합격|성공|안전|정상/],
];

/** Null: nothing that anybody could be sure of. */
export function sayingOf(text: string, of: SaidOf): Saying | null {
  const said = folded(text.slice(0, CHARS_MAX).replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))
    .toLowerCase()
    .replaceAll("_", " ")
    .trim();
  const single = said.replace(" ", "");
  if (YES.has(single)) return "yes";
  if (NO.has(single)) return "no";
  if (said === "n/a") return "undecided";
  if (!/[\p{L}❌✅]/u.test(said)) return null;
  if (of === "check" && isShareOfMore(said)) return "bad";
  if (of === "check" && /\bpartial/.test(said)) return null;
  if (BAD_PHRASE.test(said)) return "bad";
  if (GOOD_PHRASE.test(said)) return "good";
  const denied = DENIED_BEHIND.exec(said)?.[1];
  if (denied !== undefined) return sayingOf(denied, of) === "good" ? "bad" : of === "check" ? "no" : "good";
  const eastern = FAR_EAST.find(([, sign]) => sign.test(text));
  if (eastern !== undefined) return eastern[0];
  return sayingOfClauses(said, of);
}

function sayingOfClauses(said: string, of: SaidOf): Saying | null {
  let isGood = false;
  let isUndecided = false;
  let isDenied = false;
  for (const clause of said.split(/[,;:|.!?()[\]{}/]|\s[-–—]\s/)) {
    let negated = false;
    for (const word of clause.split(/[^\p{L}\p{N}]/u)) {
      if (word === "") continue;
      if (NEGATORS.has(word)) {
        negated = true;
        isDenied = true;
      } else if (TURNS.has(word)) negated = false;
      else if (UNDECIDED.has(word)) isUndecided = true;
      else {
        const favour = favourOf(word, of);
        if (favour === null) continue;
        if (favour === negated) return "bad";
        isGood = true;
      }
    }
  }
  if (isGood) return "good";
  return isUndecided ? "undecided" : isDenied ? "no" : null;
}

/** "7 of 10 passed". */
function isShareOfMore(said: string): boolean {
  const [, some, all] = /^(\d{1,6})\s{0,9}(?:of|out of|von|de|di|sur|\/)\s{0,9}(\d{1,6})\b/.exec(said) ?? [];
  const word = said.split(/[^\p{L}]/u).at(-1) ?? "";
  return some !== undefined && Number(some) < Number(all) && PASSING.has(word);
}

/** Whether a word speaks for what was looked at; null: neither. */
function favourOf(word: string, of: SaidOf): boolean | null {
  if (PASSING.has(word)) return true;
  if (FAILING.has(word)) return false;
  if (of === "check") return null;
  if (HARMLESS.has(word)) return true;
  return HARMFUL.has(word) ? false : null;
}
