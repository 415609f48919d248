/**
 * Whether a declared mode means a simulation. The interface names `simulation`; clients that word it
 * themselves say `sandbox`, `mock` or `simulated`.
 */
const SIMULATED =
  /^(?:simul\w{0,12}|symul\w{0,8}|sim|sandbox\w{0,4}|mock(?:s|ed|ing)?|fakes?|faked|stub(?:s|bed)?|emulat\w{1,5}|offline|air-?gapped|airgap|drill|rehearsal|simulación|simulação|симуляция|песочница|シミュレーション|模擬|模拟|仿真|沙箱|沙盒|시뮬레이션|샌드박스|محاكاة)$/u;
/**
 * A mode that names both is not only a simulation: `non-simulation`, `live-after-simulation`,
 * `production_sandbox`.
 */
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
