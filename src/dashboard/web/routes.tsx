import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { idOfPath, pathIdOf } from "../path-id.ts";
import { ApiError, queryClient } from "./client.ts";
import { onlyValid } from "./only-valid.ts";
import { validateExecutionSearch } from "./pages/executions/execution-search.ts";
import { validateExecutionListSearch } from "./pages/executions/list/execution-list-search.ts";
import { validateGroupListSearch } from "./pages/groups/group-list-search.ts";
import { validateGroupSearch } from "./pages/groups/group-search.ts";
import { validateLiveSearch } from "./pages/live/live-search.ts";
import { validateOverviewSearch } from "./pages/overview/overview-search.ts";
import { validatePlaybookSearch } from "./pages/playbooks/playbook-search.ts";
import { validateDetectorSearch } from "./pages/settings/detectors/detector-search.ts";
import { validateWebhookSearch } from "./pages/settings/webhooks/webhook-search.ts";
import { validateSignInSearch, validateTokenSearch } from "./pages/sign-in/sign-in-search.ts";
import { validateStartSearch } from "./pages/start/start-search.ts";
import { lastProjectId, projectsQuery, rememberProject } from "./projects.ts";
import { sessionQuery } from "./session.ts";
import { AppFrame } from "./shell/app-frame.tsx";
import { BlankFrame } from "./shell/blank-frame.tsx";
import { NotFoundPage, PageError, PagePending, ShellError, ShellPending } from "./shell/fallback-pages.tsx";
import { SettingsFrame } from "./shell/settings-frame.tsx";

/**
 * Every address of the dashboard. A page is a part of its own, loaded when it is first gone to; what its
 * address may hold beside the path is checked by the `…-search.ts` beside it.
 */

interface RouterContext {
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({});

/** Everything that asks for an account, in the frame with the side bar. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: AppFrame,
  pendingComponent: ShellPending,
  errorComponent: ShellError,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session.member === null) throw redirect({ to: "/app/sign-in", search: { next: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/app",
  beforeLoad: async ({ context }) => {
    const projects = await context.queryClient.ensureQueryData(projectsQuery);
    const last = lastProjectId();
    const project = projects.find(({ project_id }) => project_id === last) ?? projects[0];
    if (project === undefined) throw redirect({ to: "/app/projects", replace: true });
    throw redirect({
      to: "/app/p/$projectId/overview",
      params: { projectId: project.project_id },
      replace: true,
    });
  },
});

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: "/app/projects",
  component: lazyRouteComponent(() => import("./pages/projects/project-list-page.tsx"), "ProjectListPage"),
});

const project = createRoute({
  getParentRoute: () => signedIn,
  path: "/app/p/$projectId",
  beforeLoad: async ({ context, params }) => {
    const known = await context.queryClient.ensureQueryData(projectsQuery);
    if (!known.some(({ project_id }) => project_id === params.projectId)) {
      // It may have been made a moment ago, by somebody else.
      const fresh = await context.queryClient.fetchQuery({ ...projectsQuery, staleTime: 0 });
      if (!fresh.some(({ project_id }) => project_id === params.projectId)) {
        throw new ApiError(404, "project_not_found", `There is no project ${params.projectId}`);
      }
    }
    rememberProject(params.projectId);
  },
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/app/p/$projectId/overview", params, replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => project,
  path: "/overview",
  validateSearch: onlyValid(validateOverviewSearch),
  component: lazyRouteComponent(() => import("./pages/overview/overview-page.tsx"), "OverviewPage"),
});

const groupList = createRoute({
  getParentRoute: () => project,
  path: "/groups",
  validateSearch: onlyValid(validateGroupListSearch),
  component: lazyRouteComponent(() => import("./pages/groups/group-list-page.tsx"), "GroupListPage"),
});

const group = createRoute({
  getParentRoute: () => project,
  path: "/groups/$groupId",
  validateSearch: onlyValid(validateGroupSearch),
  component: lazyRouteComponent(() => import("./pages/groups/group-page.tsx"), "GroupPage"),
});

const executionList = createRoute({
  getParentRoute: () => project,
  path: "/executions",
  validateSearch: onlyValid(validateExecutionListSearch),
  component: lazyRouteComponent(
    () => import("./pages/executions/list/execution-list-page.tsx"),
    "ExecutionListPage",
  ),
});

const execution = createRoute({
  getParentRoute: () => project,
  path: "/executions/$executionId",
  params: {
    parse: ({ executionId }) => ({ executionId: idOfPath(executionId) }),
    stringify: ({ executionId }) => ({ executionId: pathIdOf(executionId) }),
  },
  validateSearch: onlyValid(validateExecutionSearch),
  component: lazyRouteComponent(() => import("./pages/executions/execution-page.tsx"), "ExecutionPage"),
});

const live = createRoute({
  getParentRoute: () => project,
  path: "/live",
  validateSearch: onlyValid(validateLiveSearch),
  component: lazyRouteComponent(() => import("./pages/live/live-page.tsx"), "LivePage"),
});

const start = createRoute({
  getParentRoute: () => project,
  path: "/start",
  validateSearch: onlyValid(validateStartSearch),
  component: lazyRouteComponent(() => import("./pages/start/start-page.tsx"), "StartPage"),
});

const playbookList = createRoute({
  getParentRoute: () => signedIn,
  path: "/app/playbooks",
  validateSearch: onlyValid(validatePlaybookSearch),
  component: lazyRouteComponent(() => import("./pages/playbooks/playbook-list-page.tsx"), "PlaybookListPage"),
});

const playbook = createRoute({
  getParentRoute: () => signedIn,
  path: "/app/playbooks/$failureClass",
  validateSearch: onlyValid(validatePlaybookSearch),
  component: lazyRouteComponent(() => import("./pages/playbooks/playbook-page.tsx"), "PlaybookPage"),
});

const projectSettings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  component: SettingsFrame,
});

const settingsHome = createRoute({
  getParentRoute: () => projectSettings,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/app/p/$projectId/settings/project", params, replace: true });
  },
});

const settingsProject = createRoute({
  getParentRoute: () => projectSettings,
  path: "/project",
  component: lazyRouteComponent(
    () => import("./pages/settings/project/project-settings-page.tsx"),
    "ProjectSettingsPage",
  ),
});

const settingsKeys = createRoute({
  getParentRoute: () => projectSettings,
  path: "/keys",
  component: lazyRouteComponent(() => import("./pages/settings/keys/key-list-page.tsx"), "KeyListPage"),
});

const settingsWebhooks = createRoute({
  getParentRoute: () => projectSettings,
  path: "/webhooks",
  component: lazyRouteComponent(
    () => import("./pages/settings/webhooks/webhook-list-page.tsx"),
    "WebhookListPage",
  ),
});

const settingsWebhook = createRoute({
  getParentRoute: () => projectSettings,
  path: "/webhooks/$webhookId",
  validateSearch: onlyValid(validateWebhookSearch),
  component: lazyRouteComponent(() => import("./pages/settings/webhooks/webhook-page.tsx"), "WebhookPage"),
});

const settingsDetectors = createRoute({
  getParentRoute: () => projectSettings,
  path: "/detectors",
  validateSearch: onlyValid(validateDetectorSearch),
  component: lazyRouteComponent(
    () => import("./pages/settings/detectors/detector-settings-page.tsx"),
    "DetectorSettingsPage",
  ),
});

/** Settings of the whole installation, in the same frame. */
const teamSettings = createRoute({
  getParentRoute: () => signedIn,
  path: "/app/settings",
  component: SettingsFrame,
});

const settingsMembers = createRoute({
  getParentRoute: () => teamSettings,
  path: "/members",
  component: lazyRouteComponent(
    () => import("./pages/settings/members/member-list-page.tsx"),
    "MemberListPage",
  ),
});

const settingsAccount = createRoute({
  getParentRoute: () => teamSettings,
  path: "/account",
  component: lazyRouteComponent(() => import("./pages/settings/account-page.tsx"), "AccountPage"),
});

/** What is open to anybody. */
const signedOut = createRoute({
  getParentRoute: () => root,
  id: "signed-out",
  component: BlankFrame,
  pendingComponent: ShellPending,
  errorComponent: ShellError,
  beforeLoad: async ({ context }) => {
    await context.queryClient.ensureQueryData(sessionQuery);
  },
});

const signIn = createRoute({
  getParentRoute: () => signedOut,
  path: "/app/sign-in",
  validateSearch: onlyValid(validateSignInSearch),
  beforeLoad: async ({ context, search }) => {
    const { member } = await context.queryClient.ensureQueryData(sessionQuery);
    if (member !== null) throw redirect({ href: search.next ?? "/app", replace: true });
  },
  component: lazyRouteComponent(() => import("./pages/sign-in/sign-in-page.tsx"), "SignInPage"),
});

const setup = createRoute({
  getParentRoute: () => signedOut,
  path: "/app/setup",
  validateSearch: onlyValid(validateTokenSearch),
  component: lazyRouteComponent(() => import("./pages/sign-in/setup-page.tsx"), "SetupPage"),
});

const invite = createRoute({
  getParentRoute: () => signedOut,
  path: "/app/invite",
  validateSearch: onlyValid(validateTokenSearch),
  component: lazyRouteComponent(() => import("./pages/sign-in/invite-page.tsx"), "InvitePage"),
});

const password = createRoute({
  getParentRoute: () => signedOut,
  path: "/app/password",
  validateSearch: onlyValid(validateTokenSearch),
  component: lazyRouteComponent(() => import("./pages/sign-in/password-page.tsx"), "PasswordPage"),
});

const routeTree = root.addChildren([
  signedIn.addChildren([
    home,
    projects,
    project.addChildren([
      projectHome,
      overview,
      groupList,
      group,
      executionList,
      execution,
      live,
      start,
      projectSettings.addChildren([
        settingsHome,
        settingsProject,
        settingsKeys,
        settingsWebhooks,
        settingsWebhook,
        settingsDetectors,
      ]),
    ]),
    playbookList,
    playbook,
    teamSettings.addChildren([settingsMembers, settingsAccount]),
  ]),
  signedOut.addChildren([signIn, setup, invite, password]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  scrollRestoration: true,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
