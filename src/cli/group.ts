import { listDetections } from "../store/detection/detections.ts";
import {
  findGroup,
  type GroupEntry,
  ignoreGroup,
  listGroups,
  mergeGroup,
  reopenGroup,
  resolveGroup,
  unmergeGroup,
} from "../store/groups/failure-group-admin.ts";
import { type AdminResult, findProjectNo, notFound } from "../store/projects/projects.ts";
import {
  type Command,
  type CommandInput,
  type CommandResult,
  done,
  misused,
  type Noun,
  refused,
} from "./command.ts";
import { record, table } from "./table.ts";

const project = {
  kind: "text",
  placeholder: "ID",
  summary: "The project the group belongs to",
  required: true,
} as const;

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;

/** Runs `work` with the project's number. */
async function inProject(
  input: CommandInput,
  work: (projectNo: number) => Promise<CommandResult>,
): Promise<CommandResult> {
  const id = input.flags.text("project") ?? "";
  const projectNo = await findProjectNo(input.database(), id);
  return projectNo === null ? refused(notFound("project", id)) : await work(projectNo);
}

function shown(result: AdminResult<GroupEntry>): CommandResult {
  return result.ok ? done(result.value, record({ ...result.value })) : refused(result);
}

function changing(
  verb: string,
  summary: string,
  work: (input: CommandInput, projectNo: number, id: string) => Promise<AdminResult<GroupEntry>>,
  flags: Command["flags"] = {},
): Command {
  return {
    verb,
    summary,
    positionals: ["ID"],
    flags: { project, ...flags },
    run: (input) =>
      inProject(input, async (projectNo) => shown(await work(input, projectNo, input.positionals[0] ?? ""))),
  };
}

const list: Command = {
  verb: "list",
  summary: "List failure groups, the latest fired first",
  flags: {
    project,
    class: { kind: "text", placeholder: "CLASS", summary: "Only of this class" },
    state: { kind: "text", placeholder: "STATE", summary: "Only open, resolved or ignored ones" },
    limit: { kind: "integer", placeholder: "N", summary: `At most that many (${LIMIT_DEFAULT})` },
  },
  run: (input) =>
    inProject(input, async (projectNo) => {
      const state = input.flags.text("state");
      if (state !== undefined && !["open", "resolved", "ignored"].includes(state)) {
        return misused("A state is one of open, resolved, ignored");
      }
      const groups = await listGroups(input.database(), projectNo, {
        class: input.flags.text("class"),
        state,
        limit: Math.max(1, Math.min(LIMIT_MAX, input.flags.integer("limit") ?? LIMIT_DEFAULT)),
      });
      const columns = ["ID", "CLASS", "SEVERITY", "STATE", "COUNT", "FIRST SEEN", "LAST SEEN", "SIGNATURE"];
      const rows = groups.map((g) => [
        g.id,
        g.class,
        g.severity,
        g.state,
        g.count,
        g.first_seen_at,
        g.last_seen_at,
        g.signature,
      ]);
      return done(groups, table({ columns, rows, empty: "No failure groups yet." }));
    }),
};

const show: Command = {
  verb: "show",
  summary: "Show a failure group and its latest detections",
  positionals: ["ID"],
  flags: { project },
  run: (input) =>
    inProject(input, async (projectNo) => {
      const sql = input.database();
      const id = input.positionals[0] ?? "";
      const group = await findGroup(sql, projectNo, id);
      if (group === null) return refused(notFound("group", id));
      const { class: failureClass, signature } = group;
      const detections = await listDetections(sql, projectNo, { class: failureClass, signature, limit: 20 });
      const columns = ["DETECTION", "SEVERITY", "EXECUTION", "EVENT", "SCORE", "DETECTED"];
      const rows = detections.map((d) => [
        d.id,
        d.severity,
        d.execution_id,
        d.event_id,
        d.score,
        d.detected_at,
      ]);
      const latest = table({ columns, rows, empty: "No detections are kept." });
      return done({ ...group, latest_detections: detections }, `${record({ ...group })}\n\n${latest}`);
    }),
};

export const noun: Noun = {
  name: "group",
  commands: [
    list,
    show,
    changing(
      "resolve",
      "Say that it is mended; a firing makes it regressed and sends again",
      (input, no, id) => resolveGroup(input.database(), no, id),
    ),
    changing(
      "ignore",
      "Send nothing about it until a time or a count of firings, or at all",
      (input, no, id) => {
        const until = input.flags.text("until");
        return ignoreGroup(input.database(), no, id, {
          until: until === undefined ? null : new Date(until),
          firings: input.flags.integer("count") ?? null,
        });
      },
      {
        until: { kind: "text", placeholder: "TIME", summary: "Until this time (RFC 3339)" },
        count: { kind: "integer", placeholder: "N", summary: "For so many firings" },
      },
    ),
    changing("reopen", "Neither resolved nor ignored any more", (input, no, id) =>
      reopenGroup(input.database(), no, id),
    ),
    changing(
      "merge",
      "Count it into another group of its class",
      (input, no, id) => mergeGroup(input.database(), no, id, input.flags.text("into") ?? ""),
      { into: { kind: "text", placeholder: "ID", summary: "The group that goes on", required: true } },
    ),
    changing("unmerge", "Let it stand for itself again", (input, no, id) =>
      unmergeGroup(input.database(), no, id),
    ),
  ],
};
