/**
 * Where an event keeps what several detectors want of it and one of them worked out: a property of the event
 * itself, because a WeakMap costs several times as much a lookup. Each is a pure function of the event, so
 * losing it costs time only.
 */

/** The scanned texts: src/detect/text/scan-event.ts. */
export const TEXT_SCANS = Symbol("text scans");
/** The tool call: src/detect/building-blocks/calls/tool-view.ts. */
export const TOOL_VIEW = Symbol("tool view");
/** The calls of tools that a model's answer asks for: src/detect/event-views/model-tool-calls.ts. */
export const ASKED_CALLS = Symbol("asked calls");
/** What a model call adds to the calls of tools: src/detect/event-views/chat-turn.ts. */
export const CHAT_TURN = Symbol("chat turn");
