import { Elysia, status } from "elysia";
import { FAILURE_CLASSES, findFailureClass } from "./failure-classes.ts";
import { type ApiServices, guard } from "./guard.ts";

/** Every failure class, and what to do when it fires. The same for all projects: versioned with the code. */
export const playbookRoutes = (services: ApiServices) =>
  new Elysia({ name: "dashboard-playbooks" })
    .use(guard(services))
    .get("/playbooks", () => ({ items: FAILURE_CLASSES }), { role: "viewer" })
    .get(
      "/playbooks/:failure_class",
      ({ params }) => {
        const described = findFailureClass(params.failure_class);
        if (described === null)
          return status(404, { code: "playbook_not_found", detail: "There is no such failure class" });
        return described;
      },
      { role: "viewer" },
    );
