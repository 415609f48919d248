/** The pages for people, held against the tree: what they name is there. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { DETECTORS } from "../../src/detect/registry.ts";

const root = join(import.meta.dir, "../..");
const topFolders = ["src", "test", "bench", "docs", "drizzle", "patches"];
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
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

/**
 * Words in code style that are paths of this tree: they begin with one of its folders, or end like a file of
 * its source.
 */
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
  // What a change was about may be gone since.
  const named = pages
    .filter((page) => page !== "CHANGELOG.md")
    .flatMap((page) => pathsIn(readFileSync(join(root, page), "utf8")).map((path) => ({ page, path })));
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

const textOf = new Map(pages.map((page) => [page, readFileSync(join(root, page), "utf8")]));
const outsideFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** As GitHub makes them: letters, digits, hyphens and underscores of the heading, blanks as hyphens. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...outsideFences(textOf.get(page)!).matchAll(/^#{1,6} (.+)$/gm)].map(
    (match) => match[1]!,
  );
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("a link from page to page leads somewhere", () => {
  const broken = pages.flatMap((page) =>
    [...outsideFences(textOf.get(page)!).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1]!)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = "", anchor = ""] = link.split("#");
        const target = path === "" ? page : normalize(join(dirname(page), path));
        if (!textOf.has(target)) return anchor !== "" || !existsSync(join(root, target));
        return anchor === "" ? path === "" : !anchorsOf(target).has(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

const fileOf = (failureClass: string) => `detectors/${failureClass.replaceAll("_", "-")}.md`;
const printed = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 10 });

test("there is a page for each failure class, and the list of all leads to it", () => {
  const list = textOf.get("docs/DETECTORS.md")!;
  const classes = DETECTORS.map(({ failureClass }) => failureClass);
  const hasPage = (name: string) => textOf.get(`docs/${fileOf(name)}`)?.startsWith(`# ${name}\n`);
  const isListed = (name: string) => list.includes(`[\`${name}\`](${fileOf(name)})`);
  expect({
    withoutPage: classes.filter((name) => !hasPage(name)),
    notListed: classes.filter((name) => !isListed(name)),
  }).toEqual({ withoutPage: [], notListed: [] });
});

describe.each(DETECTORS.map((detector) => [detector.failureClass, detector] as const))(
  "the page of %s",
  (failureClass, { defaultSeverity, thresholds, taxonomy }) => {
    const page = textOf.get(`docs/${fileOf(failureClass)}`) ?? "";
    const { owaspLlm2025 = [], owaspAgentic2026 = [], mitreAtlas = [], mast = [] } = taxonomy;
    const lists = [owaspLlm2025, owaspAgentic2026, mitreAtlas, mast].filter((ids) => ids.length > 0);

    test("gives the severity of the code, and so does the list of all", () => {
      expect(/^Severity: (\w+)(?:\.| \()/m.exec(page)?.[1]).toBe(defaultSeverity);
      expect(rowOf(failureClass)[1]).toBe(defaultSeverity);
    });

    test("gives each threshold with its default and its range", () => {
      const said = Object.entries(thresholds).map(
        ([name, one]) => `\`${name}\` ${printed(one.default)} (${printed(one.min)} to ${printed(one.max)})`,
      );
      const found = [...page.replace(/\s+/g, " ").matchAll(/`\w+` [\d.,]+ \([\d.,]+ to [\d.,]+\)/g)].map(
        (match) => match[0],
      );
      expect(found.toSorted()).toEqual(said.toSorted());
      expect(page.includes("**Thresholds.**")).toBe(said.length > 0);
    });

    test("gives the taxonomy ids of the code, and so does the list of all", () => {
      const line = `- ${lists.map((ids) => ids.join(", ")).join(" · ")}`;
      expect(page.split("\n").filter((one) => TAXONOMY_LINE.test(one))).toEqual([line]);
      expect(rowOf(failureClass)[3]).toBe(lists.flat().join(", "));
    });

    test("has its parts in the order of all pages", () => {
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
      const parts = headings.filter((heading) => PARTS.includes(heading));
      expect(parts).toEqual(PARTS.filter((part) => parts.includes(part)));
      expect(parts).toContain("When it fires");
    });

    test("tells what groups its firings and how to confirm one", () => {
      expect(page).toContain("**Signature.**");
      expect(page).toContain("- **Confirm.**");
    });
  },
);

const PARTS = [
  "What fires",
  "What does not fire",
  "Grouping",
  "Grouping and settings",
  "Blind spots",
  "Figures",
  "When it fires",
];
const TAXONOMY_LINE = /^- (?:LLM\d|ASI\d|AML\.T|FM-\d)/;

/** Class, severity, what, taxonomy and key figure, as they stand in the list of all. */
function rowOf(failureClass: string): readonly string[] {
  const begin = `| [\`${failureClass}\`]`;
  const row = textOf
    .get("docs/DETECTORS.md")!
    .split("\n")
    .find((line) => line.startsWith(begin));
  return (row ?? "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
