import type { EventType } from "../../ingest/wire/event-types.ts";
import { exceptionForm } from "./exception-forms.ts";
import { plainModelCall } from "./model-call.ts";
import { withEnd } from "./model-end.ts";
import { isPlainModelCall } from "./plain-model-call.ts";
import { isListing, isPlainToolCall } from "./plain-tool-call.ts";
import { renamedFields } from "./renamed-fields.ts";
import { plainToolCall } from "./tool-call.ts";

/**
 * Payloads are free form, and clients put into them what their framework gives: a provider's request and
 * answer, a run of LangChain, a span's attributes. This turns such a payload into the one form that every
 * detector reads, so that none of them knows a framework. It is made once an event, where its payload is
 * read; what is stored and shown stays what the client sent.
 *
 *   payload ──known names and shapes──▶ handed on as it is
 *          └──anything else───────────▶ names by one table, messages and parts by their shape ──▶ system, input, output, tool_name, …
 *
 * Who speaks is taken from the role nearest to the words; what nothing is known of stays under its own name.
 * Bounded in depth, messages, parts and characters; a payload that cannot be read so is handed on as it is.
 */
type Payload = Readonly<Record<string, unknown>>;

export function plainPayload(type: EventType, payload: Payload): Payload {
  try {
    switch (type) {
      case "llm_call":
        return isPlainModelCall(payload) ? payload : withEnd(payload, plainModelCall(payload));
      case "tool_call":
        return isPlainToolCall(payload) ? payload : plainToolCall(payload, false);
      case "mcp_call":
        return isPlainToolCall(payload) && !isListing(payload) ? payload : plainToolCall(payload, true);
      case "exception":
        return exceptionForm(payload) ?? renamedFields(type, payload);
      default:
        return renamedFields(type, payload);
    }
  } catch {
    // Nested deeper than the stack is: read by name alone, as it came.
    return payload;
  }
}
