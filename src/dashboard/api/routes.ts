import { Elysia } from "elysia";
import { accountRoutes } from "./account.ts";
import { detectorRoutes } from "./detectors.ts";
import { executionRoutes } from "./executions.ts";
import { failureResponse } from "./failure.ts";
import { groupRoutes } from "./groups.ts";
import type { ApiServices } from "./guard.ts";
import { keyRoutes } from "./keys.ts";
import { liveRoutes } from "./live.ts";
import { memberRoutes } from "./members.ts";
import { overviewRoutes } from "./overview.ts";
import { playbookRoutes } from "./playbooks.ts";
import { projectRoutes } from "./projects.ts";
import { type SessionServices, sessionRoutes } from "./session.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The dashboard's API, one file a resource. */
export const apiRoutes = (services: ApiServices) =>
  new Elysia({ prefix: "/app/api" })
    .onError(failureResponse)
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

/** The whole, with what makes and ends sessions. The browser's client takes its types from here. */
export const dashboardRoutes = (services: SessionServices) =>
  apiRoutes(services).use(sessionRoutes(services)).use(accountRoutes(services));

export type Api = ReturnType<typeof dashboardRoutes>;
