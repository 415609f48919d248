/**
 * What can go wrong here. Each fault breaks one thing, waits, and leaves it whole; nothing else is promised
 * of when it is.
 */
import type { SeededRandom } from "../ingest/random.ts";
import type { Health } from "./receiver.ts";
import type { Seat, Site } from "./site.ts";

export const FAULT_NAMES = [
  "kill-service",
  "stop-service",
  "freeze-service",
  "kill-postgres",
  "freeze-postgres",
  "terminate-backends",
  "cut-connections",
  "silence-connection",
  "sicken-receiver",
] as const;

export type FaultName = (typeof FAULT_NAMES)[number];

/** Those between a service and its PostgreSQL: of one that runs it itself they are its own. */
export const ON_THE_WAY: readonly FaultName[] = ["cut-connections", "silence-connection"];

/** What a fault holds while it lasts: no other breaks the same thing meanwhile. */
type Resource = "postgres" | "receiver" | Seat;

export interface Fault {
  readonly name: FaultName;
  readonly resource: Resource;
  /**
   * Rejects when something did not stand it that must: a service that leaves with another code than 0, say.
   */
  happen(): Promise<void>;
}

/** As the service names its connections, those that work all the time. */
const CONNECTIONS = [
  "ats-detection",
  "ats notify",
  "ats upkeep",
  "ats probe",
  "ats ingest",
  "ats flush",
  "ats careful flush",
] as const;
const ILL: readonly Health[] = ["refuses", "hangs up", "silent"];

/** The fault of that name, on something that is chosen by chance. */
export function faultOf(name: FaultName, site: Site, random: SeededRandom): Fault {
  const seat = random.pick(site.seats);
  const { server } = site;
  switch (name) {
    case "kill-service":
      return { name, resource: seat, happen: () => endAndRaise(site, seat, "SIGKILL", random.below(2_000)) };
    case "stop-service":
      return { name, resource: seat, happen: () => endAndRaise(site, seat, "SIGTERM", random.below(2_000)) };
    case "freeze-service": {
      const ms = random.between(200, 12_000);
      return { name, resource: seat, happen: () => freezeService(seat, ms) };
    }
    case "kill-postgres":
      return {
        name,
        resource: "postgres",
        async happen() {
          await server.kill();
          await Bun.sleep(random.below(3_000));
          await server.start();
        },
      };
    case "freeze-postgres":
      return {
        name,
        resource: "postgres",
        async happen() {
          server.freeze();
          await Bun.sleep(random.between(200, 8_000));
          server.thaw();
        },
      };
    case "terminate-backends":
      return { name, resource: "postgres", happen: () => terminateBackends(site) };
    case "cut-connections":
      return {
        name,
        resource: seat,
        async happen() {
          seat.way?.cut();
        },
      };
    case "silence-connection": {
      const bytes = random.below(2) === 0 ? 0 : random.below(4_096);
      const connection = random.pick(CONNECTIONS);
      return {
        name,
        resource: seat,
        async happen() {
          seat.way?.silence(connection, bytes);
        },
      };
    }
    case "sicken-receiver":
      return {
        name,
        resource: "receiver",
        async happen() {
          site.receiver.health = random.pick(ILL);
          await Bun.sleep(random.between(200, 6_000));
          site.receiver.health = "well";
        },
      };
  }
}

async function endAndRaise(
  site: Site,
  seat: Seat,
  signal: "SIGTERM" | "SIGKILL",
  pauseMs: number,
): Promise<void> {
  const code = await site.lower(seat, signal);
  await Bun.sleep(pauseMs);
  await site.raise(seat);
  if (signal === "SIGTERM" && code !== 0) throw new Error(`service ${seat.place} left SIGTERM with ${code}`);
}

async function freezeService({ service }: Seat, ms: number): Promise<void> {
  service?.signal("SIGSTOP");
  await Bun.sleep(ms);
  service?.signal("SIGCONT");
}

/** None, where the server is away with the service that runs it. */
async function terminateBackends({ sql }: Site): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'`.catch(() => {});
}
