import { startDetection } from "../../../src/detect/thread/supervisor.ts";
import { detectorsModule, quietLog } from "./telemetry.ts";

/** A process of its own that detects what the database of its first argument owes, until it is killed. */

const detection = startDetection({
  databaseUrl: process.argv[2]!,
  appUrl: "https://app.example",
  ingestThreads: 1,
  handoverBytes: 1 << 16,
  log: quietLog,
  detectorsModule,
});
process.on("SIGTERM", async () => {
  await detection.stop();
  process.exit(0);
});
