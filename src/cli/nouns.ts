import type { Noun } from "./command.ts";

/**
 * Every noun, one line each. Loaded when used: an operator waits for the command typed, not for all of them.
 */
export const nouns: readonly NounEntry[] = [
  { name: "project", summary: "Projects, their rate limits and alerts", load: () => import("./project.ts") },
  { name: "key", summary: "API keys", load: () => import("./key.ts") },
  {
    name: "webhook",
    summary: "Receivers of failure-group notifications",
    load: () => import("./webhook.ts"),
  },
  { name: "group", summary: "Failure groups", load: () => import("./group.ts") },
  { name: "detection", summary: "What the detectors found", load: () => import("./detection.ts") },
  { name: "detector", summary: "The detectors of this build", load: () => import("./detector.ts") },
  { name: "delivery", summary: "Notifications sent and owed", load: () => import("./delivery.ts") },
  { name: "account", summary: "Accounts of the dashboard", load: () => import("./account.ts") },
  { name: "database", summary: "The service's database", load: () => import("./database.ts") },
  { name: "demo", summary: "Invented runs, to have something to look at", load: () => import("./demo.ts") },
];

export interface NounEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ readonly noun: Noun }>;
}
