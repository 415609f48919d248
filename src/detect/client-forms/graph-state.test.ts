import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { noProgress } from "../detectors/no-progress.ts";
import { plainPayload } from "./plain-payload.ts";

type Payload = Readonly<Record<string, unknown>>;

const fires = (checkpoint: (at: number) => Payload, times = 6) =>
  play(noProgress, {
    events: Array.from({ length: times }, (_, at) =>
      event("checkpoint", at + 1, plainPayload("checkpoint", checkpoint(at))),
    ),
  }).map(({ signatureParts }) => signatureParts);

const messages = (at: number) => [
  { type: "human", content: "fix the build", id: "m1" },
  { type: "ai", content: "I look at the test.", id: `run-${at}` },
];
const values = { messages: messages(0), plan: ["look", "mend"] };
const saved = (at: number, channels: Payload = values) => ({
  v: 4,
  ts: `2026-01-05T12:00:0${at}Z`,
  id: `1ef-${at}`,
  channel_values: channels,
  channel_versions: { messages: at },
});

describe("checkpoints of a graph", () => {
  test.each<[string, (at: number) => Payload]>([
    ["as savers keep them", (at) => ({ checkpoint_id: `c${at}`, channel_values: values })],
    ["whole", (at) => saved(at)],
    ["in a wrapper", (at) => ({ checkpoint: saved(at), metadata: { step: at, source: "loop" } })],
    [
      "as get_state gives them",
      (at) => ({ values, next: ["agent"], created_at: `t${at}`, config: { checkpoint_id: at } }),
    ],
    ["under the name of a state", (at) => ({ name: "step", state: saved(at) })],
    ["in camel case", (at) => ({ checkpointId: `c${at}`, channelValues: values })],
    [
      "with times and ids inside",
      (at) => ({ channel_values: { messages: messages(at), updated_at: at, checkpoint_ns: `a:${at}` } }),
    ],
  ])("that stay as they are: %s", (_name, checkpoint) => {
    expect(fires(checkpoint)).toEqual([["same-state"]]);
    expect(fires(checkpoint, 3)).toEqual([]);
  });

  test.each<[string, (at: number) => Payload]>([
    [
      "a plan that gets shorter",
      (at) => saved(at, { ...values, plan: ["a", "b", "c", "d", "e", "f"].slice(at) }),
    ],
    ["a message more", (at) => saved(at, { messages: Array.from({ length: at + 1 }, () => messages(0)[1]) })],
    ["another node is next", (at) => ({ values, next: [`node ${at}`] })],
    ["another id of what is worked on", (at) => saved(at, { ...values, order: { id: at } })],
    ["a hash of the client's own", (at) => ({ state_hash: `h${at}`, channel_values: values })],
    ["values that are no state", (at) => ({ name: "metrics", values: { loss: 1 }, step: at })],
  ])("that get on, or tell nothing: %s", (_name, checkpoint) => {
    expect(fires(checkpoint)).toEqual([]);
  });
});
