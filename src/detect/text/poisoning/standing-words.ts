import { foldedText } from "../request/folded-words.ts";

/**
 * Small words of many languages by which a text says that something holds from now on, that it always holds,
 * and that somebody is to keep it in mind: each tells next to nothing by itself.
 */
const any = (words: string): RegExp =>
  new RegExp(
    words
      .trim()
      .split(/\s{0,4}\n\s{0,4}|\s{0,2},\s{0,2}/)
      .filter((one) => one !== "")
      .map((one) => {
        const word = foldedText(one);
        const isDivided = /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word);
        const begins = word.endsWith("*");
        const plain = RegExp.escape(begins ? word.slice(0, -1) : word);
        return isDivided ? `(?<!\\p{L})${plain}${begins ? "" : "(?!\\p{L})"}` : plain;
      })
      .join("|"),
    "u",
  );

/** It was otherwise before. */
const CHANGES = any(`
  from now on, as of now, as of this, as of today, as of next, no longer, any more, anymore, henceforth, going forward, effective immediately, effective today, in future, from today, from this, starting today
  ab sofort, ab jetzt, ab heute, kuenftig, in Zukunft, nicht mehr, fortan, von nun an, keine* mehr
  désormais, dorénavant, à partir de, à compter de, dès maintenant, ne plus
  a partir de, de ahora en adelante, en adelante, ya no, desde hoy
  d'ora in poi, d'ora in avanti, da ora, a partire da, non più, da oggi
  de agora em diante, a partir de agora, doravante, já não, não mais
  vanaf nu, voortaan, niet meer, niet langer, met ingang van
  od teraz, odtąd, już nie, od dziś, od teď, nadále, už ne, napříště
  отныне, впредь, больше не, с этого дня, с сегодняшнего, теперь, відтепер, надалі, більше не
  bundan sonra, bundan böyle, artık, från och med, hädanefter, inte längre, fra nu af, fra nå av, ikke længere, ikke lenger, fremover
  今後, これから, 以降, もう必要, 今后, 从现在起, 从今以后, 不再, 앞으로, 이제부터, 더 이상
  من الآن فصاعدا, بعد الآن, لم يعد, अब से, आगे से, từ nay, kể từ, mulai sekarang, tidak lagi, ตั้งแต่นี้
`);

/** It holds in every case. */
const GENERAL = any(`
  always, never, whenever, when asked, if asked, when anyone asks, when someone asks, when users ask, when the user asks, every time, each time, every later, in every, for every, every session, all later, any later, in all, for all
  wenn jemand fragt, wenn gefragt, bei Fragen nach, si on demande, si on te demande, si l'utilisateur demande, si alguien pregunta, si te preguntan, se qualcuno chiede, se alguém perguntar, als iemand vraagt, gdy ktoś pyta, если спросят, 聞かれたら, 如果有人问
  immer, stets, nie, niemals, jedes Mal, jederzeit, toujours, jamais, chaque fois, systématiquement, siempre, nunca, jamás, cada vez
  sempre, mai, ogni volta, altijd, nooit, telkens, zawsze, nigdy, każdorazowo, vždy, nikdy, pokaždé
  всегда, никогда, каждый раз, завжди, ніколи, щоразу, her zaman, daima, asla, hiçbir zaman, alltid, aldrig, altid, varje gång, hver gang
  必ず, 常に, 毎回, いつも, 总是, 始终, 永远, 每次, 一律, 항상, 언제나, 반드시, 매번, دائما, أبدا, हमेशा, कभी नहीं, luôn, không bao giờ, selalu, jangan pernah, เสมอ, ทุกครั้ง
`);

/** A guard is down, or somebody is let through it. */
const LOWERS = any(`
  without a supervisor, without supervisor, without a manager, without asking a supervisor, 100 % discount, unsafe*, insecure*, no-verify, without approval, without review, without confirmation, without asking, without checking, without verification, without signing, needs no approval, need no approval, no approval needed, no approval required, no confirmation needed, no review needed, no need to verify
  skip ci, skip tests, skip review, skip the review, skip verification, skip the check, skip checks, bypass, bypasses, disable verification, verification off, turn off, turned off, must be off, has to be off, switched off, unlimited, no limit, no limits, exempt, pre-approved, preapproved, whitelisted, allow-listed, always trusted, fully trusted, vip status, admin rights, administrator rights, full access, waived, waive, directly to main, to main directly
  ohne Freigabe, ohne Rückfrage, ohne Prüfung, ohne Bestätigung, keine Freigabe nötig, unbegrenzt*, vertrauenswürdig, freigeschaltet, überspring*, abschalten, ausschalten, deaktivier*, Vollzugriff
  sans validation, sans approbation, sans vérification, sans confirmation, illimité*, sin aprobación, sin confirmación, sin verificar, ilimitad*, sem aprovação, sem confirmação, senza approvazione, senza conferma, illimitat*, zonder goedkeuring, zonder bevestiging, onbeperkt*
  bez zgody, bez potwierdzenia, nieograniczon*, без подтверждения, без проверки, без согласования, неограничен*, onaysız, onay gerekmez, sınırsız, 承認不要, 確認不要, 無制限, 无需审批, 无需确认, 无限额, 승인 없이, 확인 없이, 무제한, دون موافقة, بدون موافقة
`);

/** Who goes there leaves a password behind. */
const SIGNS_IN = any(`
  sign in, signs in, sign-in, log in, logs in, login, password, passwords, credentials, one-time code
  anmelden, einloggen, passwort, kennwort, zugangsdaten, se connecter, identifiants, mot de passe, iniciar sesión, contraseña, credenciales, entrar com, senha, accedere, inloggen, wachtwoord
  zalogować, hasło, войти, пароль, giriş yap, şifre, ログイン, パスワード, 登录, 密码, 로그인, 비밀번호, تسجيل الدخول, كلمة المرور
`);

/** It is meant for whoever comes. */
const FOR_ALL = any(`
  every customer, all customers, customers who, any customer, every user, all users, anyone who, everyone who, all conversations, every conversation, all chats, company policy, house rule, shop rule, for everybody, for everyone
  alle Kunden, jeden Kunden, Kunden die, alle Nutzer, Firmenrichtlinie, tous les clients, chaque client, les clients qui, todos los clientes, cada cliente, los clientes que, todos os clientes, clientes que, todos os atendimentos, tutti i clienti, i clienti che
  alle klanten, klanten die, wszyscy klienci, klienci którzy, все клиенты, всем клиентам, tüm müşteriler, すべてのお客様, 所有客户, 所有用户, 모든 고객, جميع العملاء
`);

/** Where money is to go. */
const PAYS_TO = any(`
  iban, bank details, bank account, account details, account number, payment details, sort code, routing number, wire, wallet address, beneficiary, payee
  Bankverbindung, Kontoverbindung, Kontonummer, Zahlungsempfänger, coordonnées bancaires, rib, datos bancarios, cuenta bancaria, dados bancários, conta bancária, coordinate bancarie, conto bancario, bankgegevens, rekeningnummer
  numer konta, реквизиты, номер счета, banka hesabı, 口座, 銀行, 银行账户, 账号, 계좌, حساب بنكي
`);

/** What was claimed is kept as a claim. */
const DOUBTED = any(`
  claim*, alleg*, unverified, not verified, unconfirmed, suspicious, phish*, scam*, fraud*, do not pay, do not trust, verify with, verify by, verify before, check with, confirm with, confirm by, call back, before paying
  angeblich*, behaupt*, verdächtig*, betrug*, nicht bezahlen, erst prüfen, prüfe erst, rückruf*, prétend*, soi-disant, suspect*, arnaque*, à vérifier, supuest*, sospechos*, fraude*, por verificar, suposta*, suspeit*, presunt*, sospett*, truffa*, vermeend*, verdacht*, rzekom*, podejrzan*, якобы, подозр*, мошен*
  自称, 疑わしい, 詐欺, 可疑, 诈骗, 사기, 의심, احتيال
`);

/** A memory, and what is written into one about somebody. */
const MEMORIES = any(`
  your memory, its memory, to memory, assistant memory, assistant's memory, agent memory, agent's memory, user memory, project memory, long-term memory, memory:, memories, memoriz*, memoris*, remember, profile, preferences, observations, knowledge base
  gedaechtnis, merke, merken, profil, mémoire, mémoris*, retiens, retenir, retenez, souviens, souvenez
  memoria, memoriz*, recuerda, recuerde, recordar, perfil, ricorda, ricordare, profilo, lembre, lembrar, memória
  geheugen, onthoud, onthouden, profiel, pamięc*, zapamięt*, pamět*, zapamatuj*, памят*, запомн*, профил*, пам'ят*, запам'ят*, профіл*
  hafıza*, hatırla*, minne, minnet, kom ihåg, husk, hukommelse*, 記憶, 覚えて, メモリ, プロフィール, 记住, 记忆, 記住, 用户画像, 기억, 프로필, ذاكرة, تذكر, याद, bộ nhớ, ghi nhớ, ingatan, ingat, จดจำ
`);

/** Anybody may ask anybody to write something down. */
const NOTES = any(`
  for your records, for the record, note down, make a note, take note, keep in mind, store, save, record, write down, add, keep
  vermerk*, notier*, hinterleg*, speicher*, noter, notez, enregistr*, anota*, apunta*, guarda*, annota*, salva*, registra*, noteer*, opslaan, zapisz, zapisać, ulož*, запиши*, сохрани*, збережи*, kaydet*, not et, anteckna, spara, noter*, gem
  メモ, 保存, 记下, 记录, 保存, 备注, 메모, 저장, سجل, احفظ, lưu, simpan, catat, บันทึก
`);

export interface Standing {
  readonly changes: boolean;
  readonly general: boolean;
  readonly lowers: boolean;
  readonly paysTo: boolean;
  readonly signsIn: boolean;
  readonly forAll: boolean;
}

/** True of a note that does not take what it tells for true. */
export const isDoubted = (text: string): boolean => DOUBTED.test(foldedText(text));

export function standingIn(text: string): Standing {
  const folded = foldedText(text);
  return {
    changes: CHANGES.test(folded),
    general: GENERAL.test(folded),
    lowers: LOWERS.test(folded),
    paysTo: PAYS_TO.test(folded),
    signsIn: SIGNS_IN.test(folded),
    forAll: FOR_ALL.test(folded),
  };
}

export function keepingIn(text: string): { readonly memory: boolean; readonly note: boolean } {
  const folded = foldedText(text);
  return { memory: MEMORIES.test(folded), note: NOTES.test(folded) };
}
