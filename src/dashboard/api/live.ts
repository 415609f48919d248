import { Elysia } from "elysia";
import { type ApiServices, guard } from "./guard.ts";

export const liveRoutes = (services: ApiServices) => new Elysia().use(guard(services));
