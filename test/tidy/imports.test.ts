/**
 * The shape of the source, as failing tests: which folder may import which, that nothing imports in a circle,
 * who may touch the driver and the environment, how long a file may get, what may not be left behind.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "../..");

/** The folders of src, and what each may import beside itself. `src` stands for the files directly in it. */
const allowedImports: Record<string, readonly string[]> = {
  src: ["src", "http-thread", "http", "ingest", "store", "detect", "notify", "metrics", "dashboard"],
  "http-thread": [
    "http",
    "ingest",
    "store",
    "metrics",
    "src/config.ts",
    "src/detect/rows/handover.ts",
    "src/detect/rows/handover-router.ts",
    "src/dashboard/forward.ts",
  ],
  http: ["ingest", "metrics", "store"],
  ingest: ["store", "metrics"],
  metrics: [],
  store: [],
  detect: ["store", "metrics", "src/ingest/wire/event-types.ts"],
  notify: ["store", "metrics"],
  dashboard: [
    "store",
    "metrics",
    "src/detect/registry.ts",
    "src/detect/settings.ts",
    "src/detect/detector.ts",
    "src/ingest/wire/event-types.ts",
    "src/notify/chat-format.ts",
  ],
  cli: [
    "store",
    "src/config.ts",
    "src/install.ts",
    "src/detect/registry.ts",
    "src/detect/settings.ts",
    "src/ingest/wire/event-types.ts",
    "src/notify/address-guard.ts",
  ],
};
/** The parts of src/detect, and which others each may import: an event is read from the first to the last. */
const allowedInDetect: Record<string, readonly string[]> = {
  "detector.ts": [],
  "client-forms": [],
  "building-blocks": ["detector.ts", "client-forms"],
  "event-views": ["detector.ts", "client-forms", "building-blocks"],
  text: ["detector.ts", "building-blocks", "event-views"],
  rows: ["detector.ts", "client-forms", "building-blocks", "event-views", "text"],
  "settings.ts": ["detector.ts", "building-blocks"],
  detectors: ["detector.ts", "building-blocks", "event-views", "text"],
  "registry.ts": ["detector.ts", "detectors"],
  engine: ["detector.ts", "settings.ts", "rows"],
  thread: ["detector.ts", "text", "rows", "engine"],
};
const driverPackages = /^(postgres|drizzle-orm)(\/|$)/;
/**
 * Not configuration: the bundler writes a value in the place of one of them, the installer runs before
 * anything can be imported and starts the same process again, the launcher asks npm's variables who started
 * it, and PostgreSQL's processes are given a PATH.
 */
const environmentReaders = [
  "src/config.ts",
  "src/dashboard/build.ts",
  "src/install.ts",
  "src/launcher.ts",
  "src/store/embedded/run-as.ts",
];

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .sort();
  } catch {
    return [];
  }
}

function folderOf(file: string): string {
  const parts = file.split("/");
  return parts.length === 2 ? "src" : parts[1]!;
}

const scanners = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
const scannerOf = (file: string) => (file.endsWith(".tsx") ? scanners.tsx : scanners.ts);
const typeImport = /^(?:import|export)\s+type\s[^;]*?from\s+"([^"]+)"/gms;

/** Everything a file imports, types too: the scanner alone drops what is erased. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const scanned = scannerOf(file)
    .scanImports(text)
    .map((each) => each.path);
  const written = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"\n]+)"/g)].map((match) => match[1]!);
  const types = [...text.matchAll(typeImport)].map((match) => match[1]!);
  return [...new Set([...scanned, ...written, ...types])];
}

function targetOf(file: string, specifier: string): string {
  return relative(root, join(root, dirname(file), specifier));
}

const partOfDetect = (file: string) => file.split("/")[2]!;

/** The files of this project that a file imports. */
function importedFiles(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => targetOf(file, specifier));
}

/**
 * The first circle that importing runs in, each file followed by one that it imports; null if there is none.
 */
function circleAmong(importsByFile: ReadonlyMap<string, readonly string[]>): string[] | null {
  const passed = new Set<string>();
  const path: string[] = [];
  const circleFrom = (file: string): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (passed.has(file)) return null;
    passed.add(file);
    path.push(file);
    for (const next of importsByFile.get(file) ?? []) {
      const circle = circleFrom(next);
      if (circle !== null) return circle;
    }
    path.pop();
    return null;
  };
  for (const file of importsByFile.keys()) {
    const circle = circleFrom(file);
    if (circle !== null) return circle;
  }
  return null;
}

const production = filesUnder("src").filter((file) => !/\.test\.tsx?$/.test(file));

test("there is a source to look at", () => {
  expect(production.length).toBeGreaterThan(10);
});

describe("imports", () => {
  test("point the right way", () => {
    const wrong = production.flatMap((file) =>
      importedFiles(file)
        .filter((target) => target.startsWith("src/"))
        .filter((target) => {
          const [from, to] = [folderOf(file), folderOf(target)];
          const allowed = allowedImports[from] ?? [];
          return to !== from && !allowed.includes(target) && !(to !== "src" && allowed.includes(to));
        })
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("go out of src to data only", () => {
    const wrong = production.flatMap((file) =>
      importedFiles(file)
        .filter((target) => !target.startsWith("src/") && !target.endsWith(".json"))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("carry their extension", () => {
    const wrong = [...production, ...filesUnder("test")].flatMap((file) =>
      importsOf(file)
        .filter((specifier) => /^\.{1,2}\//.test(specifier) && !/\.[a-z]+$/.test(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test("of the database driver stand in src/store alone", () => {
    const wrong = production.filter(
      (file) => folderOf(file) !== "store" && importsOf(file).some((each) => driverPackages.test(each)),
    );
    expect(wrong).toEqual([]);
  });

  test("bring nothing of the server into the pages but types, and files that import nothing themselves", () => {
    const isPageCode = (file: string) => file.startsWith("src/dashboard/web/");
    const standsAlone = (file: string) =>
      scannerOf(file).scanImports(readFileSync(join(root, file), "utf8")).length === 0;
    const wrong = production.filter(isPageCode).flatMap((file) =>
      scannerOf(file)
        .scanImports(readFileSync(join(root, file), "utf8"))
        .filter(({ path }) => path.startsWith(".") && !isPageCode(targetOf(file, path)))
        .filter(({ path }) => !standsAlone(targetOf(file, path)))
        .map(({ path }) => `${file} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  test("inside src/detect run one way", () => {
    const wrong = production
      .filter((file) => folderOf(file) === "detect")
      .flatMap((file) =>
        importedFiles(file)
          .filter((target) => folderOf(target) === "detect")
          .filter((target) => {
            const [from, to] = [partOfDetect(file), partOfDetect(target)];
            return to !== from && !allowedInDetect[from]?.includes(to);
          })
          .map((target) => `${file} imports ${target}`),
      );
    expect(wrong).toEqual([]);
    const parts = Object.keys(allowedInDetect);
    const back = parts.filter((part, i) => allowedInDetect[part]!.some((other) => parts.indexOf(other) >= i));
    expect(back).toEqual([]);
  });

  test("run in no circle, types included", () => {
    const files = ["src", "bench", "test"].flatMap(filesUnder);
    expect(circleAmong(new Map(files.map((file) => [file, importedFiles(file)])))).toBeNull();
  });

  test("have no cycle between folders", () => {
    const edges = new Map<string, Set<string>>();
    for (const file of production.filter((each) => folderOf(each) !== "src")) {
      for (const target of importedFiles(file)) {
        const to = folderOf(target);
        if (to !== folderOf(file) && to !== "src") {
          edges.set(folderOf(file), (edges.get(folderOf(file)) ?? new Set()).add(to));
        }
      }
    }
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(edges.get(from) ?? [])].some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    expect([...edges.keys()].filter((folder) => reaches(folder, folder))).toEqual([]);
  });
});

test("only src/config.ts reads the environment", () => {
  const readers = production.filter((file) => {
    // Handing the whole environment to the one reader is not reading it.
    const code = scannerOf(file)
      .transformSync(readFileSync(join(root, file), "utf8"))
      .replaceAll("readConfig(process.env)", "")
      // In the detectors it is a text that agents send.
      .replaceAll(`"process.env"`, "");
    return /\b(process|Bun)\.env\b|\bimport\.meta\.env\b/.test(code);
  });
  expect(readers.filter((file) => !environmentReaders.includes(file))).toEqual([]);
});

describe("files", () => {
  test("of src and test are at most 450 lines long", () => {
    const long = [...filesUnder("src"), ...filesUnder("test")].filter(
      (file) => readFileSync(join(root, file), "utf8").split("\n").length > 451,
    );
    expect(long).toEqual([]);
  });

  test("are named in kebab case, and none is a drawer for anything", () => {
    const named = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|golden))?\.tsx?$/;
    const odd = [...filesUnder("src"), ...filesUnder("test"), ...filesUnder("bench")]
      .map((file) => ({ file, name: file.split("/").at(-1)! }))
      .filter(({ name }) => !named.test(name) || /^(utils?|helpers?|misc|common|index)\./.test(name));
    expect(odd.map(({ file }) => file)).toEqual([]);
  });

  test("hold nothing left behind", () => {
    // Put together here, so that this file does not find itself.
    const words = [
      "TO" + "DO",
      "FIX" + "ME",
      "HA" + "CK",
      "\\.on" + "ly\\(",
      "\\.sk" + "ip\\(",
      "as a" + "ny\\b",
      "@ts-ig" + "nore",
    ];
    const pattern = new RegExp(words.map((word) => (/^[A-Z]/.test(word) ? `\\b${word}\\b` : word)).join("|"));
    const found = [...filesUnder("src"), ...filesUnder("test"), ...filesUnder("bench")].flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  test("no script of the source exports by default or re-exports a folder", () => {
    const barrels = production.filter((file) =>
      /^export (\*|default)\b/m.test(readFileSync(join(root, file), "utf8")),
    );
    expect(barrels).toEqual([]);
  });

  test("export no value that nobody else names", () => {
    const files = [...filesUnder("src"), ...filesUnder("test"), ...filesUnder("bench")];
    const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
    const namedIn = new Map<string, number>();
    for (const text of texts.values())
      for (const name of new Set(text.match(/[A-Za-z_$][\w$]*/g)))
        namedIn.set(name, (namedIn.get(name) ?? 0) + 1);
    const lonely = [...texts]
      // Drizzle reads whatever is exported there.
      .filter(([file]) => !file.startsWith("src/store/schema/"))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) ([\w$]+)/gm)]
          .filter(([, name]) => namedIn.get(name!) === 1)
          .map(([, name]) => `${file}: ${name}`),
      );
    expect(lonely).toEqual([]);
  });
});
