import { format, UUID } from "./format-rules.ts";
import type { SecretRule } from "./secret-rule.ts";

/**
 * Keys of platforms for agents, payments, mail, checks and packages. Most are known by a prefix of their own;
 * a few have only a form, and need the name of the platform or of the setting beside it.
 */
export const FURTHER_FORMATS: readonly SecretRule[] = [
  {
    // The keys that the cloud signs tell by a mark in their middle what they are for (DevOps, OpenAI,
    // storage).
    id: "azure-signed-key",
    keywords: ["jqqj99"],
    pattern: /(?<![A-Za-z0-9])([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26})(?![A-Za-z0-9])/g,
    anchored: false,
    entropyMin: 4,
    kind: "prefix",
  },
  {
    id: "azure-account-key",
    keywords: ["storage_key", "storage_account_key", "storagekey", "storageaccountkey", "account_key"],
    pattern:
      /(?:storage_?(?:account_?)?|account_)key\\{0,3}["'`]?[ \t]{0,4}(?:is[ \t]|=>|:=|[:=])?[ \t]{0,4}\\{0,3}["'`]?([A-Za-z0-9+/]{86}==)/iy,
    anchored: true,
    entropyMin: 4,
    kind: "assigned",
  },
  {
    id: "asana-token",
    keywords: ["asana"],
    pattern: /asana[^\n]{0,60}?(?<![\w/])([012]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32})(?![0-9a-f])/iy,
    anchored: true,
    entropyMin: 3,
    kind: "assigned",
  },
  {
    id: "laravel-key",
    keywords: ["app_key"],
    pattern: /app_key\\{0,3}["'`]?\s?[:=]\s?\\{0,3}["'`]?(base64:[A-Za-z0-9+/]{43}=)/iy,
    anchored: true,
    entropyMin: 4,
    kind: "prefix",
  },
  {
    // What the framework makes for a trial says so itself.
    id: "django-key",
    keywords: ["secret_key"],
    pattern: /secret_key["']?\]?\s{0,3}[:=]\s{0,3}["'](?!django-insecure)([a-z0-9!@#$%^&*(_=+)-]{50})["']/iy,
    anchored: true,
    entropyMin: 4,
    kind: "assigned",
  },
  format("github-refresh-token", "ghr_", "ghr_[0-9A-Za-z]{76}", 3),
  format("segment-token", "sgp_", "sgp_[A-Za-z0-9]{64}", 3.5),
  format("crates-token", "cio", "cio(?=[A-Za-z0-9]{0,31}\\d)(?=[A-Za-z0-9]{0,31}[A-Z])[A-Za-z0-9]{32}", 4),
  format("clickup-token", "pk_", "pk_\\d{6,9}_[A-Z0-9]{32}", 3.5),
  format("dropbox-token", "sl.u.", "sl\\.u\\.[\\w-]{130,1200}", 4),
  format("elevenlabs-token", "sk_", "sk_[a-f0-9]{48}", 3),
  format("helicone-key", "sk-helicone-", "sk-helicone-[a-z0-9]{7}(?:-[a-z0-9]{7}){3}", 3),
  format("honeycomb-key", ["hcaik_", "hcalk_"], "hca[il]k_01[a-z0-9]{50,60}", 3.5),
  format("hubspot-token", "pat-", `pat-(?:na|eu|ap)\\d-${UUID}`, 3),
  format("mapbox-secret", "sk.eyj", "sk\\.eyJ1[\\w-]{40,200}\\.[\\w-]{22}", 4),
  format("mem0-key", "m0-", "m0-(?=[A-Za-z0-9]{0,39}\\d)[A-Za-z0-9]{40}", 4),
  format("mollie-key", "live_", "live_(?=[A-Za-z0-9]{0,29}\\d)(?=[A-Za-z0-9]{0,29}[A-Z])[A-Za-z0-9]{30}", 4),
  format("nuget-key", "oy2", "oy2(?=[a-z]{0,42}\\d)[a-z0-9]{43}", 3.8),
  format("openhands-key", "sk-oh-", "sk-oh-[A-Za-z0-9]{32}", 3.5),
  format("packagist-token", "packagist_", "packagist_[a-z]{3}_[a-f0-9]{68}", 3),
  format("paddle-key", "pdl_", "pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}", 3.5),
  format("polar-token", "polar_", "polar_[a-z]{2,4}_[A-Za-z0-9]{32,64}", 3.5),
  format("resend-token", "re_", "re_(?=[A-Za-z0-9_]{0,32}\\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", 4),
  format("sonar-token", ["sqp_", "squ_", "sqa_"], "sq[pua]_[a-f0-9]{40}", 3),
];
