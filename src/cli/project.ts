import {
  ALERT_SCOPES,
  NAME_CHARS_MAX,
  PROJECT_DEFAULTS,
  PROJECT_RANGES,
} from "../store/projects/project-bounds.ts";
import {
  createProject,
  listProjects,
  type Project,
  type ProjectInput,
  updateProject,
} from "../store/projects/projects.ts";
import { done, type Flag, type Flags, type Noun, refused } from "./command.ts";
import { record, table } from "./table.ts";

const settings: Readonly<Record<string, Flag>> = {
  name: {
    kind: "text",
    placeholder: "NAME",
    summary: `What people call it, 1 to ${NAME_CHARS_MAX} characters`,
  },
  "rate-burst": {
    kind: "integer",
    placeholder: "TOKENS",
    summary: "Bucket capacity",
    range: PROJECT_RANGES.rateBurst,
    default: PROJECT_DEFAULTS.rateBurst,
  },
  "rate-per-second": {
    kind: "integer",
    placeholder: "TOKENS",
    summary: "Bucket refill a second",
    range: PROJECT_RANGES.ratePerSecond,
    default: PROJECT_DEFAULTS.ratePerSecond,
  },
  "cooldown-seconds": {
    kind: "integer",
    placeholder: "SECONDS",
    summary: "Quiet time after a notification",
    range: PROJECT_RANGES.cooldownSeconds,
    default: PROJECT_DEFAULTS.cooldownSeconds,
  },
  "alert-scope": {
    kind: "text",
    placeholder: "SCOPE",
    summary: "What notifies once",
    choices: ALERT_SCOPES,
    default: PROJECT_DEFAULTS.alertScope,
  },
  "retention-days": {
    kind: "integer",
    placeholder: "DAYS",
    summary: "How long events are kept",
    range: { min: 0, max: PROJECT_RANGES.retentionDays.max, zero: "for ever" },
    default: 0,
  },
};

function inputOf(flags: Flags): ProjectInput {
  const retentionDays = flags.integer("retention-days");
  return {
    name: flags.text("name"),
    rateBurst: flags.integer("rate-burst"),
    ratePerSecond: flags.integer("rate-per-second"),
    cooldownSeconds: flags.integer("cooldown-seconds"),
    alertScope: flags.text("alert-scope"),
    retentionDays: retentionDays === 0 ? null : retentionDays,
  };
}

const shown = (project: Project) => record({ ...project });

export const noun: Noun = {
  name: "project",
  commands: [
    {
      verb: "create",
      summary: "Create a project",
      flags: { ...settings, name: { ...settings.name!, required: true } },
      async run({ database, flags }) {
        const created = await createProject(database(), {
          ...inputOf(flags),
          name: flags.text("name") ?? "",
        });
        return created.ok ? done(created.value, shown(created.value)) : refused(created);
      },
    },
    {
      verb: "list",
      summary: "List all projects",
      async run({ database }) {
        const projects = await listProjects(database());
        const rows = projects.map((p) => [
          p.id,
          p.name,
          p.rate_burst,
          p.rate_per_second,
          p.cooldown_seconds,
          p.alert_scope,
          p.retention_days,
          p.created_at,
        ]);
        const columns = ["ID", "NAME", "BURST", "PER SECOND", "COOLDOWN S", "SCOPE", "KEPT DAYS", "CREATED"];
        return done(projects, table({ columns, rows, empty: "No projects yet." }));
      },
    },
    {
      verb: "update",
      summary: "Change a project; the running service follows within 2 s",
      positionals: ["ID"],
      flags: settings,
      async run({ database, positionals, flags }) {
        const updated = await updateProject(database(), positionals[0] ?? "", inputOf(flags));
        return updated.ok ? done(updated.value, shown(updated.value)) : refused(updated);
      },
    },
  ],
};
