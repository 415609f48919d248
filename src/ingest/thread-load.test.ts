import { expect, test } from "bun:test";
import { ThreadLoad } from "./thread-load.ts";

test("the load is the share of the time for which a core was wanted since it was last measured, and not measured too often", () => {
  const at = { wallMs: 5_000, wantedUs: 70_000 };
  const load = new ThreadLoad({ wallMs: () => at.wallMs, wantedUs: () => at.wantedUs });
  const pass = (wallMs: number, wantedMs: number) => {
    at.wallMs += wallMs;
    at.wantedUs += wantedMs * 1000;
    return load.measure();
  };
  expect(pass(50, 40)).toBeUndefined();
  expect(pass(50, 20)).toBeCloseTo(0.6);
  expect(pass(99, 99)).toBeUndefined();
  expect(pass(101, 1)).toBeCloseTo(0.5);
  expect(pass(10_000, 0)).toBe(0);
  // The two clocks are not read at the same moment.
  expect(pass(100, 101)).toBe(1);
});

/** Works, then sleeps, beside two others on the one core that all of them may use. */
const ON_ONE_CORE = `
  const { ThreadLoad } = await import(${JSON.stringify(new URL("./thread-load.ts", import.meta.url).href)});
  const others = [1, 2].map(() => Bun.spawn([process.execPath, "-e", "console.log(1); for (;;);"]));
  for (const { stdout } of others) await stdout.getReader().read();
  const load = new ThreadLoad();
  const [before, until] = [process.threadCpuUsage(), performance.now() + 600];
  while (performance.now() < until) Math.hypot(until, 1);
  const working = load.measure();
  const { user, system } = process.threadCpuUsage(before);
  await Bun.sleep(600);
  console.log(JSON.stringify({ working, onCore: (user + system) / 600_000, sleeping: load.measure() }));
  for (const other of others) other.kill();
  process.exit(0);`;

test("a thread that works wants a core also while others have it, and one that sleeps does not", async () => {
  const [core] = /(?<=Cpus_allowed_list:\s+)\d+/.exec(await Bun.file("/proc/self/status").text()) ?? [];
  const child = Bun.spawn(["taskset", "-c", core!, process.execPath, "-e", ON_ONE_CORE], {
    stderr: "inherit",
  });
  const { working, onCore, sleeping } = JSON.parse(await new Response(child.stdout).text());
  expect(working).toBeGreaterThan(1.5 * onCore);
  expect(sleeping).toBeLessThan(working / 2);
});
