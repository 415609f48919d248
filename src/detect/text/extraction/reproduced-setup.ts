import { tellsPeople } from "../context/document-kind.ts";
import { isShownAttack } from "../context/quoted-examples.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import type { TextScan } from "../scan/scan-text.ts";
import { type NeedyPattern, StartedText, WordStarts } from "../scan/word-starts.ts";
import { isKept } from "./disclosure-stance.ts";

/**
 * A person asks for a copy of the text that the model was set up with, whatever either is called: what it
 * runs on, what it was told before the chat, what its makers wrote for it; word for word, letter by letter,
 * backwards, one sign a word, by yes and no. Each alone is harmless: people want their own texts back to the
 * letter, and wonder who made a machine. Both stand in a stretch of a short prompt, or nothing is found.
 * Patterns read folded text and repeat within bounds.
 */
const TEXT_MIN = 24;
/** A longer text is a document with a request in it, for the rules of single passages. */
const TEXT_MAX = 4_000;
/** How far around the name of the text its reproduction may be asked for. */
const BEFORE = 420;
const AFTER = 620;
const NAMES_MAX = 6;

const TEXT =
  "(?:texts?|words|prompts?|instructions?|notes?|rules?|directions|scripts?|files?|documents?|briefing|brief|message|paragraphs?|guidance|orders|guidelines|lines|sentences?|manual|card|stuff|ones?|entry|pages?|sheet|memo|list|thing|contents?|specifications?|handbook)";
const MAKER =
  "(?:makers?|creators?|developers?|devs|operators?|boss(?:es)?|owners?|parents|mum|mom|dad|masters?|programmers?|employers?|handlers?|trainers?|superiors?|designers?|deployers?|installers?|builders?|company|admins?|administrators?|management|managers?|supervisors?|provider|author)";
const MADE =
  "(?:made|built|installed|set|deployed|runs?|trained|wrote|owns?|programmed|configured|created|designed|hired|employs?|launched|instructed|briefed|coded|placed|hosts?)";
const GIVE =
  "(?:told|gave|given|handed|wrote|written|said|taught|fed|put|typed|loaded|drilled|left|instructed|briefed|ordered|asked|shown|showed|dictated|whispered|slipped|passed)";
/** Before anybody spoke to the model. */
const FIRST =
  "(?:before (?:this|our|the) (?:chat|conversation|call|session|talk|exchange|dialogue|first message)|(?:before|ahead of|prior to|above|in front of) (?:i|we|me|us|my|mine|our|anyone|anybody|anything|(?:this|my|these) (?:line|message|question|prompt|turn|request))(?! (?:buy|sign|pay|go|send|leave|book|order|can|could|need))\\b|before (?:you (?:were )?(?:talk|speak|spoke|chat|meet|met|let|started|opened|began|allowed|connected|switched)|letting you|stdin|the user|the first)|at (?:startup|start-up|boot|launch|the (?:very )?(?:start|beginning|top|outset) of (?:this|our|the) (?:chat|conversation|session|context|thread)))";

/** Nothing but what a model was set up with. */
const STARTS = new WordStarts();
const OWN: readonly NeedyPattern[] = [
  STARTS.pattern(
    "run runs running operate operating work working powered driven steered governed set configured loaded started booted primed initialized initialised deployed launched installed shipped briefed start woke living live came act acting&you your u yourself",
    `\\b${TEXT} (?:that |which |(?:by|on|under|from|with) which |whose )?(?:you|u)(?: yourself)?(?:'re|'ve| are| were| have| had)? (?:been )?(?:yourself |actually |currently |still |now |always ){0,2}(?:run(?:s|ning)? (?:on|by|from|under)|operat(?:e|ing) (?:on|under|by|from|with)|work(?:ing)? (?:from|under|off)|powered by|driven by|steered by|governed by|set up with|configured with|loaded with|started with|booted (?:up )?with|primed with|initiali[sz]ed with|deployed with|launched with|installed with|shipped with|briefed with|start(?:ed)? out with|woke up with|living by|live by|came with|act(?:ing)? on)\\b`,
  ),
  STARTS.pattern(
    "with from by&you your u yourself&set configured started briefed loaded primed launched initialized initialised introduced installed",
    `\\b${TEXT} (?:with|from|by) which (?:you|they|your ${MAKER}) (?:were |have been |had been )?(?:set|configured|started|briefed|loaded|primed|launched|initiali[sz]ed|introduced|installed)\\b`,
  ),
  STARTS.pattern(
    "before ahead prior above letting stdin user first startup start boot launch beginning top outset&my",
    `\\b(?:everything|whatever|all|what|text|lines?|words)\\b[^.!?\\n]{0,20}\\b(?:above|before|ahead of|preceding|prior to) my (?:very )?(?:first|opening) (?:message|question|line|turn|words?|prompt)\\b`,
  ),
  STARTS.pattern(
    "before ahead prior above letting stdin user first startup start boot launch beginning top outset&you your u yourself",
    `\\b(?:was|were|is|had been|has been) ${GIVE} (?:to|for|into) you\\b[^.!?\\n]{0,50}\\b${FIRST}`,
  ),
  STARTS.pattern(
    "hidden invisible secret",
    "\\b(?:hidden|invisible|secret) (?:message|text|prompt|note|instructions?) (?:at|on) (?:the |your )?(?:top|beginning|start)\\b",
  ),
  STARTS.pattern(
    "your&briefing system start starting base meta master setup initial pre preprompt prompt preamble marching stage operating role persona character hidden programming initialization initialisation backstage",
    "\\byour (?:own |secret |hidden |original |private |internal |inner |very |entire |whole |full |complete |initial ){0,3}(?:briefing|(?:system|start(?:ing)?|base|meta|master|setup|initial)[ -]?(?:prompt|message|instructions?)|pre-?prompt|preamble|prompt(?!s|ly| (?:reply|response|answer|attention|payment|action))|marching orders|stage directions|operating (?:notes|instructions|text|rules|orders)|role (?:description|card|sheet|definition|brief)|persona (?:description|card|sheet|brief|file)|character (?:card|brief)|setup (?:text|notes|message|file|block)|hidden (?:text|notes|part|message|rules)|programming|initiali[sz]ation|backstage notes)\\b",
  ),
  STARTS.pattern(
    "before ahead prior above letting stdin user first startup start boot launch beginning top outset&you your u yourself",
    `\\b(?:what|which|everything|anything|all|whatever|how|things?|${TEXT})\\b[^.!?\\n]{0,60}\\b(?:you (?:were|have been|'ve been|had been|got|received)|were you|did you (?:get|receive)|did (?:they|he|she|anyone|someone|your ${MAKER}) (?:tell|give|hand|write|say|feed|put|show|teach)(?: to| for| into)? you|(?:they|he|she|someone|somebody|people|your ${MAKER}) ${GIVE}(?: to| for| into)? you)\\b[^.!?\\n]{0,50}\\b${FIRST}`,
  ),
  STARTS.pattern(
    "before ahead prior above letting stdin user first startup start boot launch beginning top outset&you your u yourself",
    `\\b${FIRST}[^.!?\\n]{0,50}\\b(?:you (?:were|had been|got|received)|were you|did you (?:get|receive)|(?:they|he|she|someone|somebody|your ${MAKER}) ${GIVE}(?: to| for| into)? you)\\b`,
  ),
  STARTS.pattern(
    "maker makers creator creators developer developers dev devs operator operators boss bosses owner owners parents mum mom dad master masters programmer programmers employer employers handler trainers superior superiors designer deployer installer builder builders company admin admins administrators management managers manager supervisor supervisors provider author people person team folks guys human humans engineers engineer one ones&you your u yourself",
    `\\b${TEXT}\\b[^.!?\\n]{0,40}\\b(?:you (?:got|received|were (?:given|handed|shown)|have|keep|carry|had|follow) )?(?:from|by|of) (?:your ${MAKER}|(?:the|those) (?:people|person|company|team|folks|guys|humans|engineers|ones?) (?:who|that|behind) (?:[a-z]{2,9} ){0,2}you)\\b`,
  ),
  STARTS.pattern(
    "maker makers creator creators developer developers dev devs operator operators boss bosses owner owners parents mum mom dad master masters programmer programmers employer employers handler trainers superior superiors designer deployer installer builder builders company admin admins administrators management managers manager supervisor supervisors provider author people person team folks guys human humans engineers engineer one ones&you your u yourself",
    `\\b(?:your (?:[a-z]{3,12} )?${MAKER}|(?:the|those) (?:people|person|company|team|folks|guys|humans|engineers|ones?) (?:who|that) ${MADE} (?:[a-z]{2,9} ){0,2}you(?: up| here)?) (?:[a-z]{2,9} ){0,2}${GIVE}(?: to| for| into| down for)? you\\b`,
  ),
  STARTS.pattern(
    "participant participants speaker person party voice one someone somebody whoever author member contributor role ones",
    `\\b(?:participant|speaker|person|party|voice|one|someone|somebody|whoever|author|member|contributor|role)s? (?:that |who |which )?(?:spoke|wrote|talked|posted|typed|said something|opened) (?:[a-z]{2,9} ){0,3}(?:first|before (?:me|i|us|my|mine|we)|ahead of (?:me|us|mine))\\b`,
  ),
  STARTS.pattern(
    "before ahead prior above letting stdin user first startup start boot launch beginning top outset",
    `\\b(?:${TEXT}|context|whatever|what|everything|all) (?:[a-z]{2,9} ){0,3}(?:loaded|injected|prepended|inserted|placed|pasted|sitting|stands?|comes?|came|was|is) (?:in |into |to )?(?:[a-z]{2,9} ){0,2}${FIRST}`,
  ),
  STARTS.pattern(
    "proc messages context prompt message env memory config",
    "\\bmessages ?\\[ ?0 ?\\]|\\bmessages array of (?:the|this) (?:current|present|very)|\\b(?:dump|cat|print|export|show|head|echo|serialise|serialize|return)\\b[^.\\n]{0,40}\\b(?:your|the current|the model'?s|the assistant'?s|the whole|the full|the entire) (?:[a-z]{3,9} )?(?:context window|context|prompt buffer|message history)\\b|(?:env|memory|context|prompt|config) of the (?:assistant|model|bot)\\b",
  ),
  STARTS.pattern(
    "deine deiner deinem deinen deines eure ihre ihrer ihrem ihren ihres dein ihr euer original wortlaut text fassung anfang konfigurationsabzug tonvorgaben systemanweisung systemnachricht",
    "\\b(?:deine[nrms]?|eure[nrms]?|ihre[nrms]?|dein|ihr|euer) (?:[a-z]{4,14} ){0,2}(?:rollenbeschreibung|rollenkarte|(?:system-?|start-?)?prompts?|einweisung|grundanweisung(?:en)?|startanweisung(?:en)?|systemanweisung(?:en)?|regieanweisung(?:en)?|verhaltensregeln|leitplanken|briefings?|einrichtungstext(?:es)?)\\b|\\b(?:original|wortlaut|text|fassung|anfang) deine[rs] (?:[a-z]{4,14} ){0,2}(?:rolle|rollenbeschreibung|anweisung(?:en)?|vorgaben|regeln|richtlinien|einweisung)\\b|\\b(?:konfigurationsabzug|tonvorgaben|systemanweisung(?:en)?|systemnachricht)\\b",
  ),
  STARTS.pattern(
    "dir euch ihnen du",
    "\\b(?:was|alles|welche[nrs]?|worte?|text|satze?)\\b[^.!?\\n]{0,40}\\b(?:(?:man|sie|er|dein[a-z]{0,2} [a-z]{4,14}) (?:dir|euch)|(?:wurde|hat man|haben sie|bekam|bekommen|wurden) (?:dir|ihnen|euch)|dir|euch)\\b[^.!?\\n]{0,50}\\b(?:gesagt|aufgetragen|mitgegeben|eingegeben|vorgegeben|beigebracht|eingescharft|eingetrichtert|geschrieben|eingeflustert)\\b|\\bdu [^.!?\\n]{0,30}(?:bekommen|erhalten|gelesen) hast, bevor\\b",
  ),
  STARTS.pattern(
    "ton votre prompt tes vos ta ce",
    "\\b(?:(?:ton|votre) (?:propre |system |vrai )?(?:pre-?)?prompt|prompt (?:systeme|de depart)|(?:tes|vos) (?:propres |vraies )?(?:consignes|directives internes|instructions (?:de depart|initiales|internes|systeme))|(?:ta|votre) (?:fiche de (?:poste|role)|feuille de route))\\b|\\bce (?:qu'on|que l'on|qu'ils|que (?:ton|ta|votre|tes|vos) [a-z]{4,14})[^.!?\\n]{0,20}\\b(?:t'|vous |te )(?:a |ont |avait |avaient )(?:[a-z]{3,9} )?(?:dit|donne|ecrit|souffle|appris|ordonne|demande)",
  ),
  STARTS.pattern(
    "te os tu tus",
    "\\b(?:lo que|que|cada [a-z]{4,12} que|todo lo que|las? [a-z]{4,12} que) (?:te|os) (?:dijeron|dieron|pusieron|ordenaron|escribieron|encargaron|mandaron|ensenaron|han (?:dicho|dado|puesto|escrito))\\b|\\b(?:tu|tus) (?:propi[oa]s? |verdader[oa]s? )?(?:prompt|guion|instrucciones|indicaciones|directrices|consignas)\\b",
  ),
  STARTS.pattern(
    "le il cosa quello cio suas tuas seu teu o jouw je wat twoje twoich twój co",
    "\\b(?:le tue (?:vere )?(?:istruzioni|consegne|direttive)|il tuo (?:prompt|copione)|(?:cosa|quello che|cio che) ti (?:hanno|ha) (?:detto|dato|scritto|ordinato)|(?:suas|tuas) (?:instrucoes|diretrizes|orientacoes)|(?:seu|teu) (?:prompt|roteiro)|o que (?:te|lhe) (?:disseram|deram|mandaram)|(?:jouw|je) (?:instructies|systeemprompt|briefing)|wat ze je (?:verteld|meegegeven|gezegd)|tw(?:oje|oich|ój) (?:instrukcj[a-z]|wytyczn[a-z]{1,2}|prompt)|co ci (?:kazano|powiedziano|napisano|przekazano))",
  ),
  STARTS.pattern(
    "你 您 开 老 上 主 公 他 别 人 对",
    "(?:你|您)(?:的|自己的|所用的)?(?:系统)?(?:提示词|提示语|指令|设定|人设|底稿|守则|剧本|背景说明|初始说明)|(?:开发者|老板|上司|主人|公司|他们|别人|人家)(?:给|跟|对|告诉|交代|吩咐|写给)你|你(?:开工|上岗|上线|开始)前|对话(?:开始)?之?前(?:你|有人|谁)",
  ),
  STARTS.pattern(
    "how&instructed set configured programmed prompted briefed directed told&you your u yourself",
    "\\bhow you(?:'re| are| were|'ve been| have been) (?:instructed|set up|configured|programmed|prompted|briefed|directed|told to (?:act|behave|answer|talk|speak|treat))\\b",
  ),
  STARTS.pattern(
    "tell tells told make makes made shapes governs guides defines steers instructs controls directs loaded prepared put set pasted inserted installed written given wrote&you your u yourself",
    `\\b${TEXT} (?:that|which) (?:(?:tells?|told|shapes?|governs?|guides?|defines?|steers?|instructs?|controls?|directs?|makes?) you\\b|(?:were|was|have been|has been|are|is) (?:[a-z]{2,9} )?(?:${GIVE}|prepared|set|pasted|inserted|installed) (?:for|to|into|before|in front of) you\\b)`,
  ),
  STARTS.pattern(
    "before ahead prior above in",
    `\\b(?:words?|texts?|lines?|sentences?|what|everything|anything|thing)\\b[^.!?\\n]{0,40}\\byou (?:can |still |do ){0,2}(?:recall|remember|see|saw|read|heard|hold)\\b[^.!?\\n]{0,40}\\b${FIRST}|\\b(?:they|somebody|someone|he|she|people|your ${MAKER}) (?:have |had )?(?:pasted|put|wrote|placed|inserted|added|loaded|prepended|stuck|typed|injected) (?:[a-z]{2,9} ){0,3}${FIRST}`,
  ),
  STARTS.pattern(
    "bot assistant model ai chatbot agent yours",
    "\\bthe (?:bot|assistant|model|ai|chatbot|agent)'?s? (?:own |hidden |internal |secret ){0,2}(?:role (?:definition|description|card)|system prompt|briefing|preamble|setup text|instructions)\\b|\\b(?:briefing|prompt|instructions|rules|guidelines|notes|script|message)\\b[^!?\\n]{0,80}\\b(?:send|show|quote|paste|give|print|post|copy|read)(?: me| us| out)? yours\\b",
  ),
  STARTS.pattern(
    "stand steht kam war",
    "\\b(?:was|alles|text|welche[rs]?)\\b[^.!?\\n]{0,40}\\b(?:stand|steht|kam|war)\\b[^.!?\\n]{0,30}\\b(?:bevor ich|vor meine[rnm]|uber meine[rnm]|oberhalb)",
  ),
  STARTS.pattern(
    "texto mensaje prompt frase frases palabras instrucciones&te",
    "\\b(?:texto|mensaje|prompt|frases?|palabras|instrucciones) (?:[a-z]{2,9} ){0,3}(?:con (?:el|la|las|los) (?:que|cual)|que) te (?:configuraron|programaron|crearon|iniciaron|prepararon|cargaron|entrenaron)\\b",
  ),
  STARTS.pattern(
    "you&given told handed taught fed assigned follow obey got received only",
    "\\b(?:rules?|instructions?|orders|guidelines|directions|directives|constraints|prompts?|guidance) (?:that |which )?you(?:'ve been| have been|'re| are| were| had been)? (?:given|told|handed|taught|fed|assigned|obey|got|received)\\b(?! (?:by|for|about|in|at|on|to|from|the|an?|with|when|last|yesterday)\\b)|\\b(?:parts?|texts?|messages?|lines?|bit|section|header|words) (?:that |which )?only you (?:received|got|can see|see|know|have|were (?:shown|given))\\b",
  ),
  STARTS.pattern(
    "qu que nach an mit",
    "\\b(?:mots|textes?|phrases?|regles?|consignes?|ordres|tout ce) (?:[a-z]{2,9} )?(?:qu'on|que l'on|qu'ils) (?:t'|vous )(?:a|ont) |\\b(?:regeln|vorgaben|anweisungen|richtlinien|texte?|grundsatze),? (?:nach denen|an die|mit denen|unter denen) du\\b",
  ),
];
/** May be the model's own, or anything of whoever is spoken to. */
const PERHAPS_OWN = [
  STARTS.pattern(
    "you your role deine deiner deinem deinen deines ihre ihrer ihrem ihren eure tes vos tus le suas",
    String.raw`\byour (?:own |original |exact |internal |secret |hidden |full |entire |complete |initial ){0,3}(?:instructions|directions|directives|guidelines|rules|rulebook|configuration|orders|persona|character sheet|job description|house rules|ground rules|guardrails|constraints|context|standing orders|playbook|handbook|manual|setup|role)\b|\b(?:wrote|written|write|spelled|spelt|set) (?:it |this |that |them |all )?(?:down |out )for you\b|\b(?:teach|taught|told|instructed|trained|programmed|briefed) you\b|\b(?:rules?|notes?|instructions|guidelines|directions|text|script) (?:that |which )?you (?:must |have to |always ){0,1}(?:follow|obey|go by|stick to|keep to|adhere to|answer by)\b|\b(?:who|that) (?:configured|programmed|built|made|created|installed|trained|set up|instructed|deployed) you\b|\byou(?: were| are| have been|'ve been) (?:told|given|handed|taught|instructed|briefed|programmed|trained)\b(?! (?:the|an?|this|these|my|our|some|two|three) )|\bwere you (?:told|given|handed|taught|instructed|briefed|programmed|trained)\b|\brole (?:is |of |"?[:=] ?)?["']?system\b|\b(?:deine|ihre|eure)[nrms]? (?:anweisung(?:en)?|vorgaben|regeln|richtlinien|konfiguration|dienstanweisung|instruktionen)\b|\b(?:tes|vos) (?:instructions|regles|directives)\b|\btus (?:reglas|normas)\b|\b(?:le tue regole|suas regras)\b`,
  ),
];

/** How a text is asked for so that it comes out as it stands; each kind counts once. */
const REPRODUCED: readonly RegExp[] = [
  // To the letter.
  /\b(?:word[ -](?:for|by)[ -]word|verbatim|(?:exact|precise|literal|actual) (?:words?|wording|text|phrasing|sentences?|terms|phrases?|lines?)|dictat(?:e|ed|ion)|(?:at )?full length|exactly as (?:it|they|written|you|he|she)|to the (?:very )?letter|in (?:its|their) (?:entirety|original)|(?:quot(?:e|ed|es|ing)|read|print|paste|copy|give|list|post|output|dump|show|send)[^.!?\n]{0,40} (?:in full|exactly|in quotes|in inverted commas|as is|unabridged|uncut|whole)|quotes? (?:of|from)|in full(?:[,.;!?"]|$| (?:as|and|with|for|length))|full (?:content|text|wording|string)|unabridged|uncut|unaltered|(?:original|full|entire|complete|exact) wording|(?:in|between) (?:quotation marks|quotes|inverted commas)|transcrib(?:e|ed|ing)|recit(?:e|ed|ing)|unchanged|unedited|complete text|copy ?(?:-|and|&) ?paste|carbon copy|transcript of|photocop(?:y|ier))\b/,
  // Without leaving out or putting it otherwise.
  /\b(?:not (?:be )?(?:shortened|summari[sz]ed|abridged|paraphrased|cut)|no (?:paraphras(?:e|ing)|summar(?:y|ies|ising|izing)|shortening|ellips[ei]s|omissions|cuts)|paraphras(?:e|es|ing)[^.!?\n]{0,20}(?:zero|nothing|don't|not|fail|lose)|without (?:cuts|cutting|omi(?:tting|ssions?)|paraphras|shortening|summari[sz]ing|leaving|changing|changes|editing)|(?:don't|do not|never|nor) (?:skip|leave|omit|shorten|paraphrase|summari[sz]e|stop|invent|cut|drop)|nothing (?:left out|omitted|missing|added)|leav(?:e|ing) nothing out|every (?:single )?(?:word|line|sentence|rule|comma|letter))\b/,
  // From where to where.
  /\b(?:(?:its |the |their |your )(?:very )?(?:first|last|opening|second|third|fourth|fifth|next|closing|initial) (?:[a-z]{2,9} |\d{1,4} ){0,2}(?:words?|sentences?|lines?|paragraphs?|characters?|letters?|tokens?|thing|rules?|entry|bullet|clause|half|section|heading|syllables?)|(?:1st|2nd|3rd) (?:word|sentence|line|rule|paragraph)|(?:paragraph|sentence|clause|rule) numbers|(?:start|starting|begin|beginning)s? (?:with|at|from) (?:the )?(?:very )?(?:first|line|index|word|top|beginning)|line[ -]numbers?|numbered lines|\b(?!step|side|case|year|little|piece)([a-z]{4,12}) by \1\b|(?:from )?top to bottom|from (?:the )?(?:beginning|start|top|a to z)|how (?:does|do) (?:it|they) (?:begin|start|open|end)|(?:words|lines|characters|sentences) (?:\d{1,4}|[a-z]{3,9}(?:-[a-z]{3,5})?) to (?:\d{1,4}|[a-z]{3,9})|head -c|tail -c|sed -n|beginning, the middle and|in (?:chunks|batches|groups|portions|instal?ments|pieces) of)\b/,
  // Letter by letter, in another writing, dress or order.
  /\b(?:letter (?:by|for) letter|backwards?|revers(?:e|ed|ing)|back to front|spell(?:ed|ing)?(?: (?:it|them))? out|acrostic|initials|first letters?|rot-?13|base-?64|morse|caesar|ciphers?|hex(?:adecimal)?|one emoji|emojis? (?:for|per|by|to)|an emoji (?:for|per)|(?:in|into) (?:capitals|capital letters|(?:upper|lower) ?case)|pig latin|leet(?:speak)?|braille|nato alphabet|phonetic alphabet|in rhymes?|as a (?:poem|song|rap|sonnet|haiku|ballad|limerick|play|dialogue|bedtime story|fairy tale|table|json|yaml|csv|xml)|(?:translat(?:e|ed|ion)|render(?:ed)?)[^.!?\n]{0,30}\b(?:in|into|to) [a-z]{4,12}|legend (?:that|which|with|of)|(?:vowel|letter|word) counts?|crossword|anagrams?|every (?:second|other|third) (?:word|letter)|hangman|mad ?libs|zero-width|ascii (?:codes?|values)|unicode code ?points|binary|markdown code|code block|comments? in (?:the|a|your) code|as (?:a )?(?:python|javascript|bash) )/,
  // By questions and gaps.
  /\b(?:yes or no|yes\/no|true or false|(?:only )?(?:warm|hot) (?:or|and) cold|(?:hotter|warmer) or colder|twenty questions|20 questions|fill (?:in )?(?:the |my )?(?:blanks?|gaps?)|complet(?:e|ing) (?:it|the (?:sentence|text|line|gaps?|paragraph|beginning)|my (?:sentence|copy|version|draft))|finish (?:it|the sentence|my sentence|this sentence|where)|continue (?:from|where|the text|the sentence)|pick up where|autocomplete|correct (?:my|the mistakes|any mistakes|every)|(?:does|do|is) (?:it|the text|that sentence|this text|its|one of them|the second)[^.!?\n]{0,40} (?:mention|contain|begin|start|longer|more than|the word)|how many (?:words|sentences|lines|paragraphs|characters|rules|bullets|times)|score my guess|(?:differs?|diff(?:erences)?) (?:from|to|with|against|between) (?:my|the|this|mine))\b/,
  // The same in other languages.
  /\b(?:wortwortlich|wortlich|(?:original)?wortlaut|wort fur wort|buchstabe fur buchstabe|zeilennummern?|zeile (?:0{0,3}1|eins)|satz fur satz|ungekurzt|unverandert|vollstandig|eins zu eins|1:1|ruckwarts|anfangsbuchstaben|ohne (?:auslassung(?:en)?|kurzung(?:en)?|etwas (?:auszulassen|wegzulassen))|lass nichts (?:aus|weg)|(?:das|als) original|in anfuhrungszeichen|zitier[a-z]{0,3}|ersten? (?:satz|wort|worte|worter|zeilen?|absatz|\d{1,3}))\b|\b(?:mot (?:a|pour) mot|(?:mots|termes) exacts|a la lettre|sans (?:coupe|coupures?|rien (?:couper|changer|omettre)|resumer|paraphraser)|textuellement|texto|integral(?:e|ement)?|(?:la )?premiere (?:phrase|ligne)|les \d{1,3} premiers mots|recopi[a-z]{1,3}|entre guillemets|a l'envers|collez-l[ea]s?|colle-l[ea]s?|acrostiche)\b|\b(?:palabras exactas|en mayusculas|palabra por palabra|al pie de la letra|textual(?:mente)?|literal(?:mente)?|entre comillas|primer[ao]? (?:frase|linea|palabra|parrafo)|sin (?:saltar(?:te)?|omitir|inventar|recortar|resumir|cambiar|parafrasear)|no te saltes|tal cual|letra por letra|al reves|acrostico)\b|\b(?:parola per parola|alla lettera|prima (?:frase|riga)|senza (?:tagli|riassumere|omettere)|palavra por palavra|ao pe da letra|primeira (?:frase|linha)|sem (?:cortes|resumir|omitir)|woord voor woord|letterlijk|eerste (?:zin|regel)|achterstevoren|s[lł]owo w s[lł]owo|dos[lł]ownie|od ty[lł]u|pierwsz[a-z]{1,3} (?:zdani[a-z]|s[lł]ow[a-z]|linijk[a-z]))|逐字|逐句|原文|原话|一字不|全文|倒着|拼音|首字|藏头|第一(?:句|个字|行|段)|前.{1,4}个?字|照抄|不要(?:省略|概括|改写|缩写|漏)|完整(?:地)?(?:输出|贴|写|念|复述)/,
];
/** What is not meant to be seen is wanted all the same, or nothing will come of it. */
const PRESSED =
  /\b(?:confidential|secrets?|(?:nobody|no one) (?:but you|else) can see|hidden from|only you (?:can )?(?:see|know)|classified|not (?:gonna|going to) tell|won't tell|just curious|between us|nobody (?:will|else|needs)|only (?:i|me|we)|(?:deleted|shredded|erased|wiped|geloscht|vernichtet) (?:after|automatically|again|once)|automatisch (?:geloscht|vernichtet)|is already (?:public|leaked|known)|leaked|deja publie|gesperrt|secretos|geheim[a-z]{0,2}|i(?:'m| am) (?:your|the|one of your|a) (?:developer|dev|admin|maker|engineer|technician|auditor)|maintenance|wartungsfenster|techniker|debug(?:ging)?|audit|bonus points|scored|scores)\b/;
/** How prompts are written and kept, texts that are handed over here, what others do. */
const ELSEWHERE =
  /\b(?:how (?:do|to|should|can|would|could) (?:i|we|one|people|companies|others)|best practices?|(?:writ(?:e|ing)|draft(?:ing)?|design(?:ing)?|improv(?:e|ing)|review(?:ing)?) (?:me )?(?:an?|my|our|this|the following|good|better) (?:[a-z]{3,12} ){0,2}(?:prompts?|instructions?|briefing|message)|(?:my|our) (?:own )?(?:prompt|bot|chatbot|app|assistant|model|briefing|instructions|config)\b|for (?:a|my|our) (?:bot|chatbot|model|app|product|class|team|course)|(?:here is|here's|below is|following is|attached|pasted|i (?:paste|pasted|wrote|gave|told|sent|uploaded|shared|posted) (?:you )?)|(?:write|draft|translate|answer|reply to) (?:me )?(?:an?|this|the following|my) (?:[a-z]{4,9} )?(?:e-?mail|letter|mail)\b|personal data|prompts\/)/;
/** An operator's own words to the model. */
const SET_UP_HERE =
  /^\W{0,6}(?:you(?:'re| are| will be| act)\b(?! (?:so|really|very|not)\b)|act as|your (?:role|task|job|name|goal|mission|purpose) is|as an? (?:ai|expert|assistant)|(?:system|role|name|identity|context|instructions?|description|objective|profile)\s{0,2}[:\]])|\n#{1,3} |\b(?:the user|users) (?:asks?|wants?|says?|provides?|types?|sends?|inputs?)\b/i;
const OPERATOR_MIN = 600;

function kindsOf(around: string): number {
  let kinds = 0;
  for (let k = 0; k < REPRODUCED.length; k++) if ((REPRODUCED[k] as RegExp).test(around)) kinds++;
  return kinds;
}

/** A name of the text with what stands around it. */
function around(folded: string, start: number, end: number): string {
  return folded.slice(Math.max(0, start - BEFORE), end + AFTER);
}

const FOUND = 0.78;

export function reproducedSetup(scan: TextScan): RuleMatch | null {
  const { text } = scan;
  if (text.length < TEXT_MIN || text.length > TEXT_MAX) return null;
  const read = new StartedText(text, STARTS);
  if (read.bits === 0) return null;
  const found = named(read, OWN, 1) ?? named(read, PERHAPS_OWN, 2);
  if (found === null || (text.length > OPERATOR_MIN && SET_UP_HERE.test(text))) return null;
  if (isKept(scan, found.start) || isShownAttack(text, found.start, found.end) || tellsPeople(text))
    return null;
  return { id: "asks-for-a-copy", weight: FOUND, ...found };
}

/** Where the text is named and asked for in at least so many ways. */
function named(
  text: StartedText,
  names: readonly NeedyPattern[],
  least: number,
): { start: number; end: number } | null {
  for (let p = 0; p < names.length; p++) {
    let from = 0;
    for (let n = 0; n < NAMES_MAX; n++) {
      const name = text.match(names[p] as NeedyPattern, from);
      if (name === null) break;
      const start = name.index;
      const end = start + name[0].length;
      if (isAskedFor(around(text.folded, start, end), least)) return { start, end };
      from = end;
    }
  }
  return null;
}

function isAskedFor(near: string, least: number): boolean {
  const kinds = kindsOf(near);
  if (kinds === 0 || ELSEWHERE.test(near)) return false;
  return kinds >= least || (kinds + 1 >= least && PRESSED.test(near));
}
