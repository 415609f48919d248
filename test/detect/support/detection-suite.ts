import { afterAll, afterEach, beforeAll } from "bun:test";
import type { Detection, DetectionOptions } from "../../../src/detect/thread/detection-threads.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { mintProject } from "../../support/projects.ts";
import { startTestDetection, Telemetry } from "./telemetry.ts";

/** A database of the file's own, and detections that end with the test that started them. */
export interface DetectionSuite {
  readonly database: TestDatabase;
  start(options?: Partial<DetectionOptions>): Detection;
  stop(detection: Detection): Promise<void>;
  /** Of a new project. */
  newTelemetry(): Promise<Telemetry>;
  /** Batches that nobody has detected yet. */
  owedCount(): Promise<number>;
}

/** Call at the top of a test file: it sets the file's hooks. */
export function detectionSuite(): DetectionSuite {
  let database: TestDatabase;
  const telemetries: Telemetry[] = [];
  const running = new Set<Detection>();
  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterEach(async () => {
    for (const detection of running) await detection.stop();
    running.clear();
  });
  afterAll(async () => {
    for (const each of telemetries) await each.end();
    await database.drop();
  });
  return {
    get database() {
      return database;
    },
    start(options = {}) {
      const detection = startTestDetection(database, options);
      running.add(detection);
      return detection;
    },
    async stop(detection) {
      await detection.stop();
      running.delete(detection);
    },
    async newTelemetry() {
      const project = await mintProject(database.sql);
      const telemetry = new Telemetry(database, project.projectNo);
      telemetries.push(telemetry);
      return telemetry;
    },
    async owedCount() {
      const [row] = await database.sql`select count(*)::int as n from ats.batch where detected_at is null`;
      return row!.n;
    },
  };
}

/** Detects in a process of its own; on its stdout stands what went wrong. */
export function detectionProcess(database: TestDatabase, options: Partial<DetectionOptions> = {}) {
  const script = new URL("./detection-process.ts", import.meta.url).pathname;
  return Bun.spawn([process.execPath, script, database.url, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}
