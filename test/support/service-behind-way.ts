import postgres, { type Sql } from "postgres";
import { newWebhook } from "../notify/fixtures.ts";
import { type Receiver, startReceiver } from "../notify/receiver.ts";
import { type Client, clientOf } from "./client.ts";
import { newExecution, uniqueId } from "./fixtures.ts";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";
import { mintProject, type TestProject } from "./projects.ts";
import { type Service, startService } from "./service.ts";
import { openWay, type WayToPostgres } from "./way-to-postgres.ts";

/**
 * A service whose way to its PostgreSQL can be cut, with a project whose every group of failures is told to a
 * receiver.
 */
export interface ServiceBehindWay {
  readonly way: WayToPostgres;
  /** Straight to the server. */
  readonly sql: Sql;
  readonly service: Service;
  readonly project: TestProject;
  readonly client: Client;
  readonly receiver: Receiver;
  /** A run that crashes as none before; answers with the status of its end. */
  crash(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServiceBehindWay(env: Record<string, string>): Promise<ServiceBehindWay> {
  const server: PostgresServer = await startPostgresServer();
  const way = await openWay(server.port);
  const sql = postgres(server.url, { max: 2, onnotice: () => {} });
  const service = await startService({
    databaseUrl: `postgres://postgres@127.0.0.1:${way.port}/postgres`,
    env: { DETECTION: "on", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", ...env },
  });
  const project = await mintProject(sql);
  await sql`update ats.project set alert_scope = 'group', cooldown_seconds = 0 where project_no = ${project.projectNo}`;
  const receiver = await startReceiver();
  await newWebhook(sql, receiver.url, project);
  const client = clientOf(service.url, project.key);
  return {
    way,
    sql,
    service,
    project,
    client,
    receiver,
    async crash() {
      const run = await newExecution(client);
      const signature = `sha256:${uniqueId("stack")}`;
      return (await client.patchExecution(run, { status: "crashed", crash_signature: signature })).status;
    },
    async stop() {
      await service.stop();
      await receiver.close();
      await way.close();
      await sql.end({ timeout: 1 });
      await server.stop();
    },
  };
}
