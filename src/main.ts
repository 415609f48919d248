import { ensureInstalled } from "./install.ts";

/**
 * The entry of `bun start`. Nothing of node_modules may be imported before it is known to be there, so the
 * service itself is loaded afterwards.
 */
ensureInstalled({ development: false });
const { runService } = await import("./service.ts");
await runService();
