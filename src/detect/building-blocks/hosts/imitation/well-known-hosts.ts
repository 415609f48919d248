/**
 * Services that agents talk to and attackers imitate: model providers, code hosts, clouds, mail, payment,
 * chat. Data of `well-known-imitation.ts`; it need not be complete, since a project's own hosts are compared
 * too. A name that is missing among a service's own domains is the costly mistake: it would be called an
 * imitation of its owner.
 */
export interface Service {
  readonly name: string;
  /** What a host of it is called in a finding: the first of its own domains. */
  readonly host: string;
  /** Registered domains of its own, those of other names too. */
  readonly own: readonly string[];
  /**
   * `coined`: nobody else bears the name, so each misspelling and each other top-level domain tells.
   * `spread`: coined, but at home under many top-level domains. `word`: a word or short, which others bear
   * too; only what is drawn alike or put beside a word of sign-in tells.
   */
  readonly kind: "coined" | "spread" | "word";
}

/** name: kind, endings of its own domains, further domains of its own. */
const TABLE: readonly (readonly [string, Service["kind"], string, string?])[] = [
  // Model providers
  ["openai", "coined", "com org", "oaistatic.com oaiusercontent.com"],
  ["chatgpt", "coined", "com"],
  ["anthropic", "coined", "com", "claudeusercontent.com"],
  ["claude", "word", "ai com"],
  ["deepseek", "coined", "com"],
  ["mistral", "word", "ai"],
  ["huggingface", "coined", "co tech", "hf.co hf.space"],
  ["openrouter", "coined", "ai"],
  ["perplexity", "coined", "ai com"],
  ["elevenlabs", "coined", "io com"],
  // Code hosts and their tools
  [
    "github",
    "coined",
    "com io dev blog community ai career",
    "githubusercontent.com githubassets.com githubapp.com githubstatus.com githubnext.com githubsupport.com githubpreview.dev githubuniverse.com githubcopilot.com githubhackathon.com",
  ],
  ["gitlab", "coined", "com io net org", "gitlab-static.net"],
  ["bitbucket", "coined", "org io com"],
  ["atlassian", "coined", "com net", "atlassian-dev.net atlassian-us-gov-mod.net atlassian-us-gov-mod.com"],
  ["sentry", "word", "io dev"],
  // Clouds
  ["amazonaws", "coined", "com com.cn cn eu"],
  [
    "amazon",
    "spread",
    "com dev",
    "amazonses.com amazon-adsystem.com amazon-corp.com amazonvideo.com amazonpay.com amazonservices.com amazonbot.amazon",
  ],
  [
    "google",
    "spread",
    "com dev",
    "google-analytics.com googleusercontent.com googlevideo.com googlemail.com googlebot.com googlepages.com googl.com googleapps.com googlecloud.com googlemaps.com googleapis.com",
  ],
  ["googleapis", "coined", "com cn"],
  [
    "microsoft",
    "spread",
    "com net dev",
    "microsoft-ppe.com microsoftonline.com microsoftapp.net microsoftstore.com microsoft365.com microsoftedge.com microsoftcloud.com",
  ],
  [
    "microsoftonline",
    "coined",
    "com us cn net",
    "microsoftonline-p.com microsoftonline-p.net microsoftonline-int.com",
  ],
  [
    "azure",
    "word",
    "com net cn us",
    "azure-api.net azure-api.cn azure-mobile.net azure-devices.net azure-test.net azure-api.us",
  ],
  [
    "cloudflare",
    "coined",
    "com net dev tv app",
    "cloudflaressl.com cloudflarestatus.com cloudflaresupport.com cloudflareaccess.com cloudflareclient.com cloudflarestorage.com cloudflareapps.com cloudflareportal.com cloudflare-dns.com cloudflare-gateway.com cloudflare-quic.com cloudflare-ech.com cloudflare-esni.com",
  ],
  ["digitalocean", "coined", "com", "digitaloceanspaces.com ondigitalocean.com ondigitalocean.app"],
  ["heroku", "coined", "com co me", "herokuapp.com herokucdn.com herokussl.com heroku-app.com"],
  [
    "vercel",
    "coined",
    "com app dev sh live blog store run",
    "vercel-dns.com vercel-status.com vercel-storage.com vercel-insights.com",
  ],
  ["netlify", "coined", "com app", "netlifydns.com netlifystatus.com netlifyusercontent.com"],
  ["supabase", "coined", "com co io in net", "supabase-cdn.com"],
  [
    "salesforce",
    "coined",
    "com org",
    "salesforce-sites.com salesforce-dns.com salesforce-experience.com salesforce-setup.com salesforceliveagent.com salesforceiq.com",
  ],
  ["databricks", "coined", "com net us", "databricksapps.com azuredatabricks.net"],
  ["mongodb", "coined", "com net org", "mongodbgov.net"],
  ["snowflake", "word", "com", "snowflakecomputing.com snowflake.app"],
  [
    "datadoghq",
    "coined",
    "com eu",
    "datadoghq-browser-agent.com browser-intake-datadoghq.com browser-intake-datadoghq.eu",
  ],
  // Mail and documents
  ["gmail", "word", "com"],
  ["outlook", "word", "com"],
  ["office365", "spread", "com us"],
  ["sharepoint", "spread", "com us cn", "sharepointonline.com"],
  ["onedrive", "coined", "com net org eu co"],
  ["icloud", "word", "com", "icloud-content.com"],
  ["sendgrid", "coined", "com net"],
  ["mailgun", "coined", "com net org info us"],
  ["mailchimp", "coined", "com", "mailchimpapp.com mailchimpapp.net mailchimpsites.com"],
  ["protonmail", "coined", "com ch"],
  [
    "dropbox",
    "coined",
    "com tech",
    "dropboxapi.com dropboxusercontent.com dropboxstatic.com dropboxmail.com dropboxbusiness.com dropbox-dns.com getdropbox.com",
  ],
  ["docusign", "coined", "com net", "docusigncdn.com"],
  ["notion", "word", "so com site new", "notion-static.com notion-status.com"],
  ["airtable", "coined", "com", "airtableusercontent.com airtableblocks.com"],
  ["zendesk", "coined", "com", "zendesk-staging.com"],
  ["hubspot", "spread", "com net", "hubspotusercontent.com hubspotemail.net"],
  [
    "shopify",
    "spread",
    "com dev io",
    "myshopify.com shopifycdn.com shopifycdn.net shopifycloud.com shopifysvc.com shopifystatus.com shopifypreview.com",
  ],
  // Payment
  ["paypal", "spread", "com me", "paypalobjects.com paypalcorp.com paypalinc.com paypal-corp.com"],
  ["stripe", "word", "com network dev", "stripecdn.com stripe-terminal-local-reader.net"],
  ["coinbase", "coined", "com", "coinbasecdn.com"],
  ["binance", "spread", "com us org", "binanceapi.com binancecnt.com"],
  ["metamask", "coined", "io"],
  ["klarna", "spread", "com net", "klarnacdn.net klarnaservices.com"],
  ["revolut", "spread", "com"],
  // Chat and networks
  [
    "slack",
    "word",
    "com",
    "slack-edge.com slack-files.com slack-imgs.com slack-msgs.com slack-redir.net slack-core.com slack-status.com slackhq.com",
  ],
  [
    "discord",
    "coined",
    "com gg media gift gifts new dev co design store tools",
    "discordapp.com discordapp.net discordapp.io discordcdn.com discordstatus.com discordsays.com discordactivities.com discord-activities.com",
  ],
  ["telegram", "spread", "org me dog space", "telegram-cdn.org cdn-telegram.org telegra.ph"],
  ["whatsapp", "coined", "com net org info tv cc"],
  ["twilio", "coined", "com", "twilio-infra.com twilioinfra.com"],
  ["facebook", "spread", "com net", "facebookmail.com facebook-hardware.com facebook-corp.com"],
  ["instagram", "coined", "com", "cdninstagram.com"],
  ["linkedin", "coined", "com cn at"],
  ["twitter", "coined", "com jp biz", "ads-twitter.com twittercommunity.com twitterinc.com"],
  ["zoom", "word", "us com com.cn", "zoomgov.com zoom-download.cn"],
];

export const SERVICES: readonly Service[] = TABLE.map(([name, kind, endings, further = ""]) => {
  const own = [
    ...endings.split(" ").map((ending) => `${name}.${ending}`),
    ...further.split(" ").filter(Boolean),
  ];
  return { name, kind, own, host: own[0]! };
});

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s{1,99}/).filter(Boolean));

/** Names of others, and words, one letter from a service's. */
export const OTHER_NAMES = words(`
  airable discard finance googly goole klara openair openaip openal openapi openroute papal payal paypay revolt revolute salesforge spotify telegraf telegrams titter twister
`);

/** Below these anybody can have a name, so the label before them is what its owner chose. */
export const SHARED_ZONES = words(`
  vercel.app netlify.app pages.dev workers.dev r2.dev web.app firebaseapp.com appspot.com run.app herokuapp.com github.io gitlab.io azurewebsites.net azurestaticapps.net
  core.windows.net cloudfront.net weebly.com wixsite.com webflow.io blogspot.com wordpress.com 000webhostapp.com glitch.me replit.app repl.co onrender.com fly.dev surge.sh
  square.site myshopify.com duckdns.org ngrok.io ngrok-free.app framer.app framer.website gitbook.io notion.site godaddysites.com trycloudflare.com ddns.net hopto.org
  mystrikingly.com webcindario.com railway.app deno.dev
`);

/**
 * What delivers other people's sites and writes their whole name before its own, and proxies of libraries and
 * translators.
 */
const DELIVERY_ZONES = words(`
  edgekey.net edgesuite.net akadns.net akamaiedge.net akamai.net akamaized.net akamaihd.net cloudflare.net fastly.net fastlylb.net cloudfront.net amazonaws.com trafficmanager.net
  azureedge.net azurefd.net footprint.net llnwd.net lldns.net edgecastcdn.net b-cdn.net cdn77.org incapdns.net impervadns.net googleusercontent.com googleapis.com translate.goog
  windows.net msedge.net aaplimg.com akahost.net omtrdc.net imgix.net kxcdn.com stackpathdns.com alicdn.com kunlunsl.com wsglb0.com cdn20.com qtlcdn.com gslb.com archive.org
`);

/** `dual-s-msedge.net` and its like belong to one of them as well. */
export const isDelivery = (domain: string): boolean =>
  DELIVERY_ZONES.has(domain) || domain.endsWith("-msedge.net");

/** Nobody can register a name below these: a host there is the network's own. */
export const OWN_NETWORK = words(
  "local localdomain localhost internal intranet lan home corp private arpa consul",
);

/** Words of a second level below a country's top-level domain (`co.uk`, `com.au`, `go.jp`). */
export const SECOND_LEVELS = words(
  "ac ad adv art asn asso biz co com edu eng firm gen go gob gouv gov govt gr gv ind inf info k12 lg ltd mil mod ne net nhs nic nom nsw or org plc pp pro re rec sch school store tm web",
);

/** What imitators write beside a name. */
export const BAIT = words(`
  access account accounts admin airdrop alert alerts api apis app apps assist auth authenticate authentication authorize backup bank bill billing bonus bot business card care cdn center
  centre chat check claim client clients cloud com confirm connect console customer dashboard data dev device download downloads drop events file files free gateway gift gifts giveaway help
  helpdesk home hook hooks id identity info install invoice io key keys link live log login logins logon mail manage mobile my net nitro notice notification offer office official online
  org page pages panel password pay payment payments portal premium pro profile promo promos proxy push recover recovery refund register renew reset resolve reward rewards safe safety secure
  secured security sec server service services session setup share shared shop sign signin signup site sso static status storage store subscription support sync system team teams tech token
  tokens transfer unlock update updates upgrade upload usa user users validate validation vault verification verified verify verifying wallet wallets web webhook webhooks webmail webscr
  website ww www www2
`);
