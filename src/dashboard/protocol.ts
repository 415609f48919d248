import type { OidcOptions } from "./auth/oidc.ts";

/** Messages between the main thread (dashboard.ts) and the dashboard's thread (worker.ts). */

export interface DashboardOptions {
  readonly databaseUrl: string;
  readonly appUrl: string;
  readonly connectionsMax: number;
  readonly oidc: OidcOptions | null;
}

export type ToThread =
  | { readonly kind: "start"; readonly options: DashboardOptions; readonly socketPath: string }
  | { readonly kind: "close_silent"; readonly silentMs: number }
  | { readonly kind: "stop" };

export type FromThread =
  | { readonly kind: "listening" }
  /** Every second. */
  | { readonly kind: "alive" }
  | { readonly kind: "warning"; readonly message: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" };
