import { type DetectionOptions, startDetection } from "../../../src/detect/thread/detection-threads.ts";
import { detectorsModule, quietLog } from "./telemetry.ts";

/**
 * A process of its own that detects what the database of its first argument owes, until it is killed. The
 * second: further options, as JSON. On stdout stands what went wrong.
 */

const options = JSON.parse(process.argv[3] ?? "{}") as Partial<DetectionOptions>;
const detection = startDetection({
  databaseUrl: process.argv[2]!,
  appUrl: "https://app.example",
  ingestThreads: 1,
  handoverBytes: 1 << 16,
  log: { ...quietLog, error: (_fields: object, message: string) => console.log(message) },
  detectorsModule,
  ...options,
});
process.on("SIGTERM", async () => {
  await detection.stop();
  process.exit(0);
});
