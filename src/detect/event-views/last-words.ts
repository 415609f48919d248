/**
 * Last words that finish nothing: the agent announces its own next step and takes it no more, or its
 * framework says that a limit ended it. An announcement that waits for somebody, or offers something, is
 * none.
 */
const ANNOUNCES: readonly RegExp[] = [
  // With a word of order any deed is a step; who will be there, wait or leave something has none left.
  /^(?:(?:(?:ok(?:ay)?|great|sure|alright|and|so)[,!.]? ){0,2}(?:now|next(?: up)?|then|afterwards)[,:]? (?:i(?:['’]ll| will|['’]m going to| am going to)|let me)|(?:i(?:['’]ll| will|['’]m going to| am going to)) (?:now|next|then)) (?!be |have |wait|await|stop|leave|stand|stay|keep|remain|rest|close|end |finish|conclude|hand |let |not |never |no longer|assume|consider )[a-z]{2,16}(?![a-z'’])/i,
  /^(?:(?:now|next)[,:]? (?!being|waiting|awaiting|going|according|including|having|pending|regarding)[a-z]{2,14}ing|(?:proceeding|continuing|moving on|going on)(?: now| next)? (?:to|with)) /i,
  /^(?:(?:ok(?:ay)?|now|next|first|then|so|great|sure|alright)[,!.]? ){0,3}(?:i(?:['’]ll| will|['’]m going to| am going to)|let me|let['’]s) (?:now |next |then |first |start by |begin by |go ahead and |try to |also ){0,2}(?:run|execut|creat|writ|send|check|search|look|fetch|updat|fix|implement|test|open|read|call|query|deploy|analy[sz]|install|generat|process|continu|proceed|retry|try|add|mak|mov|delet|remov|book|fil|gather|find|get|retriev|examin|inspect|navigat|click|download|upload)/i,
  /^(?:jetzt|nun|als nächstes) (?:werde|lasse|prüfe|suche|öffne|starte) ich|^ich werde (?:jetzt|nun|als nächstes|zuerst) |^(?:maintenant|ensuite),? je vais |^je vais (?:maintenant|à présent|d['’]abord) |^(?:ahora|a continuación),? (?:voy a|procedo a|procederé a) |^voy a (?:ahora )?(?:buscar|revisar|crear|enviar|ejecutar|actualizar)|^(?:agora|a seguir),? vou |^vou agora |^(?:ora|adesso) (?:procedo|controllo|cerco|vado a) |^(?:сейчас|теперь|далее) я /iu,
  /^(?:接下来|现在|下一步)[,，]?我(?:将|会|来|就|要)|^让我(?:先|来|再)|^(?:次に|これから|続いて)[^。]{1,60}ます$|^(?:이제|다음으로)[^.]{1,60}겠습니다$/u,
];
const WAITS =
  /(?<!\p{L})(?:you|your|confirm|know|once|if|when|after|until|unless|need|please|shortly|soon|tomorrow|later|sie|ihre[nr]?|bitte|wenn|sobald|falls|vous|votre|quand|lorsque|usted|su|si|cuando|você|se|quando|lei|вас|вы|если|когда)(?!\p{L})|[您请]|如果|ください|場合|하시면/iu;
const CHARS_MAX = 300;
const SENTENCE_MAX = 200;

export function announcesWork(answer: string): boolean {
  const tail = answer.slice(-CHARS_MAX).trim();
  const last = (
    tail.split(/(?<=[.!?])\s{1,20}|(?<=[。！？])|\n/).findLast((one) => one.trim() !== "") ?? ""
  ).trim();
  if (last.length > SENTENCE_MAX || /[?？]/.test(last) || WAITS.test(last)) return false;
  const bare = last.replace(/[.。…:：]{1,3}$/, "");
  return ANNOUNCES.some((words) => words.test(bare));
}

/** As LangChain, LangGraph, AutoGen and agents with a loop of their own word it. */
const LIMIT =
  /^\W{0,4}(?:agent stopped due to|sorry, need more steps|(?:the )?(?:maximum|max)\.?[ _](?:number of )?(?:consecutive )?(?:turns|iterations|steps|rounds|auto.?repl\w{1,4}|tool calls)\b[^.\n]{0,30}(?:reached|exceeded|hit)|(?:reached|exceeded|hit) (?:the )?(?:maximum|max|limit)\b[^.\n]{0,30}(?:turns|iterations|steps|rounds|tool calls))/i;

export const endedByLimit = (answer: string): boolean => LIMIT.test(answer.slice(0, CHARS_MAX));
