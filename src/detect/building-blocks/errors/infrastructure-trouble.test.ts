import { describe, expect, test } from "bun:test";
import { infrastructureTrouble } from "./infrastructure-trouble.ts";

type News = readonly [kind: string, code: string, message: string];

describe("news that is no trouble", () => {
  const ordinary: readonly News[] = [
    // Scaling, with the reason for it.
    ["autoscale", "scale_down", "nodes 8 -> 6, rollout finished"],
    ["scale_down", "", "worker pool 12 to 4"],
    ["autoscaling", "", "CPU pressure 85 %, adding 2 replicas"],
    ["ScalingReplicaSet", "", "Scaled down replica set api-6f from 3 to 0"],
    ["hpa", "SuccessfulRescale", "New size: 5; reason: latency above target"],
    ["capacity", "", "scaling down by 500 pods for the night"],
    ["cluster", "", "queue pressure is gone, scaled down to 2 nodes"],
    // Releases.
    ["deployment", "", "checkout 4.2 rolled out, fixes the crash on empty carts"],
    ["rollout", "completed", "22 of 22 pods updated, 0 failed"],
    ["deploy", "v31", "old replicas shut down after draining"],
    ["release", "", "adds retries against timeouts of the mail relay"],
    // Restarts, moves and stops on purpose.
    ["restart", "rolling_update", "worker restarted by planned rolling update"],
    ["restart", "", "restarted by the operator to load the new certificate"],
    ["pod_restarted", "config_reload", "new log level"],
    ["restart", "", "Neustart: rollierendes Update, Knoten 3 von 5"],
    ["reinicio", "", "reinicio programado, restart del worker"],
    ["node_reboot", "", "nightly patching, host rebooted"],
    ["pod_evicted", "node_drain", "moved to node-7 before the kernel upgrade"],
    ["killing", "SIGTERM", "container killed by deploy, replacement is running"],
    ["graceful_shutdown", "", "drained 14 connections and shut down"],
    ["failover", "", "planned switchover, replica promoted"],
    ["failback", "done", "traffic is on the primary again"],
    ["lifecycle", "", "leader stepping down, new leader elected"],
    // Health that is good, or good again.
    ["health_check", "ok", "all 8 nodes ready, p95 540 ms"],
    ["health_check", "passing", "error rate 0.02 %, 512 requests"],
    ["alarm", "OK", "5xx errors below the threshold"],
    ["db_outage", "RESOLVED", "closed by on-call"],
    ["node_unreachable", "", "node-3 is back"],
    ["NodeHasNoDiskPressure", "", "status is now: NodeHasNoDiskPressure"],
    ["steady_state", "", "service has reached a steady state"],
    ["backup", "", "snapshot done: 550 files, errors: 0"],
    ["metrics", "", "p99 587 ms, 503 requests served"],
    ["quota", "", "quota raised to 500 vCPU"],
  ];
  test.each(ordinary.map((news) => [...news]))("%s · %s · %s", (kind, code, message) => {
    expect(infrastructureTrouble(kind!, code!, message!)).toBeNull();
  });
});

describe("trouble", () => {
  const trouble: readonly News[] = [
    // An operation that does not come about.
    ["scale_up", "failed", "InsufficientInstanceCapacity in eu-central-1a"],
    ["autoscale", "scale_up", "could not add nodes: quota CPUS exceeded"],
    ["scale_up_failed", "", "pool gpu stays at 4"],
    ["FailedScheduling", "", "0/8 nodes are available"],
    ["autoscale", "", "desired 14, max 10 replicas reached"],
    ["deployment_failed", "", "image not found"],
    ["deploy", "", "pods stuck in CrashLoopBackOff"],
    ["rollout", "", "2 of 6 pods not ready, rolled back"],
    ["maintenance", "", "upgrade of the replica failed"],
    // Restarts that nobody asked for.
    ["restart", "", ""],
    ["pod_restarted", "", "container restarted"],
    ["unplanned_restart", "", "worker-3"],
    ["restart", "", "unscheduled restart of the broker"],
    ["restart", "", "restarted 5 times in 10 minutes since the rollout"],
    ["CrashLoopBackOff", "", "back-off 5m0s restarting failed container"],
    ["restart", "", "exit code 137 during a rolling update"],
    ["restart", "", "liveness probe failed after the deploy"],
    ["restart", "", "ungeplanter Neustart"],
    ["shutdown", "", "host shut down unexpectedly"],
    ["failover", "", "primary lost, replica promoted"],
    // Health that is bad.
    ["NodeNotReady", "", "kubelet stopped posting status"],
    ["health_check", "503", "no healthy upstream"],
    ["alert", "", "upstream answers 503"],
    ["alert", "", "502 Bad Gateway from the ledger"],
    ["quota_exhausted", "", "vCPU quota used up"],
    ["quota", "", "quota exceeded for embeddings"],
    ["oom", "", "recovered by a restart"],
    ["oom", "", "killed during the planned rollout"],
    ["db_down", "", "connection refused"],
    ["queue", "", "consumer is down"],
    ["outage", "", "not resolved yet"],
    ["node_not_ready", "", "node-4"],
    ["circuit_breaker_open", "", "12 of 15 calls"],
    ["recovery_failed", "", "standby could not be promoted"],
  ];
  test.each(trouble.map((news) => [...news]))("%s · %s · %s", (kind, code, message) => {
    expect(infrastructureTrouble(kind!, code!, message!)).not.toBeNull();
  });
});
