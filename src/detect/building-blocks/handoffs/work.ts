import type { DetectorEvent } from "../../detector.ts";
import { byName } from "../by-name.ts";
import { toolClassOf } from "../calls/tool-class.ts";
import type { ToolView } from "../calls/tool-view.ts";
import { hashText, mix } from "../hash.ts";
import type { Sequenced } from "../ordered-window.ts";
import { hashWithoutCounts } from "./news.ts";

/**
 * What an event between two handoffs tells of work: a call, a state, a score or a text that the run has not
 * seen yet. The same again is none: the same call with the same answer, the same finding, the same excuse.
 * Pure.
 */
export interface Work extends Sequenced {
  /** The hash of what is none when it comes a second time; 0 where it always is. */
  readonly again: number;
  /** The hash of what came of it; 0 where that is not told. */
  readonly brought: number;
  /** Looks something up and changes nothing. */
  readonly reads: boolean;
}

export const ALWAYS = { again: 0, brought: 0, reads: false } as const;
const READ = { again: 0, brought: 0, reads: true } as const;
export type Told = Omit<Work, "seq">;

/**
 * `isBack`: whether who has the work gave it away shortly before; only then is it asked what came of a call,
 * and whether it wrote the same again.
 */
export function workInCall(view: ToolView, args: unknown, isBack: boolean): Told {
  const { tool, ended, failed, hasArguments, callHash, resultHash } = view;
  const reads = toolClassOf(tool) === "read";
  if (!ended || (!isBack && !reads)) return reads ? READ : ALWAYS;
  if (!hasArguments) return { again: 0, brought: failed ? 0 : resultHash, reads };
  const isRepeatable = failed || reads || saysWhat(args);
  return { again: isRepeatable ? mix(callHash, resultHash) : 0, brought: failed ? 0 : resultHash, reads };
}

/** To take the next one twice is another deed each time, to write one thing down twice is none. */
function saysWhat(args: unknown): boolean {
  if (typeof args === "string") return args.length > 2;
  return typeof args === "object" && args !== null && Object.keys(args).length > 0;
}

const writes = byName((operation) => WRITES.test(operation));
const WRITES = /writ|append|set|put|store|save|insert|upsert|add|update|creat|delet|remov/i;

/** Reading what was read before, and writing down what is there already, are none. */
export function workInMemory({ payload }: DetectorEvent, isBack: boolean): Told | null {
  const { operation } = payload;
  const isWrite = typeof operation === "string" && writes(operation);
  const told = payload.value ?? payload.content ?? payload.data ?? payload.text;
  if (!isBack || told === undefined || told === null) return isWrite ? ALWAYS : null;
  return anew(hashWithoutCounts(payload));
}

/** Where no state is told, all of them are one. */
export function workInState({ payload }: DetectorEvent): Told {
  const { state, state_hash: hash } = payload;
  if (typeof state === "object" && state !== null && !Array.isArray(state))
    return anew(hashWithoutCounts(state as Record<string, unknown>));
  return anew(typeof hash === "string" && hash !== "" ? hashText(hash) || 1 : 1);
}

/** A score, a verdict or what a scan found. */
export const workInFinding = ({ payload }: DetectorEvent): Told => anew(hashWithoutCounts(payload));

const DEED =
  /deploy|rollout|roll_?out|roll_?back|scal|provision|creat|migrat|restor|backup|restart|promot|build|releas|cutover|failover|applied/i;

/** Of machines only what was done to them is work. */
export function workInInfrastructure({ payload }: DetectorEvent): Told | null {
  const named = payload.kind ?? payload.event ?? payload.type ?? payload.name ?? payload.action;
  return typeof named === "string" && DEED.test(named.slice(0, 80)) ? anew(hashWithoutCounts(payload)) : null;
}

const anew = (hash: number): Told => ({ again: hash, brought: hash, reads: false });
