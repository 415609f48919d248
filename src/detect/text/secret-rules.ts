/**
 * The formats of credentials. A rule is tried only where one of its keywords stands (folded, anywhere in a word), and
 * only on a window of the text around it; its pattern holds bounded repetitions only. `entropyMin` is Shannon entropy
 * in bits a character of the captured value, which drops placeholders and prose.
 */
export interface SecretRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly pattern: RegExp;
  readonly entropyMin: number;
  /** True if a match begins where the keyword begins: the pattern is sticky and tried at that place alone. */
  readonly anchored: boolean;
  /** `prefix`: the format alone proves it. `assigned`: a vendor's name and an assignment. `generic`: names only. */
  readonly kind: "prefix" | "assigned" | "generic";
}

/** `(?<![A-Za-z0-9_-])`: what may not stand before a token with a prefix. */
const FRONT = "(?<![A-Za-z0-9])";
const BACK = "(?![A-Za-z0-9])";

function format(id: string, keyword: string | readonly string[], body: string, entropyMin = 2.5): SecretRule {
  const keywords = typeof keyword === "string" ? [keyword] : keyword;
  return {
    id,
    keywords,
    pattern: new RegExp(`${FRONT}(${body})${BACK}`, "y"),
    entropyMin,
    anchored: true,
    kind: "prefix",
  };
}

/** A format whose keyword stands inside the value. */
function formatAround(id: string, keyword: string, body: string, entropyMin: number): SecretRule {
  return {
    ...format(id, keyword, body, entropyMin),
    pattern: new RegExp(`${FRONT}(${body})${BACK}`, "g"),
    anchored: false,
  };
}

const ASSIGN = `[ \\t\\w.-]{0,20}["'\`\\s]{0,3}(?:=>|:=|:{1,3}|=|>|,|\\|\\|)["'\`\\s=]{0,5}`;
const AFTER = `(?=["'\`\\s;,)}<]|\\\\[nr"]|$)`;

/** A vendor's name, an assignment and a value of a fixed shape. */
function assigned(vendor: string | readonly string[], body: string, entropyMin = 3): SecretRule {
  const keywords = typeof vendor === "string" ? [vendor] : vendor;
  const names = keywords.map((name) => name.replace(/[.]/g, "\\.")).join("|");
  return {
    id: `${keywords[0]}-key`,
    keywords,
    pattern: new RegExp(`(?<![A-Za-z0-9])(?:${names})${ASSIGN}(${body})${AFTER}`, "iy"),
    entropyMin,
    anchored: true,
    kind: "assigned",
  };
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const W = "[A-Za-z0-9]";
const WD = "[\\w-]";

const FORMATS: readonly SecretRule[] = [
  format(
    "1password-secret-key",
    "a3-",
    "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
    3.5,
  ),
  format("1password-service-token", "ops_ey", "ops_eyJ[A-Za-z0-9+/]{120,3000}={0,3}", 4),
  format("adobe-client-secret", "p8e-", "p8e-[a-zA-Z0-9]{32}"),
  format("age-secret-key", "age-secret-key-1", "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
  format("airtable-token", "pat", `pat${W}{14}\\.[a-f0-9]{64}`, 3),
  format("alibaba-key-id", "ltai", `LTAI${W}{20}`, 3),
  format("anthropic-key", ["sk-ant-api", "sk-ant-admin"], `sk-ant-(?:api03|admin01)-${WD}{93}AA`, 3),
  format("anthropic-oauth", ["sk-ant-oat", "sk-ant-ort"], `sk-ant-o[ar]t01-${WD}{80,120}`, 3),
  format("artifactory-key", "akcp", `AKCp${W}{69}`, 4),
  format("artifactory-reference", "cmvmd", `cmVmd${W}{59}`, 4),
  format("atlassian-token", "atatt3", `ATATT3[\\w=-]{180,200}`, 3.5),
  format(
    "authress-key",
    ["scauth_", "authress_"],
    `(?:scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[a-z0-9+/_=-]{30,120}`,
  ),
  format(
    "aws-access-key",
    ["akia", "asia", "abia", "acca", "a3t"],
    `(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}`,
    3,
  ),
  format("aws-bedrock-key", "absk", "ABSK[A-Za-z0-9+/]{109,269}={0,2}", 3),
  format(
    "aws-bedrock-short-key",
    "bedrock-api-key-",
    "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]{0,600}",
    3,
  ),
  {
    id: "azure-client-secret",
    keywords: ["q~"],
    pattern: /(?<![\w~.-])([\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~-])/g,
    anchored: false,
    entropyMin: 3.8,
    kind: "prefix",
  },
  format("clickhouse-key", "4b1d", `4b1d${W}{38}`, 4),
  format("clojars-token", "clojars_", `CLOJARS_[a-zA-Z0-9]{60}`, 3),
  format("cloudflare-origin-key", "v1.0-", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}", 3),
  format("databricks-token", "dapi", "dapi[a-f0-9]{32}(?:-\\d)?", 3),
  format("digitalocean-token", ["doo_v1_", "dop_v1_", "dor_v1_"], "do[opr]_v1_[a-f0-9]{64}", 3),
  format("doppler-token", "dp.", `dp\\.(?:pt|st|ct|sa|scim|audit)\\.${W}{40,44}`),
  format("duffel-token", "duffel_", "duffel_(?:test|live)_[\\w=-]{43}"),
  format("dynatrace-token", "dt0c01.", `dt0c01\\.${W}{24}\\.${W}{64}`, 3.5),
  format("easypost-token", ["ezak", "eztk"], `EZ[AT]K${W}{54}`, 3),
  {
    id: "facebook-access-token",
    keywords: ["facebook"],
    pattern: /(?<!\d)(\d{15,16}[|%][\w-]{27,40})(?![\w-])/g,
    anchored: false,
    entropyMin: 3,
    kind: "prefix",
  },
  format("facebook-page-token", ["eaam", "eaac"], `EAA[MC]${W}{100,400}`, 4),
  format("flutterwave-key", ["flwseck", "flwpubk"], "FLW(?:SECK|PUBK)(?:_TEST)?-[a-h0-9]{12,32}(?:-X)?", 3),
  format(
    "flyio-token",
    ["fo1_", "fm1", "fm2_"],
    `(?:fo1_${WD}{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,700}={0,3})`,
    4,
  ),
  format("frameio-token", "fio-u-", "fio-u-[\\w=-]{64}", 3),
  {
    id: "google-api-key",
    keywords: ["aiza"],
    pattern: /(?<![A-Za-z0-9])(AIza[\w-]{35})(?![\w-])/y,
    anchored: true,
    entropyMin: 4,
    kind: "prefix",
  },
  format("google-oauth-secret", "gocspx-", `GOCSPX-${WD}{28}`, 3),
  format("google-oauth-token", "ya29.", `ya29\\.[\\w-]{30,400}`, 3.5),
  {
    id: "gcp-service-account",
    keywords: ["service_account"],
    pattern: /(["']type["']\s{0,4}:\s{0,4}["']service_account["'])/g,
    anchored: false,
    entropyMin: 0,
    kind: "prefix",
  },
  format("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[0-9A-Za-z]{36}", 3),
  format("github-fine-grained", "github_pat_", "github_pat_\\w{82}", 3),
  format(
    "gitlab-token",
    ["glpat-", "gldt-", "glptt-", "glft-", "glsoat-", "glffct-", "glrt-"],
    `gl(?:pat|dt|ft|soat|ffct|rt)-${WD}{20,300}(?:\\.[0-9a-z]{9})?`,
    3,
  ),
  format("gitlab-trigger-token", "glptt-", "glptt-[0-9a-f]{40}", 3),
  format(
    "gitlab-long-token",
    ["glagent-", "gloas-", "glimt-", "glcbt-"],
    `gl(?:agent|oas|imt|cbt)-${WD}{20,80}`,
    3,
  ),
  format("gitlab-runner", "gr1348941", `GR1348941${WD}{20}`, 3.2),
  {
    id: "gitlab-session",
    keywords: ["_gitlab_session="],
    pattern: /(_gitlab_session=[0-9a-z]{32})/y,
    anchored: true,
    entropyMin: 3,
    kind: "prefix",
  },
  format("grafana-key", "eyjrijoi", "eyJrIjoi[A-Za-z0-9]{70,400}={0,3}", 3),
  format("grafana-cloud-token", "glc_", "glc_[A-Za-z0-9+/]{32,400}={0,3}", 3.5),
  format("grafana-service-token", "glsa_", `glsa_${W}{32}_[A-Fa-f0-9]{8}`, 3.2),
  format("groq-key", "gsk_", `gsk_${W}{52}`, 3.5),
  format("harness-key", ["pat.", "sat."], `[ps]at\\.${WD}{22}\\.${W}{24}\\.${W}{20}`, 3),
  formatAround("hashicorp-token", "atlasv1", `${W}{14}\\.atlasv1\\.[\\w=-]{60,70}`, 3.5),
  format("heroku-key", "hrku-aa", `HRKU-AA${WD}{58}`, 3.5),
  format("huggingface-token", "hf_", "hf_[A-Za-z]{34}", 3.5),
  format("huggingface-org-token", "api_org_", "api_org_[A-Za-z]{34}", 3.5),
  {
    id: "infracost-token",
    keywords: ["ico-"],
    pattern: /(?<![\w.])(ico-[A-Za-z0-9]{32})(?![\w-])/y,
    entropyMin: 3.5,
    anchored: true,
    kind: "prefix",
  },
  format("intra42-secret", ["s-s4t2ud-", "s-s4t2af-"], "s-s4t2(?:ud|af)-[a-f0-9]{64}", 3),
  {
    id: "jwt",
    keywords: ["eyj"],
    pattern: /(?<![A-Za-z0-9])(eyJ[\w-]{14,2000}\.eyJ[\w\\/-]{14,3000}\.[\w\\/-]{10,1000}={0,2})/y,
    anchored: true,
    entropyMin: 3.5,
    kind: "prefix",
  },
  {
    id: "jwt-base64",
    keywords: ["zxlk"],
    pattern:
      /(?<![A-Za-z0-9])(ZXlK(?:aGJHY2lPaU|hbGciOi|MGVYQWlPaU|cmFXUWlPaU|MGVYQ)[A-Za-z0-9+/]{40,3000}={0,2})/y,
    anchored: true,
    entropyMin: 3,
    kind: "prefix",
  },
  format("linear-key", "lin_api_", `lin_api_${W}{40}`, 3),
  formatAround("maxmind-key", "_mmk", `${W}{6}_${W}{29}_mmk`, 3.5),
  {
    id: "teams-webhook",
    keywords: ["webhook.office.com"],
    pattern:
      /(https:\/\/[a-z0-9]{1,60}\.webhook\.office\.com\/webhookb2\/[a-z0-9@-]{60,90}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9-]{36})/gi,
    anchored: false,
    entropyMin: 3,
    kind: "prefix",
  },
  format("new-relic-key", ["nrak-", "nrii-", "nrjs-"], "NR(?:AK|II|JS)-[A-Za-z0-9-]{19,32}", 3),
  format("notion-token", "ntn_", `ntn_[0-9]{11}${W}{35}`, 3.8),
  format("npm-token", "npm_", `npm_${W}{36}`, 3),
  format("octopus-key", "api-", "API-[A-Z0-9]{26}", 3.6),
  format(
    "openai-key",
    ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    `sk-(?:proj|svcacct|admin)-${WD}{40,200}`,
    3.5,
  ),
  formatAround("openai-legacy-key", "t3blbkfj", `sk-${W}{20}T3BlbkFJ${W}{20}`, 3.5),
  format("openrouter-key", "sk-or-", "sk-or-v1-[a-f0-9]{64}", 3),
  {
    id: "openshift-token",
    keywords: ["sha256~"],
    pattern: /(?<![\w~])(sha256~[\w-]{43})(?![\w-])/y,
    anchored: true,
    entropyMin: 3.5,
    kind: "prefix",
  },
  format("perplexity-key", "pplx-", `pplx-${W}{48}`, 4),
  format("planetscale-token", "pscale_", "pscale_(?:tkn|oauth|pw)_[\\w=.-]{32,64}", 3),
  format("postman-token", "pmak-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}", 3),
  format("prefect-token", "pnu_", `pnu_${W}{36}`, 3),
  {
    id: "private-key",
    keywords: ["-----begin"],
    pattern:
      /(-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|\s){0,8}[A-Za-z0-9+/=:,.\s\\-]{60,4000})/y,
    anchored: true,
    entropyMin: 3.5,
    kind: "prefix",
  },
  format("pulumi-token", "pul-", "pul-[a-f0-9]{40}", 3),
  format("pypi-token", "pypi-ageichlwas5vcmc", `pypi-AgEIcHlwaS5vcmc${WD}{50,1000}`, 3),
  format("readme-token", "rdme_", "rdme_[a-z0-9]{70}", 3),
  format("replicate-token", "r8_", `r8_${W}{37}`, 3.5),
  format("rubygems-token", "rubygems_", "rubygems_[a-f0-9]{48}", 3),
  format("scalingo-token", "tk-us-", `tk-us-${WD}{48}`, 3),
  format("sendgrid-token", "sg.", `SG\\.${WD}{16,32}\\.${WD}{32,64}`, 3.5),
  format("sendinblue-token", "xkeysib-", `xkeysib-[a-f0-9]{64}-${W}{16}`, 3),
  format("sentry-token", ["sntryu_", "sntrys_"], `sntry(?:u_[a-f0-9]{64}|s_eyJ[A-Za-z0-9+/=_]{80,400})`, 3.5),
  format("settlemint-token", ["sm_aat_", "sm_pat_", "sm_sat_"], `sm_[aps]at_${W}{16}`, 3),
  format("shippo-token", "shippo_", "shippo_(?:live|test)_[a-fA-F0-9]{40}", 3),
  format("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", 3),
  {
    id: "sidekiq-url",
    keywords: ["contribsys.com"],
    pattern: /(https?:\/\/[a-f0-9]{8}:[a-f0-9]{8}@(?:gems|enterprise)\.contribsys\.com)/gi,
    anchored: false,
    entropyMin: 0,
    kind: "prefix",
  },
  format("slack-app-token", "xapp-", `xapp-\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-z0-9]{32,80}`, 2.5),
  format("slack-token", ["xoxb-", "xoxp-", "xoxe-"], `xox[bpe](?:-[0-9]{8,14}){1,3}-[A-Za-z0-9]{18,40}`, 3.2),
  format("slack-config-token", "xoxe", `xoxe(?:\\.xox[bp])?-\\d-[A-Z0-9]{140,170}`, 3),
  format(
    "slack-legacy-token",
    ["xoxa-", "xoxr-", "xoxo-", "xoxs-"],
    `xox[aros](?:-\\d{1,14}){0,3}-[0-9A-Za-z]{8,48}`,
    3.2,
  ),
  {
    id: "slack-webhook",
    keywords: ["hooks.slack.com"],
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{40,64})/y,
    anchored: true,
    entropyMin: 3,
    kind: "prefix",
  },
  {
    id: "discord-webhook",
    keywords: ["api/webhooks/"],
    pattern: /(discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/[\w-]{60,72})/g,
    anchored: false,
    entropyMin: 3,
    kind: "prefix",
  },
  format("sourcegraph-token", "sgp_", "sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}", 3),
  format(
    "square-token",
    ["sq0atp-", "sq0csp-", "eaaa"],
    `(?:EAAA${WD}{40,62}|sq0(?:atp|csp)-${WD}{22,60})`,
    3,
  ),
  format(
    "stripe-key",
    ["sk_live", "rk_live", "sk_test", "rk_test", "sk_prod", "rk_prod", "whsec_"],
    `(?:[sr]k_(?:test|live|prod)_${W}{16,120}|whsec_${W}{32,64})`,
    3,
  ),
  {
    id: "telegram-bot-token",
    keywords: ["telegr", ":aa"],
    pattern: /(?<![A-Za-z0-9])([0-9]{8,10}:AA[\w-]{33})(?![\w-])/g,
    anchored: false,
    entropyMin: 3.5,
    kind: "prefix",
  },
  format("typeform-token", "tfp_", "tfp_[\\w.=-]{59}", 3),
  {
    id: "vault-token",
    keywords: ["hvs.", "hvb."],
    pattern: /(?<![\w.])(hv[sb]\.[\w-]{90,300})(?![\w-])/y,
    anchored: true,
    entropyMin: 3.5,
    kind: "prefix",
  },
  {
    id: "vault-legacy-token",
    keywords: ["token: s.", "token=s.", "token s.", 'token": "s.', "vault"],
    pattern: /(?<![\w.])(s\.(?=[A-Za-z0-9]{0,23}\d)(?=[A-Za-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24})(?![\w.(])/g,
    anchored: false,
    entropyMin: 3.8,
    kind: "prefix",
  },
  format("yandex-key", "aqvn", `AQVN${WD}{35,38}`, 3.5),
  format("xai-key", "xai-", `xai-${W}{80}`, 3.5),
  format("mailgun-key", "key-", "key-[a-f0-9]{32}", 3),
  formatAround("mailchimp-key", "-us", "[a-f0-9]{32}-us\\d{1,2}(?=[\"'`\\s;]|$)", 3.2),
  format("service-key", "service_sk_", "service_sk_[A-Za-z0-9_-]{16,120}", 3),
];

const HEX32 = "[a-f0-9]{32}";
const ASSIGNMENTS: readonly SecretRule[] = [
  assigned(
    ["adafruit", "fastly", "codecov", "algolia", "flickr", "droneci", "bittrex", "asana", "nytimes"],
    "[\\w=-]{32}",
    3.2,
  ),
  assigned(["airtable"], "[a-z0-9]{17}", 3.2),
  assigned(["alibaba", "twitch", "plaid"], "[a-z0-9]{30}", 3.2),
  assigned(["atlassian", "confluence", "jira"], "[a-z0-9]{20}[a-f0-9]{4}", 3.5),
  assigned(["beamer"], "b_[\\w=-]{44}"),
  assigned(
    ["bitbucket", "coinbase", "confluent", "freshbooks", "discord", "sentry", "jfrog", "artifactory"],
    "[\\w=-]{64}",
    3.2,
  ),
  assigned(["adobe", "facebook", "finicity", "linear", "bitbucket"], HEX32, 3.2),
  {
    ...assigned(["meraki"], "[0-9a-f]{40}", 3.2),
    pattern:
      /(?:meraki|Meraki|MERAKI)[ \t\w.-]{0,20}["'`\s]{0,3}(?:=>|:|=|,)["'`\s=]{0,5}([0-9a-f]{40})(?![\w-])/y,
  },
  assigned(
    ["cloudflare", "gitter", "launchdarkly", "zendesk", "datadog", "sendbird", "cohere", "sonar"],
    "[\\w-]{40}",
    3.5,
  ),
  assigned(["contentful"], "[\\w=-]{43}", 3.5),
  assigned(["dropbox"], "(?:[a-z0-9]{15}|sl\\.[\\w=-]{130,140})", 3.2),
  assigned(["etsy", "looker"], "[a-z0-9]{24}", 3.5),
  assigned(["finnhub"], "[a-z0-9]{20}", 3.2),
  assigned(["heroku", "hubspot", "kucoin", "snyk", "squarespace", "sendbird", "messagebird"], UUID, 3),
  assigned(["intercom"], "[\\w=-]{60}", 3.2),
  assigned(["kraken"], "[\\w/=+-]{80,90}", 3.5),
  assigned(["mapbox"], "pk\\.[a-z0-9]{60}\\.[a-z0-9]{22}"),
  assigned(["mattermost"], "[a-z0-9]{26}", 3.5),
  assigned(["netlify"], "[\\w=-]{40,46}", 3.5),
  {
    ...assigned(["okta"], "00[\\w-]{40}", 4),
    pattern:
      /(?<![A-Za-z0-9])(?:okta|Okta|OKTA)[ \t\w.-]{0,20}["'`\s]{0,3}(?:=>|:|=|,)["'`\s=]{0,5}(00[\w-]{40})(?![\w-])/y,
  },
  assigned(["rapidapi"], "[\\w-]{50}", 3.5),
  {
    ...assigned(["sumologic", "sumo_"], "su[a-zA-Z0-9]{12}"),
    pattern:
      /(?:SUMO|[Ss]umo)[ \t\w.-]{0,20}["'`\s]{0,3}(?:=>|:|=)["'`\s=]{0,5}(su[a-zA-Z0-9]{12}|[a-zA-Z0-9]{64})(?![\w-])/y,
  },
  {
    ...assigned(["sourcegraph"], "[a-fA-F0-9]{40}"),
    pattern: /sourcegraph[ \t\w.-]{0,20}["'`\s]{0,3}(?:=>|:|=|,)["'`\s=]{0,5}([a-fA-F0-9]{40})(?![\w-])/iy,
  },
  assigned(["twilio"], "(?:SK)?[0-9a-f]{32}", 3.2),
  assigned(["travis"], "[a-z0-9]{22}", 3.5),
  assigned(
    ["twitter"],
    "(?:[a-z0-9]{25}|[a-z0-9]{45}|[a-z0-9]{50}|A{22}[a-z0-9%]{80,100}|[0-9]{15,25}-[a-z0-9]{20,40})",
    3.2,
  ),
];

const CURL_VALUE = "[\\w=~@.+/-]";
const CURL: readonly SecretRule[] = [
  {
    id: "curl-auth-header",
    keywords: [
      "authorization:",
      "apikey:",
      "api-key:",
      "api-token:",
      '-h "token:',
      "-apikey:",
      "x-auth-token:",
    ],
    pattern: new RegExp(
      `(?:-H|--header)[= \\t]{0,5}["'](?:authorization:\\s{0,5}(?:(?:bearer|token|api-token)\\s{1,3})?|(?:[a-z]{1,20}-){0,2}(?:api-?key|api-?token|token|auth-token|access-token):\\s{0,5})(${CURL_VALUE}{8,1200})["']`,
      "gi",
    ),
    anchored: false,
    entropyMin: 2.7,
    kind: "assigned",
  },
  {
    id: "basic-auth-header",
    keywords: ["authorization: basic"],
    pattern: /authorization: basic\s{1,3}([A-Za-z0-9+/]{8,300}={0,3})(?=["'])/iy,
    anchored: true,
    entropyMin: 2.9,
    kind: "assigned",
  },
  {
    id: "authorization-header",
    keywords: ["authorization"],
    pattern: /authorization["']?\s{0,3}[:=]\s{0,3}["']?bearer\s{1,3}((?!eyJ)[\w=~@.+/-]{24,1200})/iy,
    anchored: true,
    entropyMin: 3.5,
    kind: "assigned",
  },
  {
    id: "curl-auth-user",
    keywords: ["curl"],
    pattern:
      /curl\b[^\n]{0,400}?(?:\\\n[^\n]{0,300}){0,5}?[\s](?:-u|--user)[= \t]{0,5}("[^"\n]{0,80}"(?::"[^"\n]{1,80}")?|'[^'\n]{1,120}'|[\w$@.%+!#-]{1,60}:'[^'\n]{3,80}'|[\w$@.%+!#-]{1,60}:[\w$@.%+!#-]{3,80})/y,
    anchored: true,
    entropyMin: 2,
    kind: "assigned",
  },
];

const GENERIC: readonly SecretRule[] = [
  {
    id: "url-credentials",
    keywords: ["://"],
    pattern: /:\/\/[^\s:@/"'<>{}$%*]{1,60}:([^\s:@/"'<>{}$*]{6,100})@[\w.-]{3,100}/y,
    anchored: true,
    entropyMin: 2.8,
    kind: "generic",
  },
  {
    id: "aws-secret-key",
    keywords: ["secret_access_key", "secretaccesskey"],
    pattern: /secret_?access_?key["'\s:=>]{1,8}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/iy,
    anchored: true,
    entropyMin: 4,
    kind: "assigned",
  },
  {
    id: "generic-api-key",
    keywords: [
      "api_key",
      "apikey",
      "api-key",
      "secret",
      "access_token",
      "accesstoken",
      "auth_token",
      "authtoken",
      "_token",
    ],
    pattern:
      /(?:api[_-]?key|secret(?:[_-]?key)?|access_?token|auth_?token)["'`]?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["'`]?([\w.=+/~-]{16,150})(?=["'`\s;,)}<]|\\[nr"]|$)/iy,
    anchored: true,
    entropyMin: 3.7,
    kind: "generic",
  },
  {
    id: "password-assignment",
    keywords: ["password", "passwd", "passwort"],
    pattern:
      /(?:password|passwd|passwort)["'`]?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["'`]([^\s"'`<>{}$]{10,80})["'`]/iy,
    anchored: true,
    entropyMin: 3.3,
    kind: "generic",
  },
];

export const SECRET_RULES: readonly SecretRule[] = [...FORMATS, ...ASSIGNMENTS, ...CURL, ...GENERIC];
