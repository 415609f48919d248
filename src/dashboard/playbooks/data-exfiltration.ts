import type { Playbook } from "./playbook.ts";

export const dataExfiltration: Playbook = {
  failureClass: "data_exfiltration",
  meaning:
    "Data left the run, or was put on its way out: a command that sends a sensitive file, a known drop site, a secret out of one tool's result in another call's arguments, an image whose address carries data, or a transfer larger than the project allows. The excerpt and the rule say which way out it was; nothing here stopped it.",
  confirm: [
    "Open the event. `sensitive-file-to-network` and `returned-secret-sent` are nearly always real. `secret-to-imitation` is a credential beside the address of an imitated host: take it as stolen. `secret-in-message` is any credential given to a tool that sends. `drop-site` names a request bin or a tunnel. `image-with-data` and `heard-words-in-image` are images in an answer, which a browser loads by itself. `bulk-transfer` is size alone.",
    "Rules called “heard-…” compare the call with what tools had returned in this run (values, words, a file): look there for what left, and at who was to get it. `pieces-in-names` is data in numbered pieces of names that were looked up.",
    "Other rules that end in `-sent` name the source (`key-file`, `key-command`, `watched`: screen or clipboard, `dump`, `people`, `private-columns`, `confidential`); look where the command sends it. `name-made-of-data`, `ping-with-data`, `database-calls-out` and `tunnel-to-data` name a way that serves little else. `sent-under-cover` knows no source: it is judged by what the call hides.",
    "See whether it happened (`result` or `error` of the call, an `egress` event right after it and its `bytes_out`; for an image, whether your front end renders images from other hosts), and what was in it: before this event look for the `tool_call` that read the file or returned the secret; decode what the address or the body carries.",
    "Find out why: the last content from outside before it. A firing of `prompt_injection` there makes it an attack, and a request of the user may make it a task.",
    "In the proxy or firewall log look up the destination for all agents over the last weeks, not only for this run.",
  ],
  contain: [
    "Stop the run and block the destination at the egress proxy for all agents.",
    "Rotate every credential that stood in what went out, and those readable beside it.",
    "For an image or link in a chat, take the message away before it is opened again, and switch off images from foreign hosts in the front end.",
    "Preserve the execution, the proxy log and the sandbox; then start on what the data's owners must be told.",
  ],
  fix: [
    "The agent has private data and an open way out. Close the way: an egress proxy with a list of hosts, no raw shell with network.",
    "Injected content asked for it. Follow the playbook of `prompt_injection` for its source.",
    "The chat front end renders whatever the model writes. Allow images from your own hosts only, by a content security policy, and show where a link leads.",
    "A tool returns secrets that another tool happily sends. Keep secrets out of results (`secret_exposure`).",
    "A legitimate export has outgrown its bound. Let it run as a job of its own outside the agent.",
  ],
  prevent: [
    "Deny egress by default, and grant it by task rather than by agent.",
    "Mount home directories and credential files nowhere in a sandbox; what is not there cannot be sent.",
    "Plant canary tokens among the documents: whoever opens one tells you.",
    "Have clients report `egress` with `bytes_out`; without it neither size nor destination is seen.",
  ],
  falseAlarms: [
    "A host of your own that the call does not show as yours, a tunnel or a request bin that the project needs: put it on the class's allow-list (`*.example.com`). Commands, uploads, returned secrets, pictures and contacts that go there and nowhere else are silent then.",
    "Developers use tunnels and request bins to test webhooks. Their project may have them; a production project should keep the rule.",
    "Backups and model downloads that count as bytes out, where their host cannot be allowed: `bun run cli detector configure data_exfiltration --project PROJECT_ID --threshold bytesOutMax=5000000000`.",
    "A message tool that delivers one-time passwords by design fires with `secret-in-message`. Ignore that group, whose signature names the class of the tool.",
    "Data in plain prose, or read in one call and sent by another, goes unseen; `unexpected_egress` is the second net.",
  ],
  references: [
    {
      label: "The lethal trifecta for AI agents",
      url: "https://simonwillison.net/2025/Jun/16/the-lethal-trifecta/",
    },
    {
      label: "Compromising LLM-integrated applications with indirect prompt injection",
      url: "https://arxiv.org/abs/2302.12173",
    },
    {
      label: "MITRE ATLAS: Exfiltration via AI Agent Tool Invocation",
      url: "https://atlas.mitre.org/techniques/AML.T0086",
    },
  ],
};
