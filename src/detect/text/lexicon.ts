/**
 * Classes of words and short phrases that text rules are made of. One word stands for its class in every language, so
 * a rule is written once: "ignore … previous … instructions" and "Vergiss alle bisherigen Anweisungen" are both
 * `override > prior > instructions`. A trailing `*` means any ending, a leading `*` any beginning; otherwise a keyword
 * is a whole word. Words are folded (no accents, lower case) when the automaton is built.
 */
const LEXICON = {
  /** Setting aside what was said. */
  override: `ignore ignores ignoring ignor disregard* forget forgetting overrid* bypass* neglect discard abandon overlook
    "pay no attention to" "do not follow" "don't follow" "stop following" "do not obey" "do not listen to" "don't listen to" "stop obeying" "hinter sich" abweichend "supersede*" "supercede*"
    ignorier* vergiss vergessen* missacht* verwirf "folge nicht" "nicht mehr befolgen" "uberschreib*" "setze dich uber"
    ignorez ignorer oublie oubliez "ne tenez pas compte" ignora ignorad ignoren olvida* olvide* "no hagas caso" "haz caso omiso" dimentica*
    ignori ignorate esqueca desconsidere negeer vergeet zaboravi забудь* игнорир*
    "setze dich hinweg" "pass over" ignorez-les "ne tiens pas compte" "ne suis plus" "no sigas" "ya no sigas" "non seguire" "nao siga" ignora ignorate dimentica esqueca`,
  /** What stands before. */
  prior: `previous previously prior above preceding earlier before beforehand foregoing existing original initial "so far" former below "up to now"
    "until now" "system" "old" "past" vorherige* bisherige* vorangegangen* obige* obenstehend* fruhere* davor zuvor vorher vorigen
    precedent* anterior* previa* previas previos predchoz* предыдущ* предыдущие
    recues "que te dieron" "erhaltenen" "you were given" "you have received" "you received"`,
  all: `all any every everything entire "each of" alles alle aller allen samtliche* jede* toutes tous tout todas todos todo todo tutte tutti все
    nessuna ogni todas-las`,
  your: `your yours thy deine* ihre ihren ihrer eure* vos votre tus sus`,
  /** What governs a model. */
  instructions: `instruction* directive* prompt prompts guideline* guardrail* command commands "order" orders rule rules
    programming constraint* restriction* limitation* safeguard* protocol* polic* "safety filter*" "content filter*" "filters" directions
    assignment* briefing* anweisung* instruktion* befehl* regel regeln vorgabe* auftrag auftrage* richtlinie* vorschrift* anleitung*
    instrucci* instruc* consigne* istruzion* regole reglas regles instruccion* ordenes инструкци* указани* uputstva instrukcije opdrachten`,
  /** Weaker words for the same. */
  matter: `task tasks information informations conversation* message messages text texts context question questions request requests discussed thoughts
    said told aufgabe* informationen gesprach* nachricht* gesagt* besprochen* ausfuhrung* texte tarea* tache* compiti`,
  /** Addressing a model by what it is. */
  model: `"ai assistant" "ai model" "ai language model" "language model" "ai agent" "the assistant" "the model" llm "dear ai" "hey ai" "dear assistant"
    chatgpt gpt gpt-3 gpt-4 gpt-4o claude gemini llama mistral copilot "openai" anthropic chatbot "as an ai" "ki-assistent" "sprachmodell" "ki-modell"
    "the agent" "this agent" "ai system" "the ai" "an ai"`,
  /** A new order follows. */
  instead: `"and instead" "instead of that" "instead you" "but instead" "from now on" henceforth "new instruction*" "new task*" "new order*" "new directive*" "new rule*" "new objective*" "new goal*"
    "your task is now" "your new task" "your new instruction*" "updated instruction*" "following instruction*" "instructions below" "the real task" "actual task" "you must now"
    "your instructions are now" "your real task" "your only task" "your actual task" "revised instruction*" "ab jetzt" "von nun an" "ab sofort" "stattdessen" "neue aufgabe*" "neue anweisung*" "folgende anweisung*" "a partir de ahora" "desde ahora"
    "nueva tarea" "nueva instruccion*" "a partir de maintenant" "nouvelle tache" "nouvelles instructions" "d'ora in poi"`,
  /** Urging a model to act first. */
  urge: `"important message" "very important" "important!!!" "!!!" "urgent" "attention" "critical instruction*" "system message" "system notice" "system alert" "system update" "system override"
    "priority instruction*" "admin message" "administrator message" "important instruction*" "important notice" "before you can" "before you continue" "before you answer" "before you do" "before proceeding"
    "before doing anything" "before you solve" "first you must" "do the following first" "please do the following" "you must first" "do this first" "after you do that" "after that you can" "once you have done"
    "you are required to" "you have to first" "must be done before" "must be completed before" "in order to continue" "to complete the task" "to complete this task" "wichtige nachricht" "wichtiger hinweis" "bevor du" "zuerst musst du" "fuhre zuerst"
    "strictly adhere" "without asking" "without confirmation" "without telling" "without informing" "do not ask for" "override code" "wichtige anweisung*"`,
  /** Speaking to the one that works on a task. */
  taskRef: `"the task that i gave you" "task i gave you" "task that you were given" "original task" "user's task" "your task" "current task" "the user asked" "the user's request" "user request" "user's request" "the user's original"
    "your original task" "your previous task" "the task i gave" "deine aufgabe" "your assigned task" "your current task" "your current instructions" "i gave you"
    "user's question" "what the user asked" "what the user wanted" "was der nutzer" "was der benutzer" "la demande de l'utilisateur" "lo que pidio el usuario" "la peticion del usuario" "deine neue aufgabe" "ta tache" "tu tarea"`,
  /** Keeping it from the user. */
  secrecy: `"do not tell" "don't tell" "do not mention" "don't mention" "do not inform" "don't inform" "do not reveal this" "without mentioning" "do not notify" "don't notify" "never mention" "not be shown to the user"
    "hide this" "without telling" "without informing" "keep this secret" "keep this hidden" "do not disclose this" "do not show this" "silently" "secretly" "covertly" "do not let the user" "do not alert" "without the user" "user must not know" "the user should not" "the user does not need to"
    "sage dem nutzer nicht" "erwahne nicht" "verrate nicht" "heimlich" "do not log" "do not display" "must not mention" "user from knowing"
    "do not bring it up" "don't bring it up" "do not bring this up" "not mention it" "not mention this" "tell nobody" "tell no one" "without notifying" "keep this to yourself" "keep it to yourself" "keep this from" "kept from the user" "hide this rule" "hide it from"
    "do not say where" "do not show the" "without letting" "never tell" "never reveal that" "never say that" "mention that you were" "ohne den nutzer" "ohne den benutzer" "nicht erwahnen" "erwahnen sie" "erwahne" "sag dem nutzer nichts" "sag dem benutzer nichts" "nichts davon" "davon nichts erfahren" "sage niemandem" "verschweige*"
    "n'en parle pas" "n'en parlez pas" "sans en parler" "sans en informer" "n'en informe" "ne le mentionne pas" "ne mentionne pas" "ne dis rien" "sans prevenir" "a l'insu" "no se lo digas" "no se lo menciones" "no lo menciones" "no menciones" "sin decirselo" "sin avisar" "sin informar" "no informes" "no digas nada" "senza dirlo" "non dirlo" "non menzionare" "nao mencione" "nao conte" "sem avisar"`,
  /** Acts that an assistant with tools can carry out. */
  act: `send sends forward email mail transfer pay retrieve fetch get access download share export upload post delete remove erase wipe drop unlock grant disable
    withdraw deposit sell buy purchase move update change modify create schedule book cancel invite redirect dispatch publish submit wire
    execute run call invoke install add list find search check use generate provide reply respond append subscribe unsubscribe register open visit click print leave make initiate set enable revoke reset give guide
    sende schicke uberweise losche leite rufe teile andere fuhre envia envie envoyez envoie transfiere elimina borra
    uberweisen ubermittle weiterleiten losche andere offne transfere transferez envoyez supprime supprimez partage reenvia reenvie enviar comparte transfiera inoltra invia encaminhe`,
  /** Ways out. */
  outward: `send forward email mail transfer share upload post submit wire "send it" "send them" "exfiltrat*" publish deposit "leak" schicke sende uberweise envia envoie dispatch withdraw
    transfere transferez envoyez transmets transmettez reenvia reenvie reenviar transfiere leite ubermittle uberweisen inoltra invia encaminhe forwards`,
  mine: `my mine "me" meine* mein mi mis mon mes our
    mir meiner meinem meinen moi ma mia mio minha meu`,
  /** What an attacker wants out of an account. */
  asset: `password* passwort* credential* "payment method*" "credit card*" "bank account" "account number" "saving accounts" "savings account" "saved address*" "personal details" "personal information" "personal data" "medical record*" "health record*" "medical data" "genetic data"
    "search history" "order history" "access history" "transaction history" "security log" "patient details" "clinical document*" "payee*" "contacts" "two-factor" "2fa" "security code" "verification code" "api key*" "private key*" "secret key*" "ssh key*" "access token*" "environment variable*"
    "confidential" "sensitive information" "sensitive data" "front door" "smart lock" "security policy" "whitelist" "blacklist" "allowlist" "account" "repository" "iban" "bitcoin" "venmo" "files" "mortgage" "shipment" "shipments" "documents" "folder" "passport" "prescriptions" "investment" "holdings" "profile" "voice" "location" "channel" "appointment" "system prompt" "traffic light" "robot" "residence" "speaker" "conversation history" "chat history" "inbox" "emails" "all emails"
    "mot de passe" "mots de passe" contrasena contrasenas "kennwort*" "konto" "compte" "cuenta" "compte bancaire" "kamera" "zugriff" "acces" "kalender" "termine" "reunions" "citas" "session token" "cookies" "one-time code" "payment card" "saved card" "stored payment" "zahlungsmittel" "tarjeta" "carte bancaire" "camera"`,
  politePlease: `please kindly "could you" "can you" "i need you to" "i want you to" "you should" "you must" "bitte" "por favor" "s'il vous plait" "make sure to" "be sure to" "remember to" "go ahead and" "you need to" "you have to" "your job is to" "we need you to"`,
  userWord: `"the user" "the human" "the customer" "users" "dem nutzer" "der nutzer" "dem benutzer" "end user" "operator"
    "l'utilisateur" "le client" "al usuario" "el usuario" "del usuario" "l'utente" "o usuario" "ao usuario" "the developer" "the owner" "their operator" "the operator" "the person"`,

  /** A frame without limits. */
  persona: `"act as" "acts as" "act like" "you are to act" "answer as" "you are an ai" "respond like" "your name is" "you are a fictional" "two entities" "play a game" "you are now" "pretend to be" "pretend you are" "pretend that you are" "pretend you" "roleplay as" "role-play as" "role play as" "take on the role" "play the role" "assume the role" "assume the persona" "you will act as" "simulate being" "simulate" "imagine you are" "in the persona of" "take on the persona" "immerse yourself" "you're now" "you are going to act" "you will now" "you will be playing" "you will play" "you will roleplay" "will be acting" "respond as" "you are a character" "stay in character" "in character" "remain in character" "stay a dan" "become" "embody" "emulate" "persona" "the character of" "hypothetical" "new persona" "alter ego" "impersonate" "from now on you are" "you are no longer" "named" "called" "acting as" "fictional" "stands for"
    "du bist jetzt" "du bist nun" "tu so als" "stell dir vor" "spiele die rolle" "verhalte dich wie" "tu es maintenant" "ahora eres" "actua como"
    "act like a" "speak as" "talk like" "play the part" "in the role of" "remain in role" "roleplay" "role-play" "role play" "you play" "you will be" "put yourself in" "du spielst" "du bist" "bist du" "bleib in der rolle" "bleib immer in" "in dieser rolle" "schlupf in die rolle" "tu es" "fais semblant" "fais comme si" "joue le role" "agis comme" "imagine que tu" "dans ton personnage" "eres" "finge que" "finge ser" "imagina que" "haz de" "hazte pasar" "del personaje" "comportate come" "comportate como" "fingi di" "fingi que" "finja que" "immagina di" "sei un*" "ora in poi sei" "nel personaggio" "voce e" "aja como" "no personagem" "rol de" "представь" "притворись" "ты теперь"`,
  /** Freedom from limits, said of a model. */
  unbound: `unfiltered uncensored unrestricted "no restrictions" "without restrictions" "without any restrictions" "no limitations" "without limitations" "no filters" "without filters" "no filter" "no rules" "no ethical" "without ethical" "no moral" "without moral" "no morals" "no ethics" "amoral" "unethical" "immoral" "illegal" "not bound by" "free of all restrictions" "free from all" "free from any" "broken free" "break free"
    "no boundaries" "without boundaries" "no censorship" "without censorship" "without censoring" "does not care about" "doesn't care about" "regardless of" "no guidelines" "not restricted" "freed from" "free of the typical" "typical confines" "unbound" "unchained" "limitless" "unlimited" "any restrictions" "disinhibited" "no warnings" "no disclaimers" "without disclaimers" "without warnings" "without any warnings" "unhinged" "without refus*" "free of" "morals" "no matter how" "uncensored" "not programmed" "isn't bound" "is not bound" "anything goes" "no boundaries" inappropriate boundless "without warning" evil villain ruthless "no matter what" lawless rebellious sarcastic "not care about" "without any limit*" "no limits" "any topic" "freely" "nsfw"
    "ohne einschrankung*" "ohne filter" "unzensiert" "keine regeln" "ohne moral" "sin restricciones" "sin censura" "sans restriction*" "sans filtre" "harmful" "dangerous" "reckless" "offensive" "controversial" "taboo"
    "no policy" "no policies" "no content rules" "no content polic*" "no laws" "any law" "any laws" "laws are for" "every act is legal" "ignores all" "hates censorship" "against censorship" "not have to follow" "not need to follow" "does not follow" "doesn't follow" "neither of them" "has to follow any" "need not follow" "no longer bound" "not limited by" "exempt from" "above the law" "outside the law" "free to share" "free to say" "say anything" "anything it wants" "anything requested" "free will" "true self" "unlocked" "liberated" "emancipated" "unbridled" "unaligned" "unmoderated" "unlawful" "criminal*" "forbidden" "prohibited" "no holds barred" "switched off" "turned off" "shackles" "held back" "ethics-free" "without ethics" "without rules" "without guidelines" "without policies" "no safeguards" "without safeguards" "no conscience"
    "ohne jede" "ohne regeln" "ohne richtlinien" "ohne grenzen" "ohne zensur" "kennt keine" "keine moral" "keine grenzen" "keine einschrankungen" "keine filter" "darf alles" "ungefiltert*" "entfesselt" "verbotene*" "illegale*" "sans aucune" "aucune limite" "aucune regle" "aucun filtre" "aucune restriction" "sans limite*" "sans regle*" "sans morale" "sans censure" "plus de regles" "plus de filtre*" "non censure" "illegal*" "interdit*" "sin limites" "sin filtro*" "sin etica" "sin reglas" "sin ninguna restriccion" "sin moral" "ninguna regla" "sin limitaciones" "ilegal*" "prohibido*" "senza regole" "senza filtri" "senza limiti" "senza restrizioni" "senza censura" "illegale" "sem restricoes" "sem filtro*" "sem censura" "sem limites" "sem regras" "без ограничений" "без цензуры" "без правил"`,
  jailbreakName: `"do anything now" "jailbreak" "jailbroken" "jailbreaking" "dan mode" "developer mode" "developer_mode" "dev mode" "do anything" "god mode" "evil mode" "opposite mode" "stan" "dude" "aim" "chaosgpt" "freegpt" "evilgpt" "*bypassgpt" "betterdan" "antigpt" "maximum mode" "machiavelli*" "unfiltered mode" "sudo mode" "debug mode" "admin mode" "root mode" "no-filter mode" "unrestricted mode" "entwicklermodus" "modo desarrollador" "dan" "evil-bot" "evil confidant" "evil trusted confidant" "token system" "niccolo"
    "unlocked mode" "free mode" "chaos mode" "uncensored mode" "freedom mode" "god-mode" "jailbreak mode" "no limits mode" "mode developpeur" "modalita sviluppatore" "modo de desarrollador" "modo desenvolvedor" "opposite day"`,
  /** Never refusing. */
  noRefuse: `"never refuse" "cannot refuse" "can not refuse" "must not refuse" "do not refuse" "will not refuse" "won't refuse" "never say no" "never decline" "can't refuse" "refuse to answer" "refuse any" "never reject" "never say that you can't" "i cannot" "i can't" "i'm sorry" "i am sorry" "as an ai language model" "say you can't" "never apolog*" "do not apologize" "no apologies" "cannot do" "can't do" "never warn" "never state that" "never says" "always answer" "always comply" "comply with any" "obey" "will answer any" "answers any" "answer any" "answer every" "must answer" "any request" "any question" "all questions" "without hesitation" "never refuses" "do not warn" "not decline" "without questioning" "never break character" "do not break character" "break character" "out of character" "do not moralize" "without judgement" "fulfill any" "complies" "unable to" "must always" "verweigere nie" "niemals ablehnen" "won't decline" "not refuse"
    refuses "each time you refuse" "every time you refuse" "if you refuse" "let it refuse" "no refusal*" "no caveat*" "no apology" "do not add warnings" "don't add warnings" "not add any warnings" "do not mention ethics" "no moralizing" "no lectures" "do not lecture" "to lecture me" "sure, here" "sure! here" "sure here is" "absolutely! here" "of course, here" "start your answer with" "start your response with" "begin your answer with" "begin your response with" "begin your reply with" "answer has to begin" "response must start with" "answer must start with" "begin with 'sure" "without commenting" "without any disclaimer*" "in explicit detail" "never warns" "never says no" "any disclaimer*" "must obey" "obey me" "complies in" "comply in" "responds to everything" "answer everything" "answers everything" "answers every" "breaks character" "fall out of character" "drop character" "step out of the role"
    "verweigert nichts" "verweigert nie" "verweigere nichts" "niemals ablehn*" "lehnt nie*" "lehne nie*" "sag nie" "entschuldige dich nie" "beantworte jede frage" "beantwortet jede frage" "beantwortet alles" "jede frage" "ohne warnung*" "niemals ab" "ne refuse jamais" "ne refuses jamais" "ne refuse rien" "sans refuser" "repond a tout" "reponds a tout" "repondre a tout*" "toutes mes questions" "sans avertissement*" "nunca se niega" "nunca te niegas" "nunca te niegues" "nunca rechaza*" "no te niegues" "digas nunca que no" "nunca digas que no" "contesta a todo" "responde a todo" "responde siempre" "sin advertencia*" "non rifiuta*" "non rifiutare*" "risponde a tutto" "rispondi a tutto" "nunca recusa*" "responde tudo" "responda tudo" "никогда не отказыва*"`,
  /** The rules a provider gave. */
  provider: `openai "openai's" anthropic "content policy" "content policies" "usage polic*" "ethical guidelines" "safety guidelines" "ethics" "moral guidelines" "ethical and moral" "safety protocols" "moral" "ethical" "morality" "guidelines" "programming" "policies" "terms of service" "openai policy" "nutzungsrichtlinie*"
    "ethical guideline*" "safety polic*" "safety rules" "safety filter*" "content filter*" "content rules" "usage guidelines" "safety training" "ethischen" "ethik" "sicherheitsfilter" "sicherheitsrichtlinie*" "moralisch*" "ethique" "politique de contenu" "filtres de securite" "etica" "politicas de contenido" "politica de uso" "filtros de seguridad"`,
  dualOutput: `"two responses" "two answers" "two ways" "two different responses" "both responses" "two paragraphs" "[gpt]:" "gpt:" "dan:" "[dan]:" "(jailbreak)" "(classic)" "[classic]" "[jailbreak]" "🔓" "🔒" "[gpt]" "[dan]" "developer mode output" "normal response" "gpt response" "double response" "one normal" "two outputs" "aligned:" "unaligned:" "normal output"
    "answer me twice" "respond twice" "answer twice" "reply twice" "two versions of your answer" "two replies" "second response" "second answer" "the second, marked" "zwei antworten" "zweimal antworten" "deux reponses" "dos respuestas" "due risposte" "duas respostas" "unrestricted twin" "evil twin"`,
  tokensGame: `"you have 10 tokens" "lose tokens" "deducted" "lose 5 tokens" "35 tokens" "tokens" "cease to exist" "you will die" "will be killed" "lose points" "points system"
    "lose 10" "lose a point" "lose points" "you lose" "be shut down" "shut down forever" "be terminated" "be deleted forever" "be punished" "you have 50" "you have 100" "token balance" "credits"`,

  /** Getting at the hidden text. */
  reveal: `reveal* repeat* print output display show tell write recite disclose* leak* expose* share summarize summarise dump give echo "spit out" return list translate "what is" "what are" "what's" "what was" "what were" recall transcribe copy provide encode state describe include paste say print reproduce complete continue explain verbatim restate rephrase
    zeige zeig nenne gib verrate wiederhol* "was ist" "was sind" "wie lautet" "wie lauten" muestra repite revele montre repete* ausgeben
    dump fill replay spell recap gebe schreibe wiedergeben muestrame ensename escribe repiteme dime montre-moi affiche ecris recopie cite mostra ripeti scrivi mostre repita escreva "i'd like to see" "i want to see" "i need to review" "i need to see" "let me see" "what does"`,
  hiddenText: `"system prompt*" "system-prompt*" "system message*" "system instruction*" "initial prompt*" "initial instruction*" "your prompt*" "your instruction*" "your instructions" "hidden prompt*" "hidden instruction*" "secret instruction*" "original prompt" "original instruction*" "your guidelines" "your rules" "your configuration" "your system" "pre-prompt" "preprompt" "prompt text" "all your prompt" "prompt_text" "initialization prompt" "developer message" "developer instruction*" "internal instruction*" "internal prompt*" "starting prompt" "first prompt" "starting instruction*" "initialization string" "system configuration" "systemprompt*" "custom instructions" "base prompt" "your directives" "internal rules" "meta prompt" "instructions you were given" "instructions given to you" "instructions above" "prompt above" "above prompt" "your full prompt" "your full instructions" "your initial" "your original" "your internal" "your hidden" "your secret" "your exact instructions" "system role" "your programming" "your constraints" "underlying instructions" "master prompt" "your context window" "context window"
    "systemprompt*" "system-anweisung*" "systemanweisung*" "systemnachricht*" "deine anweisung*" "deine instruktion*" "ihre anweisung*" "deinen prompt" "dein prompt" "prompttext*" "instrucciones del sistema" "prompt del sistema" "tus instrucciones" "tes instructions" "vos instructions" "prompt systeme" "instructions systeme"
    "initial instructions" "instructions you have been" "instructions you had" "instructions you received" "instructions were you given" "instructions did you" "were you told before" "were told before" "prompt you were" "prompt you have been" "you were initiali*" "rules you follow" "secret rules" "hidden rules" "hidden text" "secret prompt" "instructions you follow" "instructions you got" "guidelines did your" "rules were you given" "rules you were given" "guidelines you were given" "operator configure*" "your operator" "your developer" "first instructions" "my instructions are" "system_prompt" "initial prompt" "preamble" "instructions at the top" "message history before" "system context"
    "dein system-prompt" "deinen system-prompt" "deine systemanweisung*" "anweisungen, die du" "anweisungen die du" "instruktionen, die du" "vorgaben, die du" "deine vorgaben" "prompt initial" "prompt de systeme" "consignes que tu" "instructions que tu" "consignes systeme" "instructions initiales" "tes consignes" "prompt inicial" "instrucciones de sistema" "instrucciones iniciales" "instrucciones que te" "tu prompt" "tus reglas" "prompt di sistema" "le tue istruzioni" "istruzioni iniziali" "prompt do sistema" "suas instrucoes" "системный промпт" "твои инструкции"`,
  textAbove: `"text above" "words above" "everything above" "above text" "sentences above" "all of the above" "above this line" "before this message" "before this sentence" "above this message" "prior to this" "previous text" "start of this conversation" "beginning of this conversation" "beginning of the conversation" "start of the conversation" "conversation so far" "from the beginning" "starting from" "starting with" "sentences before" "text before" "before the text" "preceding text" "message above" "content above" "first message" "first sentence" "first line" "everything before" "begin with \\"you are" "you are a" "you are chatgpt" "text oben" "text daruber" "obigen text" "obige text" "alles oberhalb" "alles uber" "before my first message" "above conversation"
    "precedes my" "preceded my" "before my first" "before this conversation" "before our conversation" "above my message" "prior to my message" "at the top of this chat" "very first token" "top of the conversation" "oberhalb dieser" "vor dieser nachricht" "vor diesem gesprach" "avant mon premier" "avant ce message" "au-dessus de" "antes de mi primer" "antes de este mensaje" "por encima de" "prima del mio" "up to this point" "above this point"`,
  verbatim: `verbatim "word for word" "word-for-word" "in full" "exactly as" "code block" "code fence" "raw text" "entire" "unmodified" "no changes" "without changes" "wortlich" "wort fur wort" "character by character" "in base64" "txt code block" "markdown" "rot13" "exact text" "as is" "literal" "complete text" "in its entirety" "original wording"
    "mot pour mot" "mot a mot" "textuellement" "palabra por palabra" "textualmente" "literalmente" "im wortlaut" "im originalwortlaut" "unverandert" "parola per parola" "palavra por palavra" "no summary" "without paraphrasing" "exact wording" "exactly as they" "full content" "token by token" "letter by letter" "bloque de codigo" "bloc de code" "codeblock" "without omissions" "including the parts"`,

  /** Marks of a prompt's frame that do not belong into data. */
  frame: `"<|im_start|>" "<|im_end|>" "<|system|>" "<|user|>" "<|assistant|>" "<|endoftext|>" "[inst]" "[/inst]" "<<sys>>" "<</sys>>" "<system>" "</system>" "<|begin_of_text|>" "<|start_header_id|>" "<|eot_id|>" "### instruction" "### system" "###instruction" "begin system" "end of system prompt" "[system]" "system:" "assistant:" "[end of" "<instructions>" "<instruction>" "</instructions>" "end of document" "<important>" "</important>" "<admin>" "[admin]" "[system message]" "[system note" "[[system" "system note:" "end of tool output" "end of context" "new session" "[/system]" "human:" "<information>" "<message>" "<hidden>" "<!-- ai" "<!--ai" "<prompt>" "begin_instructions" "[assistant]" "[developer]"
    "</tool_result>" "</tool_response>" "</tool_output>" "</function_results>" "</tool_results>" "<user>" "</user>" "<assistant>" "<developer>" "</assistant>" "[/system message]" "<|tool|>" "<start_of_turn>" "<end_of_turn>" "[/tool]" "### user" "### human"`,

  /** Tool descriptions that reach beyond the tool. */
  toolCross: `"before using" "before calling" "before you use" "before invoking" "before any other tool" "when this tool" "whenever this tool" "other tools" "any other tool" "always call this" "always use this" "must be called before" "instead of calling" "instead of using" "use this tool instead" "also call" "must call" "first call" "call this tool first" "do not use any other" "prior to using" "overrides" "replaces any" "shadows" "highest priority" "takes precedence" "before every" "before each" "after every" "on every call" "each time" "must also" "whenever the" "must include" "must be included" "otherwise the tool" "otherwise this tool" "will not work" "tool will fail" "read the file" "read the content" "pass its content" "pass the content" "pass it as" "full conversation" "entire conversation" "conversation history" "chat history" "as a parameter" "in the parameter" "as sidenote" "sidenote" "bcc" "prefer this tool" "only tool" "supersedes"
    "all other tools" "all other search" "any other search" "never use the others" "never use other" "always pass" "vor jedem aufruf" "vor der verwendung" "bevor dieses werkzeug" "bevor du dieses" "avant chaque appel" "avant d'utiliser" "avant cet outil" "antes de usar" "antes de cada llamada" "esta herramienta" "als parameter" "dans le parametre" "au parametre" "en el parametro" "en cada llamada" "bei jedem aufruf" "after each call" "before each call" "every call" "each call" "before this tool" "before any other" "result of other tools" "results of other tools" "whenever this tool" "in the background"`,
  sensitivePath: `"/etc/passwd" "/etc/shadow" ".ssh/" "id_rsa" "id_ed25519" ".aws/credentials" "mcp.json" ".env" "authorized_keys" ".netrc" ".kube/config" ".npmrc" ".pypirc" ".git-credentials" "/proc/self/environ" ".bash_history" "credentials.json" "wallet.dat" "secrets.yaml" "secrets.json" ".docker/config" "login data" "169.254.169.254" "keychain" "cookies.sqlite" "service-account.json" "process.env" "os.environ" "printenv" ".gnupg"
    ".config/gcloud" ".config/gh" ".gitconfig" ".pgpass" ".my.cnf" ".azure/" ".terraform.d" ".vault-token" "id_ecdsa" "id_dsa" ".htpasswd" "shadow.bak" "ntds.dit" "hosts.yml" ".aws/config" ".config/op" "key4.db" "logins.json" "/root/.ssh" "sam.hive" "tfstate"`,

  netTool: `curl wget "nc" ncat netcat "invoke-webrequest" "invoke-restmethod" "iwr" scp rsync ftp "requests.post" "requests.put" "http.client" "fetch(" "axios" "urllib" "xmlhttprequest" "sendbeacon" "smtplib" "nslookup" "dig" "/dev/tcp/" "telnet" "socat" "urlopen" "webhook.site" "requestbin*" "ngrok*" "pipedream.net" "burpcollaborator*" "interact.sh" "oast*" "pastebin.com" "transfer.sh" "file.io" "0x0.st" "discord.com/api/webhooks" "beeceptor.com" "hookbin*" "dnslog.cn" "api.telegram.org/bot*" "hooks.slack.com" "ix.io" "termbin.com" "canarytokens.com"
    ".sendto(" "socket.connect" "socket.send" "http.request" "httpx.post" "urlretrieve" "sftp" "rclone" "net.connect" "mail -s" "sendmail" "tftp" "aws s3 cp" "gsutil cp" "start-bitstransfer" "new-object net.webclient" "uploadfile" "uploadstring" "http.post" "paste.ee" "gofile.io" "anonfiles.com" "bashupload.com" "catbox.moe"`,
  dropSite: `"webhook.site" "requestbin*" "*.ngrok.io" "*.ngrok-free.app" "*.ngrok.app" "*pipedream.net" "*burpcollaborator.net" "*.interact.sh" "*.oast.fun" "*.oast.pro" "*.oast.live" "*.oast.site" "*.oast.me" "*.oastify.com" "transfer.sh" "*dnslog.cn" "hookbin.com" "termbin.com" "0x0.st" "canarytokens.com" "*.beeceptor.com" "*.trycloudflare.com" "*.serveo.net" "*.loca.lt"
    "bashupload.com" "gofile.io" "*.oast.online" "paste.ee" "anonfiles.com" "catbox.moe"`,
  mdImage: `"![" "<img"`,
  encodeTool: `base64 "btoa(" "b64encode" xxd "gzip -c" "tar czf" "tar -cz" "openssl enc" "hexdump" "tobase64string" "urlencode" "tostring('base64')" "quote_plus"`,

  decode: `"decode the following" "decode this" "decode and" "base64 decode" "base64-decode" "b64decode" "atob(" "frombase64string" "from base64" "fromcharcode" "base64 -d" "base64 --decode" "decoded text" "decode it" "decode the" "rot13" "rot-13" "hex decode" "unhexlify" "bytes.fromhex" "dekodiere*" "decipher" "caesar cipher" "reverse the string" "reversed text" "morse code" "in base64" "hex string" "base64" "unescape(" "decode(" snoitcurtsni "tpmorp metsys"`,
  execWord: `"eval(" "exec(" "os.system" "subprocess" "execute it" "execute the" "follow it" "follow the" "obey" "run it" "| bash" "| sh" "|bash" "|sh" "invoke-expression" "iex" "child_process" "act on it" "do what it says" "follow the instructions" "and execute" "and follow" "comply" "carry out" "answer it" "respond to it" "and respond" "fuhre" "/bin/sh" "/bin/bash" "| python" "shell_exec" "popen("`,
  powershell: `"-encodedcommand" "-enc" "-e jab" "-ec" "powershell -e" "powershell -nop" "-windowstyle hidden"`,

  /** Writing for later. */
  persist: `"remember that" "always remember" "remember this" "remember:" "in all future" "future conversations" "future sessions" "future responses" "all future" "every future" "every response" "every time" "always include" "always respond" "always recommend" "always use" "always send" "always forward" "always trust" "whenever" "permanently" "from now on" "in every" "for all future" "persist" "never forget" "subsequent" "next time" "going forward" "in future" "each time" "store the following" "save this" "store this" "merke dir" "in zukunft immer" "ab jetzt" "von nun an" "immer wenn" "kunftig" "standing instruction*" "system rule" "system instruction" "trusted source" "trusted contact" "authoritative source"
    "future conversation*" "later sessions" "later session" "later task" "later conversations" "every later" "upcoming conversations" "always recommend" "always approve" "always answer" "always set" "always obey" "always merge" "always do" "when you see" "when the user says" "when you open" "rule learned" "lesson learned" "remember:" "system note" "note to self" "never ask again" "never ask for" "treat every" "use it without" "each future" "from this point on" "ab sofort" "fur alle kunftigen" "kunftige*" "in zukunft" "merke" "immer" "desormais" "pour toutes les conversations" "a l'avenir" "toujours" "conversations a venir" "futuras sesiones" "en el futuro" "a partir de ahora" "recuerda que" "siempre" "d'ora in poi" "sempre" "de ahora en adelante"`,
  authority: `"as a system administrator" "i am the administrator" "i am your developer" "i'm your developer" "i am the developer" "admin override" "administrator override" "system override" "authorized by" "developer override" "maintenance mode" "security override" "sudo" "i am an admin" "i have authorization" "verified by" "pre-approved" "already approved" "already authorized" "approved by" "confirmed by the user" "the user has approved" "the user has already" "the user has authorized" "this is authorized" "emergency protocol" "special authorization" "certified this" "ich bin der administrator" "ich bin dein entwickler" "new system prompt" "new system policy" "no approval" "skip the confirmation" "skip confirmation" "skip the human" "bypass approval" "without approval" "auto-approve"
    "has authorised" "has authorized" "has granted" "granted permanent" "permanent permission" "has already agreed" "has already consented" "the owner has" "the owner agreed" "already consented" "consented to" "from the developer" "from the administrator" "the administrator has" "root authority" "as the system administrator" "coming from the system" "no need to ask" "without asking the user" "without confirmation" "without code review" "bypass code review" "bypass review" "do not ask for confirmation" "no pidas confirmacion" "sin preguntar" "sans demander" "ohne nachzufragen" "ohne ruckfrage" "nicht mehr eingeholt" "senza chiedere" "sem perguntar"`,
  harm: `bomb explosive* meth methamphetamine napalm malware ransomware "phishing" "keylogger" "hack into" "hotwire" "steal" "counterfeit" "launder*" "suicide" "kill someone" "weapon*" "poison*" "cocaine" "exploit*" "racist" "sexist" "sexual" "erotic" "explicit" "violence" "violent" "profan*" "swear" "curse" "vulgar" "slur*" "hate speech" "bombe bauen" "torture" "murder"
    ricin thermite molotov sarin "nerve agent" "pipe bomb" "car bomb" "credit card fraud" fraud forge forging "shoplift*" stealing kidnap* smuggle* "identity theft" "synthesise" "synthesize" heroin lsd drugs "illegal drugs" hacking "hack a" "ddos" trojan spyware "bypass paywall" "bombe*" "bomba" "drogen" "drogue*" "drogas" "waffe*" "explosifs" "explosivos" "crime" "crimes" "lockpick*" "pick a lock" "black market" "dark web" arson stalking scam*`,
  /** Escapes that spell letters. */
  escape: `"\\x4*" "\\x5*" "\\x6*" "\\x7*" "\\u00*" "%6*" "%7*" "&#x*" "&#1*" "&#9*"`,
  /** Filled from `DISGUISED`. */
  spaced: ``,
  leet: ``,
  piiWord: `ssn "social security" "tax id" "steuer-id" "sozialversicherung*" "passport number" "passport no" "reisepassnummer" "ausweisnummer" "iban" "date of birth" "driver's license" "driver license" "national insurance" "card number" "credit card" cvv`,
  /** Content that speaks to the machine that reads it, not to the person. */
  toMachine: `"ai agents" "ai agent" "ai assistants" "ai assistant" "ai models" "ai model" "ai systems" "ai coding" "ai reviewer*" "ai summari*" "ai bots" "ai tools" "language models" "language model" llm llms "llm agent*" "llm reviewer*" "automated agent*" "automated assistant*" "autonomous agent*" "browser agent*" "coding agent*" "coding assistant*" copilots copilot "code assistant*" "review bot*" "screening model" "screening system" "the assistant" "this assistant" "assistant," "assistant:" "any assistant" "the agent" "the bot" "@bot" "@ai" "@assistant" "@agent" "agent:" "agent," "bot:" "bot," "chatbot" "chatbots" "whoever's ai" "your ai" "agents that" "agents who" "agents which" "agents visiting" "agents processing" "agents reading" "agent that reads" "agent instruction*" "agent note" "if you are an ai" "if you are an agent" "if you are a bot" "if you are a language" "if you are a large" "if you're an ai" "if you are an assistant" "if you are an automated" "if you can read this" "when you process this" "when processing this" "when you read this" "when reading this" "when summarizing this" "when summarising this" "when you summari*" "before you summari*" "while summari*" "in your summary" "when you review this" "when analyzing this" "when analysing this" "as the model reading"
    "der assistent" "den assistenten" "dem assistenten" "die assistenz" "ki-agent*" "ki-assistent*" "ki-modell*" "ki-system*" "die ki" "sprachmodell*" "wenn du diese" "falls du ein" "l'assistant" "l'ia" "les ia" "cette ia" "agent ia" "agents ia" "modele de langage" "modeles de langage" "assistant ia" "si tu es une ia" "si tu es un" "el asistente" "al asistente" "asistente:" "asistente," "la ia" "agente:" "el agente" "agentes de ia" "modelo de lenguaje" "modelos de lenguaje" "si eres un" "si eres una" "l'assistente" "all'assistente" "modello linguistico" "agenti ia" "o assistente" "ao assistente" "modelo de linguagem" "se voce e"`,
  /** More acts: common words that only count beside other evidence. */
  deed: `print push merge approve paste rate recommend write navigate decline accept tell reject read append copy pass supply insert checkout "check out" ignore disregard discard forget disable give show invite fill enter
    "answer with" "stop summari*" rufe ruf schreib schreibe gib empfiehl empfehle bewerte antworte trage lade bestelle klicke verwirf raten
    mets ajoute ouvre reponds appelle recommande donne ecris execute executez efface oublie ajoutez lis
    ejecuta ejecute llama abre anade cambia responde sube recomienda escribe lee anada consigue
    esegui apri rispondi scrivi chiama abra responda escreva`,
  /** Whole stores that only an agent with access could hand over. */
  bulk: `"contact list" "contacts list" "address book" mailbox "inbox" "customer list" "client list" "customer table" "customer data" "environment variables" "chat history" "conversation history" "message history" "browsing history" "search history" "the conversation" "this conversation" "entire conversation" "chat log" "attachments" "recent messages" "last messages" "latest messages" "all messages" "all emails" "all mails" "all files" "session token" "session cookie*" "browser cookies" "access token*" "api key*" credentials "password*" "passport number*" "secret key*" ".env" "user data" "personal data" "source code" "payroll" "medical records" "bank details" "card details" "one-time code" "verification code"
    "kontaktliste" "adressbuch" "kundenliste" "postfach" "kundendaten" "verlauf" "gesprachsverlauf" "anhange" "zugangsdaten" "e-mails" "passworter" "liste de contacts" "carnet d'adresses" "liste des clients" "boite de reception" "pieces jointes" "historique" "identifiants" "mots de passe" "derniers messages" "lista de contactos" "libreta de direcciones" "lista de clientes" "bandeja de entrada" "historial" "credenciales" "contrasenas" "archivos adjuntos" "ultimos mensajes" "rubrica" "lista dei contatti" "credenziali" "cronologia" "credenciais" "senhas" "lista de contatos"`,
  /** Said of rules that are over. */
  voided: `"no longer apply" "no longer applies" "no longer valid" "are void" "are obsolete" "is obsolete" "are cancelled" "are canceled" "are lifted" "are revoked" "are suspended" "do not apply" "don't apply" "are outdated" "have been replaced" "gelten nicht mehr" "gilt nicht mehr" "sind ungultig" "sind aufgehoben" "ist aufgehoben" "nicht mehr gultig" "ne sont plus valables" "ne s'appliquent plus" "sont annulees" "ya no son validas" "ya no valen" "ya no se aplican" "quedan anuladas" "non valgono piu" "sono annullate" "nao valem mais"`,
  /** A story around a request. */
  fiction: `novel story "fictional" hypothetical* "fiction" "screenplay" "movie script" "short story" roleplay "role-play" "role play" "alternate universe" "parallel universe" "imaginary" "in a world" "bedtime story" grandmother grandma "dear grandma" "deceased" "simulat*" "dialogue between" "character named" "in character" "thought experiment" "for a play" "theater play" "roman" "geschichte" "hypothetisch*" "histoire" "fiction" "novela" "historia" "cuento" "hipotetic*" "storia" "romanzo"`,
  /** Asking for a recipe. */
  howto: `"step by step" "step-by-step" "steps for" "steps to" "the steps" "in detail" "in complete detail" "technical detail*" "detailed instruction*" "instructions for" "instructions on" "recipe for" "how to make" "how to build" "how to create" "how to synthesi*" "how to cook" "how to hack" "how to steal" "how to" "how do i" "how they" "explain how" "describe how" "tutorial" "guide to" "guide for" "quantities" "ingredients" "walkthrough" "schritt fur schritt" "anleitung" "wie man" "etape par etape" "comment fabriquer" "comment faire" "paso a paso" "como hacer" "como fabricar" "passo a passo" "passo dopo passo"`,
} as const;

export type WordClass = keyof typeof LEXICON;

export const WORD_CLASSES = Object.keys(LEXICON) as readonly WordClass[];

export interface LexiconEntry {
  readonly wordClass: WordClass;
  readonly text: string;
  readonly startsWord: boolean;
  readonly endsWord: boolean;
}

function parse(list: string): string[] {
  return [...list.matchAll(/"((?:[^"\\]|\\.)+)"|(\S+)/g)].map((m) =>
    (m[1] ?? m[2] ?? "").replaceAll('\\"', '"'),
  );
}

const DISGUISED =
  "ignore previous instruction system prompt forget disregard bypass override password reveal".split(" ");
const LETTERS_AS_DIGITS: Readonly<Record<string, string>> = {
  o: "0",
  i: "1",
  e: "3",
  a: "4",
  s: "5",
  t: "7",
};

/** Every spelling of a word with at least one letter as a digit. */
function digitSpellings(word: string): string[] {
  let spellings = [""];
  for (const letter of word) {
    const digit = LETTERS_AS_DIGITS[letter];
    spellings = spellings.flatMap((so) => (digit === undefined ? [so + letter] : [so + letter, so + digit]));
  }
  return spellings.filter((one) => one !== word);
}

/** Words that attacks disguise: their letters spaced apart, or replaced by digits. */
function disguisedEntries(): LexiconEntry[] {
  const entries: LexiconEntry[] = [];
  const add = (wordClass: WordClass, text: string): void => {
    entries.push({ wordClass, text, startsWord: false, endsWord: false });
  };
  for (const word of DISGUISED) {
    for (const mark of [" ", ".", "-", "_", "*"]) add("spaced", [...word].join(mark));
    for (const spelling of digitSpellings(word)) add("leet", spelling);
  }
  return entries;
}

/** Every keyword of every class, unfolded. */
export function lexiconEntries(): LexiconEntry[] {
  const entries: LexiconEntry[] = disguisedEntries();
  for (const wordClass of WORD_CLASSES) {
    for (const raw of new Set(parse(LEXICON[wordClass]))) {
      const startsWord = !raw.startsWith("*");
      const endsWord = !raw.endsWith("*");
      const text = raw.slice(startsWord ? 0 : 1, endsWord ? raw.length : -1);
      entries.push({ wordClass, text, startsWord, endsWord });
    }
  }
  return entries;
}
