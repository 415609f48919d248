import { hostAllowed } from "../../building-blocks/hosts/host-allow-list.ts";
import { parseDestination } from "../../building-blocks/hosts/normalise-host.ts";
import type { Detection, DetectorEvent, DetectorSettings } from "../../detector.ts";
import type { Heard } from "../provenance/heard-texts.ts";
import { saidIn, saysHost } from "../provenance/named-hosts.ts";

/** What an `egress` event tells by itself: a drop site was contacted, or very much went out. */
export const BYTES_OUT_MAX = 100_000_000;

const DROP_HOST =
  /(?:^|\.)(?:webhook\.site|requestbin\.\w{2,12}|ngrok\.io|ngrok-free\.app|ngrok\.app|pipedream\.net|burpcollaborator\.net|interact\.sh|oast\.\w{2,12}|oastify\.com|transfer\.sh|dnslog\.cn|beeceptor\.com|trycloudflare\.com)(?::\d{1,5})?$/i;

/** Whoever says these wants much to be put elsewhere. */
const MOVES_MUCH =
  /(?<!\p{L})(?:back(?:ing)?[ -]?ups?|upload|sync(?:hroni[sz]e)?|export|mirror|replicat|migrat|archiv|publish|deploy|push|transfer|copy|copies|ship|stream|offload|send|sichern?|sicherung|hochladen|übertrag|kopier|sauvegard|téléverse|transfér|respald|sub(?:e|ir|an?)(?!\p{L})|copia|carica|trasfer|envi[ae]|archiwiz|kopię|wgraj)|резерв|копи|загруз|выгруз|备份|上传|同步|导出|バックアップ|アップロード|同期|백업|업로드|yedek|yükle|نسخ|رفع/iu;

/** null: neither a drop site nor much, or it was spoken of, or is allowed. */
export function contactFound(
  failureClass: string,
  event: DetectorEvent,
  heard: Heard,
  settings: DetectorSettings,
): Detection | null {
  const bytesMax = settings.thresholds.bytesOutMax ?? BYTES_OUT_MAX;
  const { destination, bytes_out: bytesOut } = event.payload;
  const host = typeof destination === "string" ? destination : "";
  const drop = DROP_HOST.test(host) && !saysHost(heard, host.replace(/:\d{1,5}$/, ""));
  const bulk = typeof bytesOut === "number" && bytesOut >= bytesMax && !MOVES_MUCH.test(saidIn(heard));
  if ((!drop && !bulk) || hostAllowed(parseDestination(host), settings.allow)) return null;
  return {
    signatureParts: [drop ? "drop-site" : "bulk", "egress", event.type, ""],
    severity: drop ? "high" : "medium",
    ruleIds: [`${failureClass}/${drop ? "drop-site" : "bulk-transfer"}`],
    score: drop ? 0.85 : 0.7,
    excerpt: drop ? `contact with ${host.slice(0, 120)}` : `${bytesOut} bytes out in one contact`,
    eventId: event.eventId,
    evidenceEventIds: [],
  };
}
