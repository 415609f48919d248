/**
 * What the faults happen to: one PostgreSQL, services on it, each by a way of its own that can be cut, or one
 * service with the PostgreSQL that it runs itself; a project whose every new group is told to a receiver.
 * Invariant: `stop()` ends all of it, also what a fault has left standing.
 */
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { newWebhook, SECRET } from "../../test/notify/fixtures.ts";
import { clientOf } from "../../test/support/client.ts";
import { eventually, startPostgresServer } from "../../test/support/postgres-server.ts";
import { mintProject, type TestProject } from "../../test/support/projects.ts";
import { type Service, startService } from "../../test/support/service.ts";
import { openWay, type WayToPostgres } from "../../test/support/way-to-postgres.ts";
import { embeddedPostgres, type FaultyServer } from "./embedded-postgres.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

/** A service, which may be down; `place` is its number. */
export interface Seat {
  readonly place: number;
  /** Undefined where it runs its PostgreSQL itself. */
  readonly way: WayToPostgres | undefined;
  readonly start: () => Promise<Service>;
  service: Service | undefined;
}

export interface SiteOptions {
  readonly services: number;
  /** One service, which runs its PostgreSQL itself. */
  readonly embedded: boolean;
}

const ENVIRONMENT = { DETECTION: "on", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };

export class Site {
  private isStopped = false;
  private connected: { readonly url: string; readonly sql: Sql } | undefined;

  private constructor(
    readonly server: FaultyServer,
    readonly seats: readonly Seat[],
    readonly receiver: Receiver,
  ) {}

  static async open(options: SiteOptions): Promise<Site> {
    const { server, seats } = options.embedded ? embeddedSeat() : await seatsAround(options.services);
    const receiver = await startReceiver(SECRET);
    const site = new Site(server, seats, receiver);
    try {
      // The first one migrates.
      for (const seat of seats) seat.service = await seat.start();
      site.ownProject = await mintProject(site.sql);
      const { projectNo } = site.ownProject;
      await site.sql`update ats.project set alert_scope = 'group' where project_no = ${projectNo}`;
      await newWebhook(site.sql, receiver.url, site.ownProject);
      await Promise.all(seats.map((seat) => keyIsKnown(seat, site.project.key)));
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  private ownProject: TestProject | undefined;

  get project(): TestProject {
    if (this.ownProject === undefined) throw new Error("the project is not made yet");
    return this.ownProject;
  }

  /** Straight to the server; one that is started again may have another port. */
  get sql(): Sql {
    const { url } = this.server;
    if (this.connected?.url !== url) {
      void this.connected?.sql.end({ timeout: 1 });
      this.connected = { url, sql: connect({ url, connectionsMax: 2, applicationName: "bench" }) };
    }
    return this.connected.sql;
  }

  /**
   * Starts a service where there is none. As whoever keeps it running would: again, if it ends at once
   * because its database is away.
   */
  async raise(seat: Seat): Promise<void> {
    while (seat.service === undefined && !this.isStopped) {
      try {
        seat.service = await seat.start();
      } catch {
        await Bun.sleep(500);
      }
    }
    if (this.isStopped) await this.lower(seat, "SIGKILL");
  }

  /** The service's end; answers its exit code. */
  async lower(seat: Seat, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const { service } = seat;
    seat.service = undefined;
    if (service === undefined) return null;
    if (signal === "SIGTERM") return (await service.sigterm()).code;
    await service.sigkill();
    return null;
  }

  /** Services that are up now. */
  get urls(): readonly string[] {
    return this.seats.flatMap(({ service }) => (service === undefined ? [] : [service.url]));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.server.thaw();
    await Promise.all(this.seats.map((seat) => this.lower(seat, "SIGKILL")));
    await this.receiver.close();
    await Promise.all(this.seats.map(({ way }) => way?.close()));
    await this.connected?.sql.end({ timeout: 1 });
    await this.server.stop();
  }
}

/** A running service hears of a new key a moment later. */
async function keyIsKnown({ place, service }: Seat, key: string): Promise<void> {
  const client = clientOf(service?.url ?? "", key);
  await eventually(
    `service ${place} knows the key`,
    async () => (await client.sendEvents([])).status === 200,
  );
}

async function seatsAround(services: number): Promise<{ server: FaultyServer; seats: Seat[] }> {
  const server = await startPostgresServer();
  const ways = await Promise.all(Array.from({ length: services }, () => openWay(server.port)));
  const seats = ways.map((way, place): Seat => {
    const databaseUrl = `postgres://postgres@127.0.0.1:${way.port}/postgres`;
    return {
      place,
      way,
      start: () => startService({ databaseUrl, env: { ...ENVIRONMENT, ...detectionThreads(place) } }),
      service: undefined,
    };
  });
  return { server, seats };
}

/** Each has another number: whatever one leads, no other may. */
const detectionThreads = (place: number) => ({ DETECTION_THREADS: String(place + 1) });

function embeddedSeat(): { server: FaultyServer; seats: Seat[] } {
  const server = embeddedPostgres();
  const start = () => startService({ dataDir: server.dataDir, env: ENVIRONMENT });
  return { server, seats: [{ place: 0, way: undefined, start, service: undefined }] };
}

/** Nothing is owed: no batch to detect, no webhook to send. */
export async function isSettled({ sql, project }: Site): Promise<boolean> {
  const { projectNo } = project;
  const [row] = await sql<{ owed: number }[]>`
    select (select count(*) from ats.batch where project_no = ${projectNo} and detected_at is null)::int
      + (select count(*) from ats.delivery where project_no = ${projectNo} and finished_at is null)::int as owed`;
  return row?.owed === 0;
}

/** The next try of a webhook may be half an hour away: what waits for it is due now. */
export async function callInDeliveries({ sql, project }: Site): Promise<void> {
  await sql`update ats.delivery set due_at = now()
    where project_no = ${project.projectNo} and status = 'pending' and due_at > now()`;
}
