import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, normalize, resolve } from "node:path";

/**
 * The Dockerfile without an engine: what it says is done with plain directories, a directory a stage. Its
 * words are read and run as they stand, so that a change of it is a change of what the tests try.
 *
 * Left out is what needs the base image: what it brings, users and owners, and RUN lines that begin with
 * another program than bun.
 */

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** What stands before the first FROM, by name. */
  readonly args: ReadonlyMap<string, string>;
  readonly stages: readonly Stage[];
}

export function parseDockerfile(text: string): Dockerfile {
  const instructions = text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Instruction => {
      const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      return { name, text: rest };
    });
  const args = new Map<string, string>();
  const stages: { base: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.name === "FROM") {
      const [, base = "", , name = null] = /^(\S+)(\s+AS\s+(\S+))?$/i.exec(instruction.text) ?? [];
      const expanded = base.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => args.get(arg) ?? "");
      stages.push({ base: expanded, name, instructions: [] });
    } else if (stages.length === 0 && instruction.name === "ARG") {
      const [name = "", value = ""] = instruction.text.split("=");
      args.set(name, value);
    } else {
      stages.at(-1)?.instructions.push(instruction);
    }
  }
  return { args, stages };
}

/** What a `COPY` of the context, or of another stage, names. */
export interface Copy {
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

export function copyOf({ text }: Instruction): Copy {
  const words = text.split(/\s+/);
  const flag = words[0]?.startsWith("--from=") ? words.shift() : undefined;
  const target = words.pop() ?? "";
  return { from: flag?.slice("--from=".length) ?? null, sources: words, target };
}

/**
 * Which files of the context an engine is sent: the last line of .dockerignore that fits a file, or a folder
 * above it, decides.
 */
export function sentFiles(files: readonly string[], dockerignore: string): string[] {
  const rules = dockerignore
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({
      sends: line.startsWith("!"),
      glob: new Bun.Glob(line.replace(/^!/, "").replace(/^\/|\/$/g, "")),
    }));
  const withFolders = (file: string) =>
    file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  return files.filter((file) => {
    const paths = withFolders(file);
    return rules.findLast(({ glob }) => paths.some((path) => glob.match(path)))?.sends ?? true;
  });
}

export interface Built {
  /** The last stage's root and the directory in it that its CMD runs in. */
  readonly root: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** CMD and the HEALTHCHECK's, as words. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/**
 * Builds below `into`; the context holds what an engine is sent. Throws with the output of a RUN that fails.
 */
export function buildStages(
  { stages }: Dockerfile,
  options: { readonly context: string; readonly into: string },
): Built {
  const roots = new Map<string, string>();
  const workdirs = new Map<string, string>();
  let built: Built | null = null;
  for (const [index, stage] of stages.entries()) {
    const root = join(options.into, stage.name ?? String(index));
    const before = roots.get(stage.base);
    if (before === undefined) mkdirSync(root);
    else linkFolder(before, root);
    let workdir = workdirs.get(stage.base) ?? "/";
    const environment: Record<string, string> = {};
    let command: string[] = [];
    let healthCheck: string[] = [];
    for (const instruction of stage.instructions) {
      const { name, text } = instruction;
      if (name === "WORKDIR") {
        workdir = resolve(workdir, text);
        mkdirSync(join(root, workdir), { recursive: true });
      } else if (name === "COPY") {
        const copy = copyOf(instruction);
        const from = copy.from === null ? options.context : roots.get(copy.from);
        if (from === undefined) throw new Error(`COPY from a stage that is not there: ${text}`);
        copyInto(copy, { from, target: join(root, resolve(workdir, copy.target)) });
      } else if (name === "RUN" && text.startsWith("bun ")) {
        runIn(join(root, workdir), text);
      } else if (name === "ENV") {
        Object.assign(environment, Object.fromEntries(text.split(/\s+/).map((each) => each.split("="))));
      } else if (name === "CMD") {
        command = JSON.parse(text);
      } else if (name === "HEALTHCHECK") {
        healthCheck = JSON.parse(text.slice(text.indexOf("CMD ") + "CMD ".length));
      }
    }
    if (stage.name !== null) {
      roots.set(stage.name, root);
      workdirs.set(stage.name, workdir);
    }
    built = { root, workdir: join(root, workdir), environment, command, healthCheck };
  }
  if (built === null) throw new Error("the Dockerfile has no stage");
  return built;
}

/**
 * A folder's contents go into the target, a file into a target that ends with a slash, else it becomes the
 * target.
 */
function copyInto(copy: Copy, { from, target }: { from: string; target: string }): void {
  for (const source of copy.sources) {
    const path = join(from, normalize(source));
    if (!existsSync(path)) throw new Error(`COPY of what is not there: ${source}`);
    const intoFolder = copy.target.endsWith("/") || copy.sources.length > 1;
    const to = statSync(path).isFile() && intoFolder ? join(target, basename(source)) : target;
    mkdirSync(dirname(to), { recursive: true });
    if (statSync(path).isFile()) cpSync(path, to);
    else linkFolder(path, to);
  }
}

/**
 * Nothing writes into a file that is there already, and of what is installed there are 17,000: copies of them
 * take seconds.
 */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

function runIn(directory: string, command: string): void {
  // Not the mode of a test run, which no image has; and what is left in the temporary directory goes with all
  // the rest.
  const env = { ...process.env, NODE_ENV: undefined, TMPDIR: directory };
  const ran = Bun.spawnSync(["sh", "-c", command], { cwd: directory, env, stderr: "pipe", stdout: "pipe" });
  if (ran.exitCode !== 0) throw new Error(`RUN ${command}:\n${ran.stdout}${ran.stderr}`);
}

/** What a clean checkout holds: the files that git knows, or, where there is no git, those that are there. */
export function checkedOut(root: string): string[] {
  const listed = Bun.which("git") === null ? null : Bun.spawnSync(["git", "ls-files", "-z"], { cwd: root });
  if (listed?.exitCode === 0) return listed.stdout.toString().split("\0").filter(Boolean);
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n");
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => !ignored.includes(`${entry.name}/`) && entry.name !== ".git")
    .flatMap((entry) =>
      entry.isFile()
        ? [entry.name]
        : readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
            .filter((below) => below.isFile())
            .map((below) => join(below.parentPath, below.name).slice(root.length).replace(/^\//, "")),
    );
}
