/**
 * A process with nothing but the notify thread in it, for tests that kill it. Its options come as JSON in
 * argv.
 */
import { type NotifierOptions, startNotifier } from "../../src/notify/notifier.ts";

const options: NotifierOptions = JSON.parse(process.argv[2] ?? "{}");
const notifier = startNotifier(options);

process.once("SIGTERM", async () => {
  await notifier.drain();
  await notifier.stop();
  process.exit(0);
});
