import { afterAll } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The detector that the page shows, and its test, taken out of the page and run as they stand. */
const root = join(import.meta.dir, "../..");
const page = readFileSync(join(root, "docs/adding-a-detector.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "ats-test-detector-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Its imports lead where they would lead from the folder of the detectors. */
function write(name: string, kind: string): string {
  const snippet = new RegExp(`^\`\`\`ts ${kind}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  if (snippet === undefined) throw new Error(`docs/adding-a-detector.md has no snippet "${kind}"`);
  const path = join(folder, name);
  writeFileSync(
    path,
    snippet.replace(
      /from "(\.\.\/[^"]+)"/g,
      (_, to: string) => `from "${join(root, "src/detect/detectors", to)}"`,
    ),
  );
  return path;
}

write("slow-tool.ts", "detector");
await import(write("slow-tool.test.ts", "detector-test"));
