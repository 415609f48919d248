/**
 * Who says a thing and whether a tool is asked there or answers, by the words of a name: `HumanMessage`,
 * `MESSAGE_ROLE_TOOL_RESULT`, `user_message_chunk`, `function.call`. Every word must be known, so that a name
 * of anything else, such as `user_settings`, is nobody's.
 */
export type Speaker = "system" | "user" | "assistant" | "tool";

/** What a tool is asked, or what it gave back. */
export type Act = "call" | "result";

interface Named {
  readonly speaker: Speaker;
  readonly act: Act | null;
}

const NAME_CHARS_MAX = 60;
const NAMES_MAX = 2_000;
const ROLES: Readonly<Record<Speaker, string>> = {
  system: "system developer preamble",
  user: "user human customer caller",
  assistant: "assistant ai model bot chatbot agent gpt gemini apimessage thought",
  tool: "tool function ipython observation",
};
const SPEAKERS: ReadonlyMap<string, Speaker> = new Map(
  Object.entries(ROLES).flatMap(([speaker, words]) =>
    words.split(" ").map((word) => [word, speaker as Speaker] as const),
  ),
);
const CALLS = new Set("call calls use uses request requests invocation invocations".split(" "));
const RESULTS = new Set(
  "result results return returns response responses output outputs execution".split(" "),
);
/** Words that say nothing of who speaks. */
const FILLERS = new Set(
  "message messages msg role chunk event prompt turn item entry param update updated summary type".split(" "),
);
const known = new Map<string, Named | null>();

/** The words of a name in whatever way it is written. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

export function speechNamed(name: unknown): Named | null {
  if (typeof name !== "string" || name.length > NAME_CHARS_MAX) return null;
  const before = known.get(name);
  if (before !== undefined) return before;
  const named =
    fromWords([name.toLowerCase()]) ??
    fromWords(wordsOf(name)) ??
    fromWords(wordsOf(name.slice(name.lastIndexOf(".") + 1)));
  // Names that never come twice must not keep out those that do.
  if (known.size >= NAMES_MAX) known.clear();
  known.set(name, named);
  return named;
}

export const speakerNamed = (name: unknown): Speaker | null => speechNamed(name)?.speaker ?? null;

function fromWords(words: readonly string[]): Named | null {
  const speakers = new Set<Speaker>();
  let act: Act | null = null;
  for (const word of words) {
    const speaker = SPEAKERS.get(word);
    if (speaker !== undefined) speakers.add(speaker);
    else if (RESULTS.has(word)) act = "result";
    else if (CALLS.has(word)) act ??= "call";
    else if (!FILLERS.has(word)) return null;
  }
  const [speaker, other] = speakers;
  if (speaker === undefined || other !== undefined) return null;
  if (act === null) return { speaker, act };
  // An answer or a request is a tool's only where its name says so.
  if (speaker !== "tool") return null;
  return { speaker: act === "call" ? "assistant" : "tool", act };
}
