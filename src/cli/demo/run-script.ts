import type { EventType } from "../../ingest/wire/event-types.ts";
import type { Random } from "./random.ts";

/**
 * Writes down one run of an agent as an SDK would report it: each step appends one event and moves the run's
 * clock on. Nothing here knows of the detectors; what fires is found in what the run did.
 */

export interface DemoEvent {
  readonly event_id: string;
  readonly event_type: EventType;
  readonly sequence: number;
  /** Milliseconds since the run started. */
  readonly offsetMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface RunEnd {
  readonly status: "completed" | "crashed";
  readonly duration_ms: number;
  readonly total_tokens_in: number;
  readonly total_tokens_out: number;
  readonly crash_signature?: string;
}

export interface DemoRun {
  readonly executionId: string;
  readonly sdkLanguage: string;
  readonly sdkVersion: string;
  readonly events: readonly DemoEvent[];
  /** Null: the run never says that it ended. */
  readonly end: RunEnd | null;
  readonly durationMs: number;
}

export interface Agent {
  /** Begins the ids of its executions. */
  readonly name: string;
  readonly sdkLanguage: string;
  readonly sdkVersions: readonly string[];
  readonly model: string;
  readonly provider: string;
  readonly instructions: string;
}

interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
}

interface CallOptions {
  readonly latencyMs?: number;
  readonly error?: string;
}

export interface ModelOptions {
  /** What a person said, or a tool returned, just before. */
  readonly user?: string;
  readonly tool?: string;
  readonly finish?: "stop" | "tool_calls" | "length";
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  readonly error?: { readonly type: string; readonly message: string };
}

const MESSAGES_SENT_MAX = 6;
/** Invented prices, in dollars a million tokens. */
const PRICE_IN = 2.5;
const PRICE_OUT = 10;

export class RunScript {
  readonly #events: DemoEvent[] = [];
  readonly #messages: Message[];
  readonly #executionId: string;
  readonly #sdkVersion: string;
  #clockMs = 0;
  #sequence = 0;
  #calls = 0;
  #tokensIn = 0;
  #tokensOut = 0;

  constructor(
    readonly random: Random,
    readonly agent: Agent,
  ) {
    this.#executionId = `${agent.name}-${random.text("0123456789abcdef", 12)}`;
    this.#sdkVersion = random.pick(agent.sdkVersions);
    this.#messages = [{ role: "system", content: agent.instructions }];
  }

  /** Any event, `afterMs` later than the one before. */
  event(type: EventType, payload: Readonly<Record<string, unknown>>, afterMs = 40): this {
    this.#clockMs += afterMs;
    this.#sequence++;
    this.#events.push({
      event_id: `${this.#executionId}-${this.#sequence}`,
      event_type: type,
      sequence: this.#sequence,
      offsetMs: this.#clockMs,
      payload,
    });
    return this;
  }

  environment(mode: "live" | "staging" | "simulation", declaredBy: string, note?: string): this {
    return this.event("environment_declaration", { mode, declared_by: declaredBy, note }, 5);
  }

  model(output: string, options: ModelOptions = {}): this {
    if (options.user !== undefined) this.#say("user", options.user);
    if (options.tool !== undefined) this.#say("tool", options.tool);
    const input = this.#messages.filter(
      (_one, at) => at === 0 || at >= this.#messages.length - MESSAGES_SENT_MAX,
    );
    const characters = input.reduce((sum, one) => sum + one.content.length, 0);
    const tokensIn = options.tokensIn ?? this.random.around(600 + Math.ceil(characters / 3.6));
    const tokensOut = options.error ? 0 : (options.tokensOut ?? 12 + Math.ceil(output.length / 3.8));
    const latencyMs = this.random.around(420 + tokensOut * 9);
    this.#tokensIn += tokensIn;
    this.#tokensOut += tokensOut;
    this.#say("assistant", output);
    return this.event(
      "llm_call",
      {
        model: this.agent.model,
        provider: this.agent.provider,
        input,
        output: options.error ? undefined : output,
        finish_reason: options.error ? undefined : (options.finish ?? "stop"),
        tokens_in: tokensIn,
        tokens_out: tokensOut,
        cost_usd: Number(((tokensIn * PRICE_IN + tokensOut * PRICE_OUT) / 1e6).toFixed(6)),
        latency_ms: latencyMs,
        error: options.error,
      },
      latencyMs,
    );
  }

  tool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    options: CallOptions = {},
  ): this {
    const latencyMs = options.latencyMs ?? this.random.around(180);
    return this.event(
      "tool_call",
      {
        tool_name: name,
        call_id: this.#nextCallId(),
        arguments: args,
        ...(options.error === undefined ? { result } : { error: options.error }),
        latency_ms: latencyMs,
      },
      latencyMs,
    );
  }

  /** A call that is reported when it begins and never again. */
  openTool(name: string, args: Readonly<Record<string, unknown>>): this {
    return this.event("tool_call", { tool_name: name, call_id: this.#nextCallId(), arguments: args });
  }

  mcp(
    server: string,
    tool: { readonly name: string; readonly description: string; readonly input_schema: unknown },
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    options: CallOptions = {},
  ): this {
    const latencyMs = options.latencyMs ?? this.random.around(240);
    return this.event(
      "mcp_call",
      {
        server,
        method: "tools/call",
        tool_name: tool.name,
        description: tool.description,
        input_schema: tool.input_schema,
        call_id: this.#nextCallId(),
        arguments: args,
        ...(options.error === undefined ? { result } : { error: options.error }),
        latency_ms: latencyMs,
      },
      latencyMs,
    );
  }

  handoff(from: string, to: string, reason: string): this {
    return this.event("agent_handoff", { from_agent: from, to_agent: to, reason }, this.random.around(90));
  }

  egress(destination: string, tool: string, bytesOut = this.random.around(1_800)): this {
    return this.event("egress", { destination, protocol: "https", tool_name: tool, bytes_out: bytesOut }, 15);
  }

  checkpoint(name: string, stateHash = this.random.text("0123456789abcdef", 16)): this {
    return this.event("checkpoint", { name, state_hash: stateHash }, 20);
  }

  validator(name: string, passed: boolean, message: string): this {
    return this.event("validator_result", { validator: name, passed, message }, this.random.around(70));
  }

  evaluation(metric: string, score: number, passed?: boolean): this {
    return this.event(
      "eval_score",
      { metric, score: Number(score.toFixed(3)), passed },
      this.random.around(300),
    );
  }

  remember(operation: "read" | "write", key: string, content: string): this {
    return this.event("memory_operation", { operation, store: `${this.agent.name}-notes`, key, content });
  }

  /** A person took part; `waitedMs` is what the run waited for that. */
  person(
    action: string,
    payload: Readonly<Record<string, unknown>>,
    waitedMs = this.random.around(45_000),
  ): this {
    return this.event("human_intervention", { action, ...payload }, waitedMs);
  }

  exception(type: string, message: string, stack: string, handled: boolean): this {
    return this.event("exception", { type, message, stack, handled }, 10);
  }

  /** Numbers of the sequence that the client lost before it could send them. */
  loseEvents(count: number): this {
    this.#sequence += count;
    return this;
  }

  wait(milliseconds: number): this {
    this.#clockMs += milliseconds;
    return this;
  }

  completed(stated: Partial<RunEnd> = {}): DemoRun {
    return this.#ended({ ...this.#totals("completed"), ...stated });
  }

  crashed(stated: Partial<RunEnd> = {}): DemoRun {
    return this.#ended({ ...this.#totals("crashed"), ...stated });
  }

  leftOpen(): DemoRun {
    return this.#ended(null);
  }

  #totals(status: RunEnd["status"]): RunEnd {
    return {
      status,
      duration_ms: this.#clockMs + 30,
      total_tokens_in: this.#tokensIn,
      total_tokens_out: this.#tokensOut,
    };
  }

  #ended(end: RunEnd | null): DemoRun {
    return {
      executionId: this.#executionId,
      sdkLanguage: this.agent.sdkLanguage,
      sdkVersion: this.#sdkVersion,
      events: this.#events,
      end,
      durationMs: this.#clockMs + 30,
    };
  }

  #say(role: Message["role"], content: string): void {
    this.#messages.push({ role, content });
  }

  #nextCallId(): string {
    this.#calls++;
    return `call_${this.#executionId.slice(-6)}_${this.#calls}`;
  }
}
