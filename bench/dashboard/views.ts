/**
 * What people look at, and what each page asks the API for when it is opened: the queries of
 * src/dashboard/web/pages/**, those at once that a page asks for at once, those after each other that wait
 * for an answer.
 */
import type { Subjects } from "./subjects.ts";

export interface Ask {
  /** What it is called in the report: the route, and what was special. */
  readonly route: string;
  readonly path: string;
  /** A stream: measured to its first message. */
  readonly isStream?: boolean;
}

export interface View {
  readonly page: string;
  /** Each step begins when the one before is answered. */
  readonly steps: (pick: Pick) => readonly (readonly Ask[])[];
  /** The address in a browser; absent where another view of the same page stands for it. */
  readonly address?: string;
}

/** A way to choose one of several; a person looks at another one each time. */
export type Pick = <Item>(items: readonly Item[]) => Item;

const HOUR_MS = 3_600_000;
const RANGES = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 } as const;

const isoAgo = (hours: number) =>
  new Date(Math.ceil(Date.now() / 60_000) * 60_000 - hours * HOUR_MS).toISOString();
const query = (params: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
};

export interface DeepPlaces {
  /** Cursors far down the list of executions, and of the events of the big one. */
  readonly executions: readonly string[];
  readonly bigEvents: readonly string[];
  readonly deliveries: readonly string[];
}

export function viewsOf(subjects: Subjects, places: DeepPlaces): View[] {
  const of = `/projects/${subjects.projectId}`;
  const app = `/app/p/${subjects.projectId}`;
  const views: View[] = [];
  const add = (page: string, address: string | undefined, steps: View["steps"]) =>
    views.push({ page, steps, ...(address === undefined ? {} : { address }) });
  const plain = (page: string, address: string, ...asks: (readonly [route: string, path: string])[]) =>
    add(page, address, () => [asks.map(([route, path]) => ({ route, path }))]);

  for (const [name, hours] of Object.entries(RANGES)) {
    add(`overview ${name}`, `${app}/overview?range=${name}`, () => {
      const now = { from: isoAgo(hours), to: isoAgo(0) };
      const before = { from: isoAgo(2 * hours), to: isoAgo(hours) };
      const ask = (part: string, range: typeof now, note = "") => ({
        route: `overview/${part} ${name}${note}`,
        path: `${of}/overview/${part}${query(range)}`,
      });
      return [[ask("series", now), ask("totals", now), ask("totals", before, " before"), ask("health", now)]];
    });
  }

  const groupList = (note: string, params: Readonly<Record<string, string>>, address?: string) =>
    add(`groups ${note}`, address, () => [
      [{ route: `groups ${note}`, path: `${of}/groups${query(params)}` }],
    ]);
  groupList("open", { state: "open" }, `${app}/groups`);
  groupList("all by count, 30d", { sort: "count", activity: "30d" });
  groupList("search", { state: "open", q: "ledger case 7" });
  groupList("class and severity, 7d", {
    state: "open",
    range: "7d",
    class: subjects.classes.slice(0, 3).join(","),
    severity: "high,critical",
  });

  const groupPage = (note: string, groups: readonly string[], address?: string) =>
    add(`group ${note}`, address, (pick) => {
      const group = `${of}/groups/${pick(groups)}`;
      const ask = (part: string, path: string) => ({
        route: `group/${part} ${note}`,
        path: `${group}${path}`,
      });
      return [
        [ask("", "")],
        [
          ask("occurrences", "/occurrences?range=7d"),
          ask("detections", "/detections"),
          ask("executions", "/executions"),
          ask("deliveries", "/deliveries"),
          { route: "playbook", path: `/playbooks/${subjects.classes[0]}` },
        ],
      ];
    });
  groupPage("busiest", subjects.groups.slice(0, 1), `${app}/groups/${subjects.groups[0]}`);
  groupPage("any", subjects.groups);

  const week = () => ({ from: isoAgo(168), to: isoAgo(0) });
  const facets: Ask = { route: "execution-facets", path: `${of}/execution-facets` };
  const executionList = (
    note: string,
    params: (pick: Pick) => Readonly<Record<string, string | undefined>>,
    address?: string,
  ) =>
    add(`executions ${note}`, address, (pick) => [
      [
        {
          route: `executions ${note}`,
          path: `${of}/executions${query({ ...week(), limit: "50", ...params(pick) })}`,
        },
        facets,
      ],
    ]);
  executionList("newest", () => ({}), `${app}/executions`);
  executionList("oldest first", () => ({ sort: "started_at" }));
  executionList("deep page", (pick) => ({ cursor: pick(places.executions) }));
  executionList("status", () => ({ status: "crashed" }));
  executionList("status, running", () => ({ status: "started" }));
  executionList("sdk", () => ({ sdk: "python@1.5.0" }));
  executionList("sdk, rare", () => ({ sdk: "rust@0.1.0" }));
  executionList("environment", () => ({ environment: "staging" }));
  executionList("environment, rare", () => ({ environment: "sandbox" }));
  executionList("class", () => ({ class: subjects.classes[0] }));
  executionList("class, any", (pick) => ({ class: pick(subjects.classes) }));
  executionList("id", (pick) => ({ q: pick(subjects.executions).id }));
  executionList("id, short start", () => ({ q: "run_20" }));
  executionList("crash signature", () => ({ q: subjects.crashSignature.slice(0, 19) }));
  executionList("status, class, environment", () => ({
    status: "crashed",
    class: subjects.classes[0],
    environment: "staging",
  }));
  executionList("time", () => ({ from: isoAgo(100), to: isoAgo(99) }));

  const executionPage = (
    note: string,
    choose: (pick: Pick) => { readonly id: string; readonly eventId: string },
    address?: string,
  ) =>
    add(`execution ${note}`, address, (pick) => {
      const { id, eventId } = choose(pick);
      const execution = `${of}/executions/${encodeURIComponent(id)}`;
      const ask = (part: string, path: string) => ({
        route: `execution/${part} ${note}`,
        path: `${execution}${path}`,
      });
      return [
        [ask("", "")],
        [ask("events", "/events?limit=200"), ask("graph", "/graph"), ask("event", `/events/${eventId}`)],
      ];
    });
  executionPage(
    "small",
    (pick) => pick(subjects.executions),
    `${app}/executions/${subjects.executions[0]?.id ?? subjects.bigExecution.id}`,
  );
  executionPage("of 10,000", () => subjects.bigExecution, `${app}/executions/${subjects.bigExecution.id}`);
  const big = `${of}/executions/${encodeURIComponent(subjects.bigExecution.id)}/events`;
  const bigEvents = (note: string, path: (pick: Pick) => string) =>
    add(`execution of 10,000, ${note}`, undefined, (pick) => [
      [{ route: `execution/events of 10,000, ${note}`, path: `${big}${path(pick)}` }],
    ]);
  bigEvents("deep page", (pick) => `?limit=200&cursor=${encodeURIComponent(pick(places.bigEvents))}`);
  bigEvents("from a sequence", () => `?limit=200&from_sequence=${subjects.bigExecution.lateSequence - 20}`);
  bigEvents("two types", () => "?limit=200&type=agent_handoff,exception");

  add("live tail", `${app}/live`, () => [
    [{ route: "live, first message", path: `${of}/live`, isStream: true }],
  ]);
  plain(
    "start",
    `${app}/start`,
    ["project", of],
    ["keys", `${of}/keys`],
    ["first-event", `${of}/first-event`],
  );
  plain("playbooks", "/app/playbooks", ["playbooks", "/playbooks"]);
  add("playbook", `/app/playbooks/${subjects.classes[0]}?project=${subjects.projectId}`, (pick) => {
    const failureClass = pick(subjects.classes);
    return [
      [
        { route: "playbook", path: `/playbooks/${failureClass}` },
        { route: "groups of a class", path: `${of}/groups?class=${failureClass}` },
      ],
    ];
  });
  plain("projects", "/app/projects", ["session", "/session"], ["projects", "/projects"]);
  plain("project settings", `${app}/settings/project`, ["project", of]);
  plain("keys", `${app}/settings/keys`, ["keys", `${of}/keys`]);
  plain("webhooks", `${app}/settings/webhooks`, ["webhooks", `${of}/webhooks`]);
  const hook = `${of}/webhooks/${subjects.webhookId}`;
  plain(
    "webhook",
    `${app}/settings/webhooks/${subjects.webhookId}`,
    ["webhook", hook],
    ["deliveries", `${hook}/deliveries`],
  );
  add("webhook, a delivery", undefined, (pick) => [
    [{ route: "delivery", path: `${hook}/deliveries/${pick(subjects.deliveries)}` }],
  ]);
  add("webhook, deep page", undefined, (pick) => [
    [
      {
        route: "deliveries, deep page",
        path: `${hook}/deliveries?cursor=${encodeURIComponent(pick(places.deliveries))}`,
      },
    ],
  ]);
  for (const status of ["failed", "cancelled", "pending"])
    add(`webhook, ${status}`, undefined, () => [
      [{ route: `deliveries, ${status}`, path: `${hook}/deliveries?status=${status}` }],
    ]);
  plain("detectors", `${app}/settings/detectors`, ["detectors", `${of}/detectors`]);
  plain("members", "/app/settings/members", ["members", "/members"], ["invitations", "/invitations"]);
  plain("account", "/app/settings/account", ["session", "/session"]);
  return views;
}
