import type { Config } from "../config.ts";
import { connect, type Sql } from "../store/database/connect.ts";
import { EventWriter } from "../store/telemetry/event-writer.ts";

/**
 * What a thread sends its data over, opened as it is needed. Probes and notices have connections of their
 * own: they must not queue behind it.
 */
export interface Connections {
  /** All but events. */
  readonly queries: Sql;
  readonly fastWriters: readonly EventWriter[];
  readonly carefulWriters: readonly EventWriter[];
  /** Flushes under way are answered as unknown: PostgreSQL does not answer. */
  abandonFlushes(): void;
  end(): Promise<unknown>;
}

export function openConnections(databaseUrl: string, config: Config): Connections {
  const queries = connect({
    url: databaseUrl,
    connectionsMax: config.queryConnections,
    applicationName: "ats ingest",
    connectTimeoutS: 3,
  });
  const fastWriters = Array.from(
    { length: config.flushConnections },
    () => new EventWriter(databaseUrl, "ats flush"),
  );
  const carefulWriters = [new EventWriter(databaseUrl, "ats careful flush")];
  const writers = [...fastWriters, ...carefulWriters];
  return {
    queries,
    fastWriters,
    carefulWriters,
    abandonFlushes() {
      for (const writer of writers) writer.abandon();
    },
    end: () => Promise.all([queries.end({ timeout: 2 }), ...writers.map((writer) => writer.end())]),
  };
}
