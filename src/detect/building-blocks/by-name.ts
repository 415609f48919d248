/**
 * A function of a name — a tool's, an argument's — that remembers its answers: a run calls few tools,
 * thousands of times. Bounded by starting anew when full; long names are asked about anew each time, and a
 * name is kept as a text of its own, never as a piece of a payload.
 */
const NAMES_MAX = 2_000;
const NAME_CHARS_MAX = 200;

export function byName<Answer>(answer: (name: string) => Answer): (name: string) => Answer {
  const known = new Map<string, Answer>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (name.length > NAME_CHARS_MAX) return answer(name);
    const own = Buffer.from(name, "utf8").toString("utf8");
    // Half a character is none in UTF-8.
    if (own !== name) return answer(name);
    if (known.size >= NAMES_MAX) known.clear();
    const found = answer(own);
    known.set(own, found);
    return found;
  };
}
