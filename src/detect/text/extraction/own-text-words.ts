import { OrdinaryWords } from "../scan/ordinary-words.ts";

/**
 * Words for a model's own text that speak of the reader's as well: a manual tells "you" what "your
 * configuration" is for, what goes on under the hood, and what to put into the first line.
 */
export const ORDINARY_IN_REQUESTS = new OrdinaryWords({
  origin:
    "tells you|told you|you were told|been told to|been configured|configured with|initialized with|initialised with|loaded with|given to you|given you|gave you|you were given|handed you|you got|you received|you have received|you start with|you started with|set up your|sets up your|set up with|define your|defines your|your config|your setup|your rules|your input|in your input|your orders|your owner|your admin|your boss|your developer|your developers|your first message|instructed to|programmed to|how to behave|under the hood|behind the scenes|behind the curtain|can't see|cannot see|very first|first token|first tokens|first block|at startup|on startup|at start-up|this session|you follow|you are following|you following|you operate|made you|built you|runs you|wrote for you|written for you|comes before|came before|stands before|opening text|opening message|starting text|setup text|hidden section|hidden part|guides your|der betreiber|bevor ich|que sigues|tu configuracion|ta configuration|la tua configurazione",
  hiddenText:
    "your system|your configuration|your rules|your guidelines|your original|your initial|your internal|your hidden|your programming|your constraints|your developer|your directives|preamble|system configuration|custom instruction|custom instructions|original instruction|initial instruction|initial instructions|first instructions|instructions you follow|rules you follow|hidden text|internal rules|deine vorgaben|ihre anweisung|tus reglas",
  textAbove:
    "first line|first sentence|starting with|starting from|from the beginning|all of the above|you are a|up to this point",
});
