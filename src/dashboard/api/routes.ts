import { Elysia } from "elysia";
import { detectorRoutes } from "./detectors.ts";
import { executionRoutes } from "./executions.ts";
import { groupRoutes } from "./groups.ts";
import type { ApiServices } from "./guard.ts";
import { answerInvalidInput } from "./invalid-input.ts";
import { keyRoutes } from "./keys.ts";
import { liveRoutes } from "./live.ts";
import { memberRoutes } from "./members.ts";
import { overviewRoutes } from "./overview.ts";
import { playbookRoutes } from "./playbooks.ts";
import { projectRoutes } from "./projects.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The dashboard's API, one file a resource. The browser's client takes its types from here. */
export const apiRoutes = (services: ApiServices) =>
  new Elysia({ prefix: "/app/api" })
    .onError(answerInvalidInput)
    .use(overviewRoutes(services))
    .use(groupRoutes(services))
    .use(executionRoutes(services))
    .use(liveRoutes(services))
    .use(playbookRoutes(services))
    .use(projectRoutes(services))
    .use(keyRoutes(services))
    .use(webhookRoutes(services))
    .use(detectorRoutes(services))
    .use(memberRoutes(services));

export type Api = ReturnType<typeof apiRoutes>;
