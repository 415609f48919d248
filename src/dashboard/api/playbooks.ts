import { Elysia, status } from "elysia";
import { listClassProjects } from "../../store/dashboard/class-projects.ts";
import type { PlaybookReference } from "../playbooks/playbook.ts";
import { playbookOf } from "../playbooks/playbooks.ts";
import { FAILURE_CLASSES, findFailureClass } from "./failure-classes.ts";
import { type ApiServices, guard } from "./guard.ts";

/** More than a person reads. */
const PROJECTS_MAX = 6;

/** Every failure class, and what to do when it fires. The same for all projects: versioned with the code. */
export const playbookRoutes = (services: ApiServices) =>
  new Elysia({ name: "dashboard-playbooks" })
    .use(guard(services))
    .get("/playbooks", () => ({ items: FAILURE_CLASSES }), { role: "viewer" })
    .get(
      "/playbooks/:failure_class",
      ({ params }) => {
        const described = findFailureClass(params.failure_class);
        if (described === null) return noPlaybook();
        return { ...described, playbook: playbookTexts(described.failure_class) };
      },
      { role: "viewer" },
    )
    .get(
      "/playbooks/:failure_class/projects",
      async ({ params }) => {
        if (findFailureClass(params.failure_class) === null) return noPlaybook();
        return { items: await listClassProjects(services.sql, params.failure_class, PROJECTS_MAX) };
      },
      { role: "viewer" },
    );

const noPlaybook = () =>
  status(404, { code: "playbook_not_found", detail: "There is no such failure class" });

/** Texts with code between backticks: src/dashboard/playbooks/playbook.ts. */
export interface PlaybookTexts {
  readonly meaning: string;
  readonly confirm: readonly string[];
  readonly contain: readonly string[];
  readonly fix: readonly string[];
  readonly prevent: readonly string[];
  readonly false_alarms: readonly string[];
  readonly references: readonly PlaybookReference[];
}

/** Null for a class that has none yet. */
function playbookTexts(failureClass: string): PlaybookTexts | null {
  const playbook = playbookOf(failureClass);
  if (playbook === undefined) return null;
  const { meaning, confirm, contain, fix, prevent, falseAlarms, references } = playbook;
  return { meaning, confirm, contain, fix, prevent, false_alarms: falseAlarms, references };
}
