/**
 * Entry of `bun run bench <what>`: dispatches to a sub-command, nothing else. Exit 0 good, 1 failure, 2
 * usage.
 */

const USAGE = `Usage: bun run bench <command> [options]

Commands:
  ingest      load the HTTP interface and compare it with PostgreSQL's own COPY (--help for its options)
  detection   load two services in turn, one with every detector on: rate, lag, CPU (--help for its options)
  dashboard   ask for the data of every page with millions of events stored and more coming in (--help for its options)
  faults      let services, PostgreSQL and receivers fail by chance, and look whether anything is lost or twice
`;

const [command, ...rest] = process.argv.slice(2);
if (command === "ingest") {
  const { runIngestCommand } = await import("./ingest/command.ts");
  process.exit(await runIngestCommand(rest));
} else if (command === "detection") {
  const { runDetectionCommand } = await import("./detection/command.ts");
  process.exit(await runDetectionCommand(rest));
} else if (command === "dashboard") {
  // Loaded only when it is asked for: it brings a browser's driver.
  const { runDashboardCommand } = await import("./dashboard/command.ts");
  process.exit(await runDashboardCommand(rest));
} else if (command === "faults") {
  const { runFaultsCommand } = await import("./faults/command.ts");
  process.exit(await runFaultsCommand(rest));
} else if (command === "--help" || command === "-h") {
  process.stdout.write(USAGE);
} else {
  process.stderr.write(USAGE);
  process.exit(2);
}
