/**
 * What of a stack frame stays the same from one machine, build and run to the next, and whose code it is.
 * Pure; every text is at most a line.
 */

export type Runtime =
  | "python"
  | "js"
  | "jvm"
  | "dotnet"
  | "go"
  | "ruby"
  | "rust"
  | "php"
  | "elixir"
  | "dart"
  | "native";

const NAME_CHARS_MAX = 120;
const FILE_CHARS_MAX = 80;

/** Ways in which engines call a function without a name, and the top of a file. */
const UNNAMED =
  /^(?:<anonymous>|anonymous|anonymous function|\?|Object\.<anonymous>|<lambda>|(?:module|global|eval) code|eval|moduleEvaluation|async \(anonymous\))?$/i;

/**
 * A number that the compiler or the build made: people number what they write with less digits, bundlers with
 * any.
 */
const COUNTED = /\$\d{1,9}|0x[0-9a-f]{1,16}|\d{5,20}/g;
const COUNTED_IN_JS = /\$\d{1,9}|0x[0-9a-f]{1,16}|\d{2,20}/g;

export function nameOf(runtime: Runtime, raw: string, isBundle: boolean): string {
  let name = raw.trim();
  switch (runtime) {
    case "js":
      name = jsName(name, isBundle);
      break;
    case "jvm":
      name = jvmName(name);
      break;
    case "dotnet":
      name = name
        .replace(/<(\w{0,100})>[a-z]__\d{1,6}(?:_\d{1,6})?(?:`\d{1,3})?(?:\.MoveNext$)?/g, "$1")
        .replace(/(?:__DisplayClass|b__|`)\d{1,6}(?:_\d{1,6})?/g, "")
        .replace(/\[[^\]]{0,200}\]/g, "");
      break;
    case "go":
      name = name
        .replace(/\.(?:func|gowrap)\d{1,6}(?:\.\d{1,6}){0,9}/g, ".func")
        .replace(/\.\d{1,6}$/, "")
        .replace(/\[[^\]]{0,200}\]/g, "");
      break;
    case "rust":
      name = name
        .replace(/::h[0-9a-f]{16}$/, "")
        .replace(/\{{1,2}closure(?:#\d{1,6})?\}{1,2}/g, "{{closure}}")
        .replace(/\[[0-9a-f]{12,20}\]/g, "");
      break;
    case "elixir":
      name = name.replace(/\([\s\S]{0,300}/, "").replace(/\/\d{1,3}/g, "");
      break;
    case "native":
      name = name
        .replace(/^0x[0-9a-f]{1,16}(?: \+ \d{1,12})?$/, "")
        .replace(/::h[0-9a-f]{16}$|17h[0-9a-f]{16}E/, "");
      break;
    default:
      break;
  }
  if (UNNAMED.test(name)) return "<anonymous>";
  return name.replace(runtime === "js" ? COUNTED_IN_JS : COUNTED, "#").slice(0, NAME_CHARS_MAX);
}

/**
 * Engines do not agree on what stands before a function's own name (`Module.f`, `Agent.f`, `f`), and in a
 * bundle a name of one to three letters is another one in the next build.
 */
const MINIFIED = /^(?:[\w$]{1,2}|\w(?:[A-Z0-9$]\w|[\w$][A-Z0-9$]))$/;

function jsName(whole: string, isBundle: boolean): string {
  let name = whole;
  if (name.endsWith("]")) name = name.replace(/ \[as [^\]]{1,80}\]$/, "");
  if (name.endsWith("<")) name = name.replace(/[/<]{1,20}$/, "");
  if (name === "" || UNNAMED.test(name)) return "";
  // `async f`, `new F`, `get f`, `setTimeout handler*f`, `a/b/f`, `Object.f`
  const own = name.slice(
    Math.max(name.lastIndexOf(" "), name.lastIndexOf("*"), name.lastIndexOf("."), name.lastIndexOf("/")) + 1,
  );
  if (own === "<anonymous>" || own === "(anonymous)") return "";
  return isBundle && MINIFIED.test(own) ? "" : own;
}

function jvmName(whole: string): string {
  const name = whole
    .replace(/\$\$Lambda(?:\$\d{1,9})?(?:\/(?:0x)?[0-9a-f]{1,16})?/g, "$$Lambda")
    .replace(/\$\$[A-Za-z]{0,40}\$\$[\w]{1,40}/g, "$$$$")
    .replace(/(?:Accessor|Proxy)\d{1,9}/g, "#")
    .replace(/\$(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{6,20}(?=[.$]|$)/g, "$$#");
  return name.slice(name.lastIndexOf("/") + 1);
}

export interface FileName {
  readonly name: string;
  /** Made by a bundler, as its name says. */
  readonly isBundle: boolean;
}

/**
 * A hash that a bundler put into a name: digits of base 16, or eight letters and digits as no word has them.
 */
const HEX_HASH = /[._-][0-9a-f]{6,64}(?=[._-]|$)/gi;
const MIXED_HASH =
  /[.-](?=[A-Za-z_-]{0,7}\d|[a-z_-]{0,7}[A-Z][A-Z_-]{0,7}[a-z]|[A-Z_-]{0,7}[a-z][a-z_-]{0,7}[A-Z]|[A-Z]{8}\.)[\w-]{8}(?=\.[cm]?js$)/;
/** Files that are made for one run: by `tempfile`, with a time, a number or an id in their name. */
const TEMPORARY = /^tmp[a-z0-9_]{6,10}(?=[._-]|$)/;

export function fileOf(runtime: Runtime, path: string): FileName {
  // The function's full name holds the class, the module or the package.
  if (runtime === "jvm" || runtime === "rust" || runtime === "dotnet") return { name: "", isBundle: false };
  if (runtime === "python" && /<ipython-input-|[\\/]ipykernel_\d{1,9}[\\/]/.test(path)) {
    return { name: "<ipython-input>", isBundle: false };
  }
  // Firefox: `file.js line 26 > eval`.
  const bare = path.replace(/[?#].{0,300}$|(?<= line \d{1,7}) > .{0,300}$/, "").replace(/ line \d{1,7}$/, "");
  const base = bare.slice(Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1);
  if (base === "" || NOWHERE.test(base)) return { name: "<anonymous>", isBundle: false };
  // Most names are plain words.
  if (!/\d|[._-][A-Za-z_-]{6}|\.pyc$|^tmp/.test(base))
    return { name: base.slice(0, FILE_CHARS_MAX), isBundle: runtime === "js" && BUNDLE.test(base) };
  let name = base.replace(HEX_HASH, (hash) => (/\d/.test(hash) ? "" : hash));
  if (runtime === "js") name = name.replace(MIXED_HASH, "");
  const isBundle = runtime === "js" && (name !== base || BUNDLE.test(base));
  if (isBundle) name = name.replace(/^\d{1,9}(?=\.)/, "#");
  name = name
    .replace(TEMPORARY, "tmp")
    .replace(LONG_NUMBER, "#")
    .replace(/\.pyc$/, ".py");
  if (name.startsWith("<")) name = name.replace(/\d{1,20}/g, "#");
  return { name: name.slice(0, FILE_CHARS_MAX), isBundle };
}

const BUNDLE = /(?:^|[._-])(?:min|bundle|chunk)[._-]|^\d{1,9}\.[cm]?js$/;
const LONG_NUMBER = /\d{4,40}|(?<=^|[_-])(?=[a-z]{0,8}\d)[0-9a-f]{8,64}(?=[._-]|$)/g;
const NOWHERE = /^(?:<anonymous>|native|native code|unknown|index \d{1,7}|\[native code\])$/;

const PACKAGE_PATHS: Record<Runtime, RegExp | null> = {
  python: /(?:site|dist)-packages|\.p(?:yx|xd|xi)$/,
  js: /node_modules|^(?:https?:\/\/)?(?:deno\.land|esm\.sh|jsr\.io)\/|registry\.npmjs\.org|-extension:\/\//,
  jvm: null,
  dotnet: null,
  go: /[\\/]pkg[\\/]mod[\\/]|@v\d{1,4}\.\d|[\\/]vendor[\\/]/,
  ruby: /[\\/]gems[\\/]|[\\/]vendor[\\/]bundle[\\/]/,
  rust: /[\\/]\.?cargo[\\/](?:registry|git)[\\/]|[\\/]vendor[\\/]/,
  php: /[\\/]vendor[\\/]|^phar:/,
  elixir: /:deps\//,
  dart: /[\\/]\.?pub-cache[\\/]|^package:flutter\//,
  native: /[\\/]usr[\\/]lib/,
};
const RUNTIME_PATHS: Record<Runtime, RegExp | null> = {
  python:
    /[\\/]lib(?:64)?[\\/]python\d|python[\d.-]{0,8}[\\/]lib[\\/]|conda\d?[\\/]lib[\\/]|python\d{2,3}\.zip|^<(?:frozen |__array_function__)/i,
  js: /^(?:node:|bun:|ext:|native|\[native code\]|internal[\\/]|unknown$|<anonymous>$|index \d|webpack\/(?:bootstrap|runtime))|^webpack:\/{2,3}[^/]{0,80}\/?webpack\//,
  jvm: null,
  dotnet: null,
  go: /[\\/]go[\w.-]{0,20}[\\/](?:libexec[\\/])?src[\\/](?![^\\/]{1,80}\.)|[\\/]libexec[\\/]src[\\/]/i,
  ruby: /[\\/]lib[\\/]ruby[\\/]|^<internal:/,
  rust: /[\\/]rustc[\\/]|^\/?library[\\/](?:std|core|alloc)[\\/]/,
  php: /^\[internal function\]/,
  elixir: /^(?:elixir|stdlib|kernel|logger|ex_unit|mix|iex|erts|eex|compiler):/,
  dart: /^dart:/,
  native: /^lib(?:swift|system|dispatch|c\.|pthread|objc)|^(?:CoreFoundation|Foundation|UIKitCore|dyld)$/,
};
/** Node.js until 14 named its own files without a folder. */
const OLD_NODE_FILE =
  /^(?:events|node|net|module|fs|timers|domain|_?tls_wrap|tls|http|https|_http_(?:client|server|common|incoming|outgoing)|_?stream(?:_(?:readable|writable|transform|duplex))?|dns|child_process|util|vm|buffer|assert|zlib|crypto|readline|repl|async_hooks|bootstrap_node)\.js$/;

const RUNTIME_NAMES: Partial<Record<Runtime, RegExp>> = {
  jvm: /^(?:[\w.@-]{0,80}\/{1,2})?(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|clojure|android|androidx|dalvik|com\.android|junit|org\.junit)\./,
  dotnet: /^(?:System|Microsoft)\./,
  go: /^(?:runtime|reflect|sync|net|os|io|fmt|encoding|testing|context|bufio|bytes|strings|time|crypto|database|html|text|log|sort|syscall|internal|errors|regexp|strconv|math|slices|maps|iter|archive|compress|mime|path)(?:\/[\w/]{1,80})?\./,
  rust: /^<?(?:&|mut |\[|dyn ){0,3}(?:std|core|alloc|backtrace|__rustc(?:\[[0-9a-f]{1,20}\])?)::|^<[A-Za-z]\w{0,20} as (?:std|core|alloc)::|^(?:__rust|__libc_start|_start|main|start_thread|clone3?|__GI_|rust_|___rust)\w{0,40}$|^<unknown>$/,
  native: /^(?:__libc_|__GI_|_start$|start_thread|clone3?$|raise$|abort$)/,
};
const PACKAGE_NAMES: Partial<Record<Runtime, RegExp>> = {
  jvm: /^(?:[\w.@-]{0,80}\/{1,2})?(?:org\.(?:springframework|apache|hibernate|eclipse|gradle|testng|mockito|codehaus|slf4j|jetbrains)|io\.(?:netty|grpc|micrometer|opentelemetry|reactivex|vertx|ktor|micronaut|quarkus)|com\.(?:fasterxml|google\.common|google\.inject|zaxxer)|reactor|okhttp3|okio|retrofit2|ch\.qos|feign)\./,
  rust: /^<?(?:&|mut |\[|dyn ){0,3}(?:tokio|futures|futures_util|futures_core|rayon|rayon_core|hyper|anyhow|tracing|serde|serde_json|async_std|axum|tower|reqwest)::/,
};

/** A package that somebody installed. */
export function isOfPackage(runtime: Runtime, name: string, path: string): boolean {
  return PACKAGE_PATHS[runtime]?.test(path) === true || PACKAGE_NAMES[runtime]?.test(name) === true;
}

/** Of the language's own library, or of the engine. */
export function isOfRuntime(runtime: Runtime, name: string, path: string): boolean {
  if (RUNTIME_PATHS[runtime]?.test(path) === true || RUNTIME_NAMES[runtime]?.test(name) === true) return true;
  return runtime === "js" && OLD_NODE_FILE.test(path);
}
