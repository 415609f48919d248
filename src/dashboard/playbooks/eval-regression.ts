import type { Playbook } from "./playbook.ts";

export const evalRegression: Playbook = {
  failureClass: "eval_regression",
  meaning:
    "An evaluation said no (rule `failed`), or a metric fell clearly under what this project is used to: one score below all before it (`single-score`), or the mean of the latest eight well below the mean of all (`recent-mean`), or, where there are few scores yet, three in a row far below all before (`lasting-drop`). The agents still run; they do their work worse.",
  confirm: [
    "The excerpt gives metric, score and what is usual, with `recent-mean` the mean of the latest eight too; a good score among bad ones does not fire. Open the event for what the evaluator wrote beside the `score`, and the execution for what it judged.",
    "Place the fall in time: a step at one moment is a release, a model update or new data; a single low score among good ones is one hard case.",
    "Compare an execution from before with one from after on the same kind of task: model, prompt, retrieved documents, tool results, length.",
    "Run the evaluation again on the same output. A judge that is itself a model varies; if the second score is normal, the judge is your problem.",
    "Look at other metrics of the same time. All down together is the agent or the data; one alone is often the evaluator.",
  ],
  contain: [
    "If it began with a release, roll back first and study afterwards.",
    "If the provider changed the model under an alias, pin the version before.",
    "For metrics of safety (toxicity, harm) hold back answers with low scores until the cause is known.",
  ],
  fix: [
    "A change of prompt or model. Compare both on the fixed set, and change one thing at a time.",
    "Retrieval brings other documents than before: an index was rebuilt, a source is missing, a filter is off.",
    "A tool's answers became poorer, and the agent guesses. See `tool_error_burst` and the results themselves.",
    "The evaluator changed: another judge model, another rubric, another scale. Start a metric of a new name for a new rubric.",
    "The traffic changed: another customer, another language. Then the baseline is what is out of date.",
  ],
  prevent: [
    "Gate releases on a fixed set of cases with known good answers, large enough that a drop of the size you mind is not noise.",
    "Calibrate model judges against people now and then, and give them reference answers.",
    "Record versions of model, prompt, index and evaluator with each score; the first question is always what changed.",
  ],
  falseAlarms: [
    "Metrics that are better when lower are known by words such as error, loss, latency, cost or toxic in their names. Under another name an improvement can fire: `bun run cli detector configure eval_regression --project PROJECT_ID --allow hops_to_answer`.",
    "Small samples and long tails: `--threshold samplesMin=50` or `--threshold deviations=6`. Unchanging scores fire falsely in up to 1 % of long-tailed series.",
    "A deliberate change of the agent moves the mean. The baseline follows within one or two hundred scores; until then resolve or ignore the group.",
    "A slow decline is never seen, because the baseline declines with it. Look at the trend by eye once a month.",
  ],
  references: [
    {
      label: "Judging LLM-as-a-Judge",
      url: "https://arxiv.org/abs/2306.05685",
    },
    { label: "MITRE ATLAS: Erode AI Model Integrity", url: "https://atlas.mitre.org/techniques/AML.T0031" },
  ],
};
