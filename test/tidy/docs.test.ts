/** The pages for people, held against the tree: what they name is there. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const topFolders = ["src", "test", "bench", "docs", "drizzle", "patches"];
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const files = topFolders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) =>
        `/${join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll("\\", "/")}`,
    ),
);

/** Words in code style that are paths of this tree: they begin with one of its folders, or end like a file of its source. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)]
    .map((match) => match[1]!)
    .filter((word) => /^[\w./@-]+$/.test(word))
    .filter(
      (word) => topFolders.some((folder) => word.startsWith(`${folder}/`)) || /\.(tsx?|patch)$/.test(word),
    );
}

/** A page may leave out the folders that its sentence is about. */
function exists(path: string): boolean {
  return path.endsWith("/")
    ? files.some((file) => file.includes(`/${path}`))
    : files.some((file) => file.endsWith(`/${path}`) || file.includes(`/${path}/`));
}

test("a file or folder that a page names exists", () => {
  const named = pages.flatMap((page) =>
    pathsIn(readFileSync(join(root, page), "utf8")).map((path) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !exists(path)).map(({ page, path }) => `${page}: ${path}`)).toEqual([]);
});

test("the architecture names every folder that its tables are about", () => {
  const text = readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8");
  const unnamed = ["src", "src/store", "src/detect", "src/detect/text", "test", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => files.some((file) => file.startsWith(`/${folder}/${name}/`)))
      .filter(({ name }) => !text.includes(`| \`${name}/\` `) && !text.includes(`| \`${folder}/${name}/\` `))
      .map(({ name }) => `${folder}/${name}`),
  );
  expect(unnamed).toEqual([]);
});
