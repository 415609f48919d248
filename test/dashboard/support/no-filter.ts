import type { ExecutionFilter } from "../../../src/store/dashboard/executions.ts";

/** Every execution of a project. */
export const NO_FILTER: ExecutionFilter = {
  statuses: null,
  from: null,
  to: null,
  sdkLanguage: null,
  sdkVersion: null,
  environment: null,
  failureClass: null,
  text: null,
};
