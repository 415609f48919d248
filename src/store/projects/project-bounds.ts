/**
 * What a project's settings may be, and what they are where nobody says otherwise. The dashboard's pages read
 * it too, so it imports nothing. A change of it needs a migration: the table holds the same checks and
 * defaults.
 */

export const NAME_CHARS_MAX = 200;

export const ALERT_SCOPES = ["class", "group"] as const;
export type AlertScope = (typeof ALERT_SCOPES)[number];

export const PROJECT_RANGES = {
  rateBurst: { min: 1, max: 1_000_000 },
  ratePerSecond: { min: 1, max: 1_000_000 },
  cooldownSeconds: { min: 0, max: 31_536_000 },
  /** Of a project that does not keep everything for ever. */
  retentionDays: { min: 1, max: 3_650 },
} as const;

export const PROJECT_DEFAULTS = {
  rateBurst: 100,
  ratePerSecond: 10,
  cooldownSeconds: 86_400,
  alertScope: "class",
} as const;
