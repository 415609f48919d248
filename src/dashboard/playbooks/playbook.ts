/**
 * The shape of a playbook: what somebody who was woken by a webhook reads about a failure class. Texts only;
 * the class's summary, severity, taxonomy ids and thresholds come from its detector and are not repeated
 * here.
 *
 * Inline markup: every text but a reference's is plain, except that what stands between two backticks is code
 * (a field, a rule, a command). A text never holds an odd number of backticks, a line break, a link or any
 * other markup. In commands `PROJECT_ID`, `GROUP_ID`, `EXECUTION_ID` and the like stand for what the reader
 * has at hand.
 */
export interface Playbook {
  /** The class exactly as its detector names it. */
  readonly failureClass: string;
  /** Two or three sentences: what has happened when this fires. */
  readonly meaning: string;
  /** Steps in this order: is it real? Each names what to open and what to compare. */
  readonly confirm: readonly string[];
  /** What to do in the next ten minutes, the most urgent first. */
  readonly contain: readonly string[];
  /** Root causes and their mending, the likeliest first. */
  readonly fix: readonly string[];
  /** Measures of design that keep it from coming back. */
  readonly prevent: readonly string[];
  /** When it is a false alarm, and how to tune the detector then. */
  readonly falseAlarms: readonly string[];
  /** Where to read on. */
  readonly references: readonly PlaybookReference[];
}

/** The only link of a playbook: `label` is plain text, `url` an absolute https address. */
export interface PlaybookReference {
  readonly label: string;
  readonly url: string;
}

/** One part of a text: code stands between backticks in the source, and holds none itself. */
export interface PlaybookSpan {
  readonly kind: "text" | "code";
  readonly text: string;
}

/** The parts of a text in order, without the backticks; no part is empty. */
export function spansOf(text: string): PlaybookSpan[] {
  return text
    .split("`")
    .map((part, at): PlaybookSpan => ({ kind: at % 2 === 0 ? "text" : "code", text: part }))
    .filter((span) => span.text !== "");
}
