/**
 * Words of a person whom an answer did not help: that he did so already, that it is still as it was, that he
 * was told so before. One is said of much else as well; several in one conversation, under the same answer
 * each time, are not.
 */
const SAID_CHARS_MAX = 600;

const NOT_HELPED = [
  // English
  /\b(?:already (?:did|done|tried|told|said|have|sent|gave|checked|restarted|asked)|(?:did|done|told|said|heard|sent|\w{2,12}ed) (?:\w{1,12} ){0,3}(?:already|before|twice|\d{1,2} times|three times|several times)|i (?:just |have )?did (?:that|it|this)|did (?:that|it)[,. ]|still (?:not|no|doesn.?t|don.?t|isn.?t|can.?t|won.?t|broken|the same|nothing|happen\w{0,3}|fail\w{0,3}|\w{3,12}s\b)|(?:did ?n.?t|does ?n.?t|doesnt|didnt|not|no) (?:help|work|solve|fix|change|answer)\w{0,3}|(?:same|that) (?:answer|thing|reply|response|text|advice|message) (?:again|as before|every time)|(?:the|that.?s the) same (?:answer|thing|reply|response|again)|you.?(?:ve| have)? (?:already |just )?(?:said|told|wrote|repeat\w{0,3}|keep)|(?:anything|something) else|not what i (?:asked|meant|need)|that.?s not (?:it|my|what)|stop repeating|are you (?:even )?(?:a bot|reading|listening)|no (?:change|use|luck|effect))\b/i,
  // German, Dutch
  /\b(?:schon (?:\w{1,14} ){0,2}(?:gemacht|getan|probiert|versucht|gesagt|geschrieben|gehabt|erledigt)|bereits (?:\w{1,14} ){0,2}(?:gemacht|getan|probiert|versucht|gesagt|geschrieben|erledigt)|hab(?:e)? ich (?:schon|bereits|doch)|hilft (?:mir )?(?:nicht|nix|auch nicht)|nicht geholfen|immer noch|geht (?:\w{1,8} ){0,2}nicht|funktioniert (?:\w{1,8} ){0,2}nicht|(?:das|die) ?selbe (?:antwort|nochmal)?|wieder das(?:selbe| gleiche)|was anderes|al (?:gedaan|geprobeerd|gezegd)|werkt (?:nog steeds )?niet|nog steeds|helpt niet)\b/i,
  // Spanish, Portuguese, Italian, French
  /(?<![\p{L}])(?:ya (?:lo |la |le |te |se lo )?(?:hice|he hecho|probé|intenté|dije|dijiste|reinicié|he probado)|no (?:me )?(?:funciona|funcionó|sirve|sirvió|ayuda|ayudó)|sigue (?:sin|igual|fallando)|otra cosa|lo mismo|misma respuesta|já (?:fiz|tentei|disse|falei|reiniciei)|não (?:funciona|funcionou|ajudou|adianta|adiantou|resolve|resolveu)|continua (?:sem|igual|na mesma)|mesma (?:coisa|resposta)|outra coisa|già (?:fatto|provato|detto)|l.ho già|non (?:funziona|serve|aiuta|cambia)|ancora (?:niente|non|uguale)|stessa (?:cosa|risposta)|qualcos.altro|déjà (?:fait|essayé|dit|tenté)|(?:ne )?(?:marche|fonctionne|change|aide|sert) (?:toujours )?(?:pas|rien|à rien)|toujours (?:pas|rien|pareil|le même)|même (?:réponse|chose)|autre chose)(?![\p{L}])/iu,
  // Slavic, Turkish
  /(?<![\p{L}])(?:уже (?:\p{L}{1,14} ){0,2}(?:делал\p{L}{0,2}|сделал\p{L}{0,2}|пробовал\p{L}{0,2}|говорил\p{L}{0,2}|писал\p{L}{0,2})|не (?:помог\p{L}{0,4}|работает|помогает)|вс[её] (?:ещё|еще|равно)|то же самое|опять|już (?:\p{L}{1,14} ){0,2}(?:zrobi\p{L}{1,4}|próbowa\p{L}{1,4}|mówi\p{L}{1,4}|pisa\p{L}{1,4})|nie (?:działa|pomog\p{L}{1,3}|pomaga)|nadal|to samo|zaten (?:yaptım|denedim|söyledim)|işe yaramadı|çalışmıyor|hâlâ|hala|aynı (?:şey|cevap))(?![\p{L}])/iu,
  // Chinese, Japanese, Korean
  /已经(?:试|做|说|重启|按)|还是(?:不|没|一样)|没(?:有)?(?:用|效|帮助)|不管用|不行|一样的(?:回答|话)|もう(?:やり|試し|しま|言い)|まだ(?:直|動|でき|同じ|変わ)|同じ(?:答|こと|返)|直りません|動きません|変わりません|他に|이미|여전히|안 ?(?:돼|되|됩)|똑같|같은 (?:말|답)/,
];

export function saysNotHelped(said: string): boolean {
  const text = said.length > SAID_CHARS_MAX ? said.slice(0, SAID_CHARS_MAX) : said;
  return NOT_HELPED.some((words) => words.test(text));
}
