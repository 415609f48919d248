/** Entry of `bun run bench <what>`: dispatches to a sub-command, nothing else. Exit 0 good, 1 failure, 2 usage. */
import { runIngestCommand } from "./ingest/command.ts";

const USAGE = `Usage: bun run bench <command> [options]

Commands:
  ingest   load the HTTP interface and compare it with PostgreSQL's own COPY (--help for its options)
`;

const [command, ...rest] = process.argv.slice(2);
if (command === "ingest") {
  process.exit(await runIngestCommand(rest));
} else if (command === "--help" || command === "-h") {
  process.stdout.write(USAGE);
} else {
  process.stderr.write(USAGE);
  process.exit(2);
}
