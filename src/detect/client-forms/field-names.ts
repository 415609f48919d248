import { isSpread } from "./attributes.ts";
import { sideOfTool } from "./call-shapes.ts";

/**
 * What frameworks, providers and tracing services call the same things: `toolName`, `tool_name`, `ToolName`
 * and `tool.name` are one word. A table says what a word stands for in a payload of one kind; words of no
 * table are fields of the client's own.
 */
const KEYS_MAX = 5_000;
const KEY_CHARS_MAX = 80;
/** Namespaces of span attributes: what stands behind one is named as anywhere else. */
const NAMESPACE =
  /^(?:\$ai_(?=.)|(?:gen_ai|openinference|traceloop|llm(?:\.request)?|ai|gcp\.vertex\.agent|langfuse(?:\.observation)?|langsmith|mlflow(?:\.chat)?|span)\.(?=.))/;
/** Words of a name that say on which side of a model call its value stands. */
const IN_WORDS = /^(?:inputs?|requests?|prompts?|history|incoming)$/;
const OUT_WORDS =
  /^(?:outputs?|responses?|results?|returns?|completions?|repl(?:y|ies)|answers?|generations?|choices?|outgoing)$/;
/** What an operator says to the model, under whatever he calls it. */
const INSTRUCTIONS =
  /^(?:(?:system|developer)(?:prompt|message|instruction|text)s?|(?:response|orchestration|agent|assistant|run|base)?instructions?)$/;
/** A wrapper of what was set up before the call, in which an operator's words may stand. */
const SETTINGS = /(?:config(?:uration)?|options|settings|parameters|params|overrides|agent|assistant|run)$/;

export type Role =
  // of a model call
  | "input"
  | "query"
  | "output"
  /** The answer where something was asked and nothing else is one. */
  | "bareOutput"
  | "system"
  | "tools"
  | "usage"
  | "tokensIn"
  | "tokensOut"
  | "finish"
  // of a call of a tool
  | "name"
  | "arguments"
  | "result"
  /** What the tool was given, or gave back, where nothing else is said to be that. */
  | "bareArguments"
  | "bareResult"
  | "errorKind"
  | "callId"
  | "server"
  | "schema"
  | "description"
  | "descriptionHash"
  | "schemaHash"
  // of more than one
  | "model"
  | "error"
  /** The same as said elsewhere in the payload, or all there is. */
  | "inputCopy"
  | "outputCopy"
  /** Holds more of the payload: a request, a response, a span's attributes. */
  | "within"
  | "withinInput"
  /** The provider's answer once more: only what it used is read there. */
  | "withinUsage"
  | "withinOutput";

/** One word for the ways of writing a name. */
export function wordOf(key: string): string {
  return key
    .replace(NAMESPACE, "")
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** Of a name that is in no table: where it says itself that its value goes in or comes out. */
export function sideNamed(key: string): "in" | "out" | null {
  if (key.length > KEY_CHARS_MAX) return null;
  for (const word of key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)) {
    if (IN_WORDS.test(word)) return "in";
    if (OUT_WORDS.test(word)) return "out";
  }
  return null;
}

export const isSettingsNamed = (key: string): boolean =>
  key.length <= KEY_CHARS_MAX && SETTINGS.test(wordOf(key));

class FieldNames {
  private readonly roles = new Map<string, Role>();
  private readonly known = new Map<string, Role | null>();

  constructor(
    words: Readonly<Partial<Record<Role, string>>>,
    /** What a word of no table stands for. */
    private readonly otherwise: (word: string, key: string) => Role | null = () => null,
  ) {
    for (const role in words) {
      for (const word of words[role as Role]!.split(" ")) this.roles.set(word, role as Role);
    }
  }

  /** Some hold a list of what others hold one of. */
  private plural(word: string): Role | null {
    const role = word.endsWith("s") ? this.roles.get(word.slice(0, -1)) : undefined;
    return role === "withinInput" || role === "withinOutput" || role === "usage" ? role : null;
  }

  /** What a field of this name holds; null: nothing that is known of. */
  roleOf(key: string): Role | null {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (key.length > KEY_CHARS_MAX) return null;
    const word = wordOf(key);
    const role = this.roles.get(word) ?? this.plural(word) ?? this.otherwise(word, key);
    // Names that never come twice must not keep out those that do.
    if (this.known.size >= KEYS_MAX) this.known.clear();
    this.known.set(key, role);
    return role;
  }
}

/**
 * What is to be done with a field of this name before its payload is read: nothing, a look at its value, a
 * reading of the whole.
 */
export const SETTLED = 0;
export const VALUE = 1;
export const MARK = 2;
export const OTHER = 3;
/** Of the client's own: only a chat inside is of any concern. */
export const UNKNOWN = 5;

/** One look-up a field, as nearly every payload is in the form that is read. */
export class KeyKinds {
  readonly known = new Map<string, number>();

  constructor(
    private readonly names: FieldNames,
    private readonly settled: readonly (readonly [number, readonly string[]])[],
    /** Of a word that is in no table of names, or null. */
    private readonly kindOfWord: (word: string) => number | null = () => null,
  ) {
    this.reset();
  }

  private reset(): void {
    this.known.clear();
    for (const [kind, keys] of this.settled) for (const key of keys) this.known.set(key, kind);
  }

  /** Of a key that is not among the known ones, which it is put among. */
  kindOf(key: string): number {
    const isNamed = this.names.roleOf(key) !== null || isSpread(key);
    const kind = isNamed
      ? OTHER
      : key.length > KEY_CHARS_MAX
        ? UNKNOWN
        : (this.kindOfWord(wordOf(key)) ?? UNKNOWN);
    if (this.known.size >= KEYS_MAX) this.reset();
    if (key.length <= KEY_CHARS_MAX) this.known.set(key, kind);
    return kind;
  }
}

const USAGE = {
  usage:
    "usage usagemetadata usagedetails tokenusage totalusage accumulatedusage modelsusage metrics tokencount tokens lasttokenusage billedunits costdetails",
  tokensIn:
    "tokensin inputtokens prompttokens prompttokencount inputtokencount promptevalcount numinputtokens tokencountprompt usageprompttokens usageinputtokens",
  tokensOut:
    "tokensout outputtokens completiontokens candidatestokencount outputtokencount completiontokencount evalcount numoutputtokens tokencountcompletion usagecompletiontokens usageoutputtokens",
};

export const MODEL_NAMES = new FieldNames(
  {
    ...USAGE,
    input:
      "input inputs prompt prompts messages contents inputmessages chathistory history conversation toolresults promptmessages newmessage newmessages allmessages requestmessages modelinputmessages spaninputs promptpreview inputpreview",
    query: "query question usermessage userprompt userinput userquery chatinput inputtext promptprompt",
    output:
      "output outputs completion completions choices candidates generations outputmessages answer outputtext responsetext generatedtext llmoutputtext toolcalls responsetoolcalls assistantmessage finaloutput responsemessages responsecontent modeloutputmessage choice replies spanoutputs",
    bareOutput: "text content result reply generation responsepreview outputpreview completionpreview",
    system:
      "system systemprompt systemmessage systeminstruction systeminstructions instructions preamble developermessage",
    tools:
      "tools functions toolconfig tooldefinitions availabletools requestfunctions requestavailabletools functiondeclarations",
    finish: "finishreason stopreason donereason responsefinishreason",
    model: "model modelid modelname requestmodel responsemodel modelversion",
    error: "error errormessage exception exceptionmessage",
    inputCopy: "inputvalue entityinput",
    outputCopy: "outputvalue entityoutput",
    within:
      "attributes spandata data trace orchestrationtrace preprocessingtrace postprocessingtrace payload body event message info part kwargs extra metadata optionalparams config llmoutput invocationparams standardloggingobject modelcall meta modelparameters session json",
    withinUsage: "raw rawresponses responsemetadata",
    withinInput: "request llmrequest modelinvocationinput requestbody params",
    withinOutput:
      "response llmresponse responseobj responseobject modelinvocationoutput rawresponse responsebody",
  },
  (word) => (INSTRUCTIONS.test(word) ? "system" : null),
);

export const TOOL_NAMES = new FieldNames(
  {
    name: "toolname tool name functionname function toolcallname entityname runname spanname spanfunctionname",
    arguments:
      "arguments args input inputs inputstr toolinput toolargs toolarguments toolkwargs toolparameters functionargs parameters callargs toolcallargs toolcallarguments rawinput toolcallinput inputarguments spaninputs",
    result:
      "result output outputs tooloutput toolresult toolresponse response observation returnvalue toolcallresult toolcalloutput toolcallresponse observations structuredcontent spanoutputs",
    bareArguments: "kwargs command cmd code sql query argumentshash argshash inputhash",
    bareResult:
      "content contents text results value values stdout answer reply returned pagecontent html markdown snippet snippets rows records items hits matches passages chunks raw rawoutput responsetext responsebody resulttext outputtext",
    errorKind: "errortype errorcode",
    callId: "callid toolcallid tooluseid toolid toolcallid",
    server: "server servername serverlabel mcpserver mcpservername mcpserverlabel",
    schema: "inputschema parametersschema jsonschema schema",
    description: "description tooldescription",
    descriptionHash: "descriptionhash tooldescriptionhash descriptiondigest definitionhash toolhash",
    schemaHash: "schemahash inputschemahash parametershash schemadigest",
    error:
      "error errormessage errortext exception exceptionmessage toolerror errordetails errorinfo statusmessage failurereason",
    inputCopy: "inputvalue entityinput",
    outputCopy: "outputvalue entityoutput",
    within:
      "attributes spandata spanattributes data trace orchestrationtrace actiongroupinvocationinput actiongroupinvocationoutput invocationinput payload body serialized state toolinvocation functioncall toolcall tooluse tooldefinition definition part params request toolcallupdate meta json resourcespans scopespans spans",
  },
  (_word, key) => {
    const side = sideOfTool(key);
    return side === "given" ? "arguments" : side === "back" ? "result" : null;
  },
);
