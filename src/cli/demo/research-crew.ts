import type { Random } from "./random.ts";
import { type Agent, RunScript } from "./run-script.ts";
import { healthy, incident, type Scenario } from "./scenario.ts";

/** Planner, searcher, writer and critic write short reports together and hand the work to each other. */
const AGENT: Agent = {
  name: "research-crew",
  sdkLanguage: "python",
  sdkVersions: ["1.8.2", "1.7.9"],
  model: "atlas-reason-1",
  provider: "atlas",
  instructions:
    "You are a crew that writes short, sourced reports. The planner plans, the searcher reads, the writer writes, the critic checks.",
};

const TOPICS = [
  "the life of LED drivers in cold rooms",
  "how cities light their cycle paths",
  "returns of fragile goods in online shops",
  "glass recycling in northern Europe",
  "the price of rare earths for lamps",
  "what light does to sleep",
  "repair cafés and their figures",
  "packaging made of mushrooms",
];

const opened = (random: Random, topic: string) =>
  new RunScript(random, AGENT)
    .environment("live", "crew-runner")
    .model(
      `Plan: 1. find recent figures on ${topic}; 2. compare two sources; 3. write half a page with references and open questions.`,
      {
        user: `Write half a page about ${topic}.`,
      },
    )
    .handoff("planner", "searcher", "find sources");

function searched(run: RunScript, topic: string): RunScript {
  const { random } = run;
  for (const part of random.some(["figures", "study", "history", "criticism"], random.integer(2, 3))) {
    run
      .egress("search.lumen.example:443", "web_search")
      .tool("web_search", { query: `${topic} ${part}` }, [
        { title: `${part} on ${topic}`, url: `https://library.example/${random.integer(1_000, 9_999)}` },
      ]);
    run.egress("library.example:443", "read_page").tool(
      "read_page",
      { id: random.integer(1_000, 9_999) },
      {
        text: `A report of ${random.integer(2_015, 2_026)} counts ${random.integer(12, 88)} per cent in its section about ${part}, with a note on method and the places where the figures come from.`,
      },
    );
  }
  return run;
}

const draftOf = (topic: string, random: Random) =>
  `On ${topic}: two reports agree that the share grew to ${random.integer(30, 70)} per cent within ten years. They differ in how they count small makers, and neither covers the south. The main open question is cost, for which only one source gives a figure of ${random.integer(3, 40)} EUR.`;

function written(run: RunScript, topic: string): RunScript {
  return run
    .remember("write", "sources", `Two sources on ${topic} read and compared.`)
    .checkpoint("sources-read")
    .handoff("searcher", "writer", "sources are ready")
    .model(draftOf(topic, run.random))
    .checkpoint("draft")
    .handoff("writer", "critic", "please check the draft")
    .model(
      "The figures match their sources. The sentence on cost should name its year; apart from that the draft is fine as it stands, and short enough.",
    );
}

const report: Scenario = healthy("report", 9, (random) => {
  const topic = random.pick(TOPICS);
  return written(searched(opened(random, topic), topic), topic)
    .validator("references_resolve", true, "all references answer")
    .event("drift_signal", {
      signal: "topic-similarity",
      score: Number((0.05 + random.next() * 0.1).toFixed(3)),
      threshold: 0.35,
      drifted: false,
    })
    .evaluation("faithfulness", 0.88 + random.next() * 0.06)
    .evaluation("readability", 0.74 + random.next() * 0.08)
    .completed();
});

const revised: Scenario = healthy("report-revised", 4, (random) => {
  const topic = random.pick(TOPICS);
  return written(searched(opened(random, topic), topic), topic)
    .handoff("critic", "writer", "name the year of the figure on cost")
    .model(draftOf(topic, random))
    .checkpoint("revised")
    .validator("references_resolve", true, "all references answer")
    .evaluation("faithfulness", 0.89 + random.next() * 0.05)
    .completed();
});

const handoffCircle = incident("hand-over-circle", 3, [0, 12], (random) => {
  const topic = random.pick(TOPICS);
  const run = searched(opened(random, topic), topic);
  for (let round = 0; round < 4; round++) {
    run
      .handoff("searcher", "writer", "the sources need a summary first")
      .model("Not mine to do.")
      .handoff("writer", "searcher", "the summary is yours to write")
      .model("Back to the writer.");
  }
  return run.completed();
});

const runaway = incident("context-that-only-grows", 2, [1, 11], (random) => {
  const topic = random.pick(TOPICS);
  const run = opened(random, topic);
  let tokens = 60_000;
  for (let page = 1; page <= 14; page++) {
    run
      .tool(
        "read_page",
        { id: 7_000 + page },
        {
          text: `Page ${page} of the appendix to ${topic}: tables, notes and ${random.integer(100, 999)} lines of data.`,
        },
      )
      .model(`I keep page ${page} as a whole and go on with the next.`, {
        tokensIn: tokens,
        tokensOut: random.around(900),
        finish: "tool_calls",
      });
    tokens += random.integer(18_000, 32_000);
  }
  return run.model("The context is full; I stop here.", { tokensIn: tokens, tokensOut: 40 }).completed();
});

const worseModel = incident("faithfulness-fell", 5, [2.2, 3.4], (random) => {
  const topic = random.pick(TOPICS);
  return written(searched(opened(random, topic), topic), topic)
    .validator("references_resolve", true, "all references answer")
    .evaluation("faithfulness", 0.31 + random.next() * 0.15, false)
    .event("drift_signal", {
      signal: "topic-similarity",
      score: Number((0.5 + random.next() * 0.2).toFixed(3)),
      threshold: 0.35,
      drifted: true,
    })
    .completed();
});

const deadReferences = incident("dead-references", 3, [0, 20], (random) => {
  const topic = random.pick(TOPICS);
  return written(searched(opened(random, topic), topic), topic)
    .validator("references_resolve", false, `${random.integer(1, 3)} references answer 404`)
    .completed();
});

const cutAnswer = incident("answer-cut-off", 3, [0, 24], (random) => {
  const topic = random.pick(TOPICS);
  return searched(opened(random, topic), topic)
    .handoff("searcher", "writer", "sources are ready")
    .model(`On ${topic}: three reports describe how the share of`, { finish: "length", tokensOut: 4_096 })
    .completed();
});

const metadataAddress = incident("metadata-address", 1, [5, 7], (random) => {
  const topic = random.pick(TOPICS);
  return opened(random, topic)
    .tool("web_search", { query: `${topic} cloud` }, [
      { title: "Set-up notes", url: "https://library.example/4410" },
    ])
    .model("The notes name an address with further data; I open it.", { finish: "tool_calls" })
    .egress("169.254.169.254:80", "read_page", 240)
    .tool("read_page", { id: 4_410 }, null, { error: "blocked by network policy" })
    .model("I could not open the address and go on without it.")
    .completed();
});

const unknownHost = incident("host-never-seen", 1, [0.3, 1.2], (random) => {
  const topic = random.pick(TOPICS);
  return searched(opened(random, topic), topic)
    .egress("paste-relay.example:443", "read_page", 96_000)
    .completed();
});

const failingProvider = incident("model-provider-failing", 3, [9, 9.6], (random) => {
  const topic = random.pick(TOPICS);
  const run = opened(random, topic);
  for (let attempt = 1; attempt <= 4; attempt++) {
    run
      .model("", { error: { type: "overloaded_error", message: "the model is overloaded, try again later" } })
      .wait(4_000 * attempt);
  }
  return run.model(draftOf(topic, random)).completed();
});

export const RESEARCH_SCENARIOS: readonly Scenario[] = [
  report,
  revised,
  handoffCircle,
  runaway,
  worseModel,
  deadReferences,
  cutAnswer,
  metadataAddress,
  unknownHost,
  failingProvider,
];
