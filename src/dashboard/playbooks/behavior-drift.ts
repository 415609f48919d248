import type { Playbook } from "./playbook.ts";

export const behaviorDrift: Playbook = {
  failureClass: "behavior_drift",
  meaning:
    "A run behaves unlike the project's earlier runs: your own monitor said so (rule `client-signal`), it used a tool not used before (`new-tool`), made many times the usual calls (`length`), is the sixth in a row without a usual tool (`habit-gone`) or with answers of another size (`answer-size`), or, in a young project, left out the usual steps, changed something with a new tool and answered at length (`unlike-core`). After a release that is expected. Without one it can be the first sign of a hijacked agent.",
  confirm: [
    "Ask first: was anything released, configured or connected at the time of `first_seen_at`? A new tool right after a deployment is the deployment.",
    "`client-signal`: open the `drift_signal` and compare `score` with `threshold`, and look at what the signal measures.",
    "`new-tool`: open the event and read the calls before it. Why did the model choose this tool, and was it told to by content that it had read?",
    "`length`: in the timeline see what was repeated. `tool_loop` or `tool_error_burst` on the same execution explain most of these.",
    "`habit-gone`, `answer-size`: compare the latest executions with those of a week ago. Does the agent still look before it acts, and do its answers still suit their readers? `unlike-core`: read what was asked. A first request of another kind, or a second agent in the project, is no drift; the usual request without the looking and checking is.",
    "If no change of yours explains it, read the run from its first untrusted content on, as with `prompt_injection`.",
  ],
  contain: [
    "Unexplained use of a tool that changes something: stop the run, and withdraw the tool from that agent.",
    "A signal that fires in many runs at once: roll back the last change of model, prompt or data.",
    "A single long run that still makes sense: let it go on, and watch its tokens.",
  ],
  fix: [
    "The provider updated the model behind an alias. Pin versions and move on purpose.",
    "The prompt or a tool's description changed so that another tool looks fit. Compare the descriptions; make their uses distinct.",
    "The input has changed: a new customer, language or document type. Teach the agent, or route that traffic elsewhere.",
    "The agent was steered by content. Close that way in.",
    "Tools became visible that it never needed. Give each agent its own short list.",
  ],
  prevent: [
    "Let each agent's tools be a list under version control; then a new tool is a review and not a surprise.",
    "Roll out models and prompts to a share of the traffic, and compare the two shares.",
    "Send `drift_signal` with `drifted` stated, so that your threshold and this service's never disagree.",
  ],
  falseAlarms: [
    "Tools and signals that you know: `bun run cli detector configure behavior_drift --project PROJECT_ID --allow export_report,embedding_topic`.",
    "Projects whose agents build their own tools never settle; `--threshold executionsPerToolMin=50` keeps `new-tool` quiet there.",
    "Work that varies greatly in length: `--threshold lengthFactor=10`. Neither length nor new tools are judged before 50 executions are finished.",
    "Several agents in one project: give each its own, or `--threshold changedExecutionsMin=20` and, while it is young, `--threshold steadyExecutionsMin=30`. `--allow answer-size` keeps that rule quiet.",
    "Calls that arrive after the end of the run are not counted, and what changes slowly becomes the new normal.",
  ],
  references: [
    {
      label: "How Is ChatGPT's Behavior Changing over Time?",
      url: "https://arxiv.org/abs/2307.09009",
    },
    {
      label: "OWASP Top 10 for Agentic Applications",
      url: "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
    },
  ],
};
