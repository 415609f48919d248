import { Elysia } from "elysia";
import { type ApiServices, guard } from "./guard.ts";

export const playbookRoutes = (services: ApiServices) => new Elysia().use(guard(services));
