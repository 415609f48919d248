import { flattenText } from "../event-views/fields.ts";
import { FragmentScan } from "./scan-event.ts";
import { parsedArguments } from "./taint/argument-values.ts";

/**
 * What a tool is given, as a text by itself: of a call that a model's answer asks for, or that came as JSON
 * in one string.
 */
export const argumentsScan = (tool: string, args: unknown): FragmentScan =>
  new FragmentScan({
    origin: "arguments",
    text: flattenText(parsedArguments(args)),
    repeated: false,
    comesAgain: false,
    tool,
    turns: [],
  });
