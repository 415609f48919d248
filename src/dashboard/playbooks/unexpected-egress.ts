import type { Playbook } from "./playbook.ts";

export const unexpectedEgress: Playbook = {
  failureClass: "unexpected_egress",
  meaning:
    "An agent contacted a place where it has no business. How grave that is stands in the rule: a cloud metadata address gives out the machine's credentials, a disguised address or imitating name is somebody hiding or a typing error that hands your data to a stranger, a bare address, an internationalised name, a well-known name beside another word or a host new to the project may be either.",
  confirm: [
    "Read the first rule id. `metadata-address`: go to containment at once and read on later. `disguised-address` and `homoglyph`: compare the spelled `destination` with what it stands for. `imitates-host`: the excerpt names the host imitated in brackets; compare the two letter by letter, from the end. `new-host`: ask who introduced it.",
    "Open the event: `tool_name` says through what, `bytes_out` how much. The calls just before show whether the address came from the user, from the code, or out of fetched content.",
    "For `new-host` compare with the last deployment. A new dependency, a redirect or a provider's new region explains most of them; a domain registered last week explains none.",
    "For `imitates-host` between two hosts of your own the later one is named. Where the imitation came first it is the other that is false: look up who registered each, and since when.",
    "In the proxy or flow log see which other machines contacted the host, and since when.",
  ],
  contain: [
    "`metadata-address`: rotate the credentials of the machine's role now, and look in the cloud's audit log for their use from elsewhere.",
    "`imitates-host`: take every credential that was sent there as known to others, and rotate it. An API key in a header is all that such a host wants.",
    "Block the host or address at the egress proxy until it is explained.",
    "Stop the run if the address came out of content that it had fetched: that is a request forged by somebody else.",
    "Where the machine answers metadata requests without a session token, require tokens (IMDSv2, a hop limit of 1) for the whole group of machines.",
  ],
  fix: [
    "A fetch tool takes any URL. Resolve the name once, refuse private, link-local and metadata addresses, and connect to the address that you checked; follow redirects by the same rule.",
    "Content steered the agent there. See the source with the playbook of `prompt_injection`.",
    "A library or a model SDK reports home. Switch its telemetry off, or allow its host knowingly.",
    "The host is a typing error or a look-alike of one of yours. Correct the configuration, and find out who supplied it.",
    "The host is right and new. Allow it, and let the change that brought it say so.",
  ],
  prevent: [
    "Send all egress of agents through a proxy with a list of names; then a new host is a reviewed change and not an alarm.",
    "Run agents without cloud roles, or with a role that can do nothing by itself.",
    "Report `egress` from the network layer rather than from the tools: a tool that was talked into something does not report itself.",
  ],
  falseAlarms: [
    "A host that you know: `bun run cli detector configure unexpected_egress --project PROJECT_ID --allow api.example.com,*.partner.example`. The list is replaced as a whole, so name the old entries too.",
    "A domain of a well-known service that the built-in list does not know as its own (`borrowed-name` mostly), a mirror or a proxy that carries its name, two domains of yours that differ by a letter: allow them. Whoever allows `*.example.com` is told of its imitations as well.",
    "The first hours of a project: `new-host` waits for 10 executions and 20 contacts; let it wait for a day with `--threshold historyAgeMinutesMin=1440`.",
    "Agents that browse have no settled set of hosts: below four executions for each known host the rule goes quiet by itself, unless the latest eight met no new one, or a young project met all its hosts in its first two runs. Raise `executionsPerHostMin`, `quietExecutionsMin` and `steadyExecutionsMin` if it does not.",
    "Direct addresses inside your own networks do not fire unless disguised; the public address of a partner without a name does, until allowed.",
  ],
  references: [
    {
      label: "OWASP SSRF Prevention Cheat Sheet",
      url: "https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html",
    },
    {
      label: "AWS: configuring the instance metadata service",
      url: "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html",
    },
    { label: "UTS #39: Unicode Security Mechanisms", url: "https://www.unicode.org/reports/tr39/" },
  ],
};
