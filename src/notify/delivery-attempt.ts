import { type ClaimedDelivery, TEST_EVENT } from "../store/webhooks/deliveries.ts";
import type { AttemptRecord, FailedWebhook, FailureVerdict } from "../store/webhooks/delivery-results.ts";
import { formatBody, targetOf } from "./chat-format.ts";
import { hasFailedForGood, holdMs, parseRetryAfterMs, retryWaitMs } from "./retry-schedule.ts";
import { signatureHeaders } from "./signature.ts";
import { type AttemptResult, postWebhook, type WebhookClientOptions } from "./webhook-client.ts";

/**
 * One attempt of one delivery: from the claimed row to the request, and from the answer to what happens next.
 * Invariant: what is kept of a request in the log holds no signature and no secret.
 */

export interface SentAttempt {
  attempt: AttemptRecord & Pick<AttemptResult, "errorClass">;
  retryAfter: string | null;
}

const USER_AGENT = "Agent-Telemetry-Service";
const KEPT_OUT_OF_LOG = new Set(["x-service-signature", "webhook-signature"]);

export async function sendDelivery(
  claim: ClaimedDelivery,
  options: WebhookClientOptions & { nowMs: number },
): Promise<SentAttempt> {
  const url = URL.parse(claim.url);
  const body = url === null ? claim.body : formatBody(targetOf(url), claim.body, claim.createdAt);
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "X-Service-Event": claim.event,
    ...signatureHeaders({
      deliveryId: claim.deliveryId,
      timestampS: Math.floor(options.nowMs / 1_000),
      body,
      secret: claim.secret,
      previousSecret: previousSecretAt(claim, options.nowMs),
    }),
  };
  const { retryAfter, ...result } = await postWebhook({ url: claim.url, headers, body }, options);
  const requestHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !KEPT_OUT_OF_LOG.has(name.toLowerCase())),
  );
  return { attempt: { ...result, startedMs: options.nowMs, requestHeaders }, retryAfter };
}

function previousSecretAt(claim: ClaimedDelivery, nowMs: number): string | null {
  const until = claim.previousSecretUntil;
  return until !== null && until.getTime() > nowMs ? claim.previousSecret : null;
}

/** What a failed attempt leads to. */
export function verdictOf(input: {
  claim: Pick<ClaimedDelivery, "event" | "failureCount">;
  webhook: Pick<FailedWebhook, "failingSince" | "moved">;
  sent: { attempt: Pick<AttemptRecord, "statusCode">; retryAfter: string | null };
  nowMs: number;
  random: number;
}): FailureVerdict {
  const { claim, webhook, sent, nowMs, random } = input;
  // A test is one attempt: whoever asked for it is looking at the result.
  if (claim.event === TEST_EVENT) return { kind: "give_up" };
  const failureCount = claim.failureCount + 1;
  // Of what the old address answered, nothing is asked of the new one: it is sent the notification by the
  // schedule.
  const reason = webhook.moved ? null : reasonToDisable({ webhook, sent, nowMs, failureCount });
  if (reason !== null) return { kind: "disable", reason };
  const retryAfterMs = webhook.moved ? null : parseRetryAfterMs(sent.retryAfter, nowMs);
  const waitMs = retryWaitMs({ failureCount, retryAfterMs, random });
  if (waitMs === null) return { kind: "give_up" };
  const heldMs = holdMs({ statusCode: sent.attempt.statusCode, retryAfterMs });
  const holdUntilMs = heldMs === null ? null : nowMs + heldMs;
  return { kind: "retry", dueMs: nowMs + waitMs, holdUntilMs };
}

function reasonToDisable(input: {
  webhook: Pick<FailedWebhook, "failingSince">;
  sent: { attempt: Pick<AttemptRecord, "statusCode"> };
  nowMs: number;
  failureCount: number;
}): string | null {
  const { webhook, sent, nowMs, failureCount } = input;
  if (sent.attempt.statusCode === 410) return "the receiver answered 410 Gone";
  const failingSinceMs = webhook.failingSince?.getTime() ?? nowMs;
  return hasFailedForGood({ failingSinceMs, failureCount, nowMs }) ? "nothing but failures for 5 days" : null;
}
