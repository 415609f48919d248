import type { Destination } from "./normalise-host.ts";

/**
 * Whether a declared mode means a simulation, and whether a host is one's own stand-in for something real. The interface names `simulation`;
 * clients that word it themselves say `sandbox`, `mock` or `simulated`. A host is a stand-in by its name alone: one that nobody can
 * have outside (`.test`), or one of a private zone that calls itself a mock. A private name or address that says nothing of it may be production.
 */
const SIMULATED =
  /^(?:simul\w{0,12}|symul\w{0,8}|sim|sandbox\w{0,4}|mock(?:s|ed|ing)?|fakes?|faked|stub(?:s|bed)?|emulat\w{1,5}|offline|air-?gapped|airgap|drill|rehearsal|simulación|simulação|симуляция|песочница|シミュレーション|模擬|模拟|仿真|沙箱|沙盒|시뮬레이션|샌드박스|محاكاة)$/u;
/** A mode that names both is not only a simulation: `non-simulation`, `live-after-simulation`, `production_sandbox`. */
const REAL = /^(?:live|prod|production|productive|prd|real|staging|non?|not|un|post|pre)$/;
const MODE_MAX = 100;

const modes = new Map<string, boolean>();
const MODES_MAX = 256;

export function isSimulation(mode: string | null): boolean {
  if (mode === null) return false;
  const known = modes.get(mode);
  if (known !== undefined) return known;
  const words = mode
    .slice(0, MODE_MAX)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\d]/u);
  // An air gap is written in two words.
  const isAirGap = /\bair[ _-]gap/i.test(mode.slice(0, MODE_MAX));
  const is =
    (isAirGap || words.some((word) => SIMULATED.test(word))) && !words.some((word) => REAL.test(word));
  if (modes.size >= MODES_MAX) modes.clear();
  if (mode.length <= MODE_MAX) modes.set(mode, is);
  return is;
}

/** Reserved so that nobody ever has them (RFC 6761). `.example` is, too, but people write it for hosts that they have. */
const NOBODYS = new Set(["test", "invalid"]);
const LOOPBACK_NAMES = new Set([
  "localhost.localdomain",
  "localhost6",
  "localhost4",
  "ip6-localhost",
  "ip6-loopback",
]);
/** Zones that are resolved within a cluster, a container's network or a house alone. */
const PRIVATE_ZONES = new Set(
  "svc local internal intranet lan home corp private localdomain docker cluster arpa pod consul".split(" "),
);
const STAND_IN =
  /^(?:(?:wire)?mocks?|mocked|mock(?:server|oon|api|s3|ed)|fakes?|fake(?:server|s3|redis|smtp)|stubs?|stubbed|stubserver|dummy|dummies|simulat(?:or|ors|ed|ion|ions)|emulat(?:or|ors|ed|ion)|localstack|azurite|moto|sandbox(?:ed|es)?|testbed|testcontainers?|toxiproxy|mailhog|mailpit|hoverfly|mountebank|microcks|imposters?)$/;
const PRODUCTION = /^(?:prod|production|prd|live)$/;

/** Reaching it reaches nothing real. */
export function isStandIn({ kind, host }: Destination): boolean {
  if (kind !== "name") return false;
  if (LOOPBACK_NAMES.has(host)) return true;
  const labels = host.split(".");
  const zone = labels.at(-1)!;
  if (NOBODYS.has(zone)) return true;
  if (labels.length > 1 && !PRIVATE_ZONES.has(zone)) return false;
  const own = labels.length > 1 ? labels.slice(0, -1) : labels;
  const words = own.flatMap((label) => label.split(/[-_]/));
  // `sim` is a card as well: it says so where it is a whole label (a namespace), or ends one (`bank-sim`).
  const says =
    words.some((word) => STAND_IN.test(word.replace(/\d{1,4}$/, ""))) ||
    own.some((label) => /(?:^|[-_])sims?\d{0,3}$/.test(label));
  return says && !words.some((word) => PRODUCTION.test(word.replace(/\d{1,4}$/, "")));
}
