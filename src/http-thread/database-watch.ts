import type { Logger } from "pino";
import { Availability, type ReachChange } from "../ingest/availability.ts";
import type { MetricRegistry } from "../metrics/registry.ts";
import { connect, type Sql } from "../store/database/connect.ts";
import { codeOf, loggableReason } from "../store/database/failure.ts";
import { DatabaseHistory } from "../store/database/history.ts";
import { type MigrationState, readMigrationState } from "../store/database/migrate.ts";
import { closeSilentSockets } from "../store/database/open-sockets.ts";
import type { RareLog } from "./rare-log.ts";

/**
 * Whether PostgreSQL is there, and still the one of before, asked over a connection that nothing else uses;
 * the log and the metrics say what became of it. What follows from it for the parts of a thread is theirs, by
 * the callbacks.
 */

export interface DatabaseWatchOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly rareLog: RareLog;
  readonly metrics: MetricRegistry;
  /** What is remembered of the database is of another. */
  readonly onAnother: () => Promise<void>;
  /** A connection was lost or a statement took too long; callers are told to come back from now on. */
  readonly onDoubt: () => void;
  /** PostgreSQL answers after a doubt, whether or not it was away. */
  readonly onAnswer: () => void;
  /** Connections not heard from for this long are of no more use, in other threads too. */
  readonly onSilenceOver: (silentMs: number) => void;
}

export interface DatabaseWatch {
  readonly availability: Availability;
  /** For /ready; rejects when PostgreSQL does not answer. */
  readMigrations(): Promise<MigrationState | "schema_unreadable">;
  end(): Promise<void>;
}

export function watchDatabase(options: DatabaseWatchOptions): DatabaseWatch {
  const { databaseUrl, log, metrics } = options;
  const history = new DatabaseHistory();
  const warnUnanswered = options.rareLog.warner(
    "PostgreSQL can be reached, but does not answer all that it was sent",
  );
  let probes = openProbes(databaseUrl);

  async function probe(): Promise<void> {
    if (!(await history.ask(probes))) return;
    log.warn(
      "the database is another than before, restored or failed over: what was known of it is asked anew",
    );
    await options.onAnother();
  }

  /**
   * Another server may be behind the address by now, of which an old connection would not learn for many
   * minutes.
   */
  function renewProbes(): void {
    const silent = probes;
    probes = openProbes(databaseUrl);
    void silent.end({ timeout: 0 }).catch(() => undefined);
  }

  function tellChange({ from, to, reason }: ReachChange): void {
    switch (to) {
      case "doubted":
        options.onDoubt();
        break;
      case "away":
        metrics.set(metrics.slot("ats_database_available"), 0);
        metrics.add(metrics.slot("ats_database_losses_total"));
        log.error(
          { code: codeOf(reason), reason: loggableReason(reason) },
          "the database cannot be reached: requests are told to come back",
        );
        break;
      case "available":
        metrics.set(metrics.slot("ats_database_available"), 1);
        if (from === "away") log.info("the database is back");
        else warnUnanswered(reason);
        options.onAnswer();
    }
  }

  const availability = new Availability({
    probe,
    onSilence: renewProbes,
    onSilenceOver: (silentMs) => {
      closeSilentSockets(silentMs);
      options.onSilenceOver(silentMs);
    },
    onChange: tellChange,
  });

  return {
    availability,
    async readMigrations() {
      await probes`select 1`;
      return await readMigrationState(probes).catch(() => "schema_unreadable" as const);
    },
    end: () => probes.end({ timeout: 1 }),
  };
}

function openProbes(databaseUrl: string): Sql {
  return connect({
    url: databaseUrl,
    connectionsMax: 1,
    applicationName: "ats probe",
    connectTimeoutS: 2,
    statementTimeoutMs: 2000,
    fetchTypes: false,
  });
}
