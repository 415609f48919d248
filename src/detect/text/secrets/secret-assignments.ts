import { UUID } from "./format-rules.ts";
import type { SecretRule } from "./secret-rule.ts";

/** Values of a known shape behind a vendor's name and an assignment. */
const ASSIGN = `[ \\t\\w.-]{0,20}["'\`\\s\\\\]{0,6}(?:=>|:=|:{1,3}|\\?=|=|>|,|\\|\\|)["'\`\\s=\\\\]{0,6}`;
const AFTER = `(?=["'\`\\s;,)}<&]|\\\\{1,3}[nr"']|$)`;

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

const HEX32 = "[a-f0-9]{32}";
const HEX40 = "[a-f0-9]{40}";
export const SECRET_ASSIGNMENTS: readonly SecretRule[] = [
  assigned(
    ["adafruit", "fastly", "codecov", "algolia", "flickr", "droneci", "bittrex", "asana", "nytimes"],
    "[\\w=-]{32}",
    3.2,
  ),
  assigned(["airtable"], "[a-z0-9]{17}", 3.2),
  assigned(["alibaba", "twitch", "plaid"], "[a-z0-9]{30}", 3.2),
  assigned(["assemblyai", "circleci", "deepgram", "serper", "todoist", "wandb"], `(?:${HEX40}|${HEX32})`),
  assigned(["atlassian", "confluence", "jira"], "[a-z0-9]{20}[a-f0-9]{4}", 3.5),
  assigned(
    ["azure_openai", "azureopenai", "openweather", "infura", "privateai", "mistral", "alchemy"],
    "[a-z0-9]{32}",
  ),
  assigned(["beamer"], "b_[\\w=-]{44}"),
  assigned(
    ["bitbucket", "coinbase", "confluent", "freshbooks", "discord", "sentry", "jfrog", "artifactory"],
    "[\\w=-]{64}",
    3.2,
  ),
  assigned(["adobe", "facebook", "finicity", "linear"], HEX32, 3.2),
  assigned(["bitbucket", "discord"], "[\\w=-]{32}", 3),
  {
    ...assigned(["meraki"], "[0-9a-f]{40}", 3.2),
    pattern:
      /(?:meraki|Meraki|MERAKI)[ \t\w.-]{0,20}["'`\s]{0,3}(?:=>|:|=|,)["'`\s=]{0,5}([0-9a-f]{40})(?![\w-])/y,
  },
  assigned(
    ["cloudflare", "gitter", "launchdarkly", "zendesk", "datadog", "sendbird", "cohere", "sonar"],
    "[\\w=-]{40}",
    3.5,
  ),
  assigned(["cloudflare"], "[a-f0-9]{37}"),
  assigned(["confluent"], "[a-z0-9]{16}", 3.2),
  assigned(["plaid"], "access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
  assigned(["sonar"], "sq[upa]_[a-f0-9]{40}"),
  assigned(["new-york-times", "newyorktimes"], "[\\w=-]{32}", 3.2),
  assigned(["civo"], "[a-z0-9]{50}", 3.5),
  assigned(["codeclimate", "serpapi", "virustotal"], "[a-f0-9]{64}"),
  assigned(["contentful"], "[\\w=-]{43}", 3.5),
  assigned(["cursor"], "(?:key|crsr)_[a-f0-9]{64}"),
  assigned(["datadog", "dd_api", "dd_app"], `(?:${HEX40}|[a-z0-9]{32})`, 3.2),
  assigned(["dropbox"], "(?:[a-z0-9]{15}|[a-z0-9]{11}A{10}[\\w=-]{43}|sl\\.[\\w=-]{130,140})", 3.2),
  assigned(["etsy", "looker"], "[a-z0-9]{24}", 3.5),
  assigned(["elevenlabs", "eleven_", "xi-api-key"], "(?:sk_[a-f0-9]{48}|[a-f0-9]{32})"),
  assigned(["exoscale", "upstage"], "(?:up_)?[\\w-]{40}", 3.5),
  assigned(["finnhub", "finicity"], "[a-z0-9]{20}", 3.2),
  assigned(["fireworks"], "fw_[A-Za-z0-9]{20,24}", 3.2),
  assigned(["gocardless"], "live_[\\w=-]{40}", 3.5),
  assigned(
    [
      "heroku",
      "hubspot",
      "kucoin",
      "snyk",
      "squarespace",
      "sendbird",
      "messagebird",
      "codecov",
      "scaleway",
      "scw_",
      "railway",
      "opsgenie",
      "postmark",
    ],
    UUID,
    3,
  ),
  assigned(["infomaniak"], "[\\w-]{72}", 3.5),
  assigned(["intercom"], "[\\w=-]{60}", 3.2),
  assigned(["ionic"], "ion_[A-Za-z0-9]{42}", 3.2),
  assigned(["jenkins"], "[a-f0-9]{32,34}"),
  assigned(["jfrog", "artifactory", "bintray", "xray"], "[a-z0-9]{64,73}", 3.2),
  assigned(["kraken"], "[\\w/=+-]{80,90}", 3.5),
  assigned(["kucoin"], "[a-f0-9]{24}"),
  assigned(["linkedin", "linked_in", "linked-in"], "(?:WPL_AP1\\.)?[a-z0-9]{14,16}(?:\\.[\\w=]{4,12})?", 3),
  assigned(
    ["lob_", "lob-", "lobtoken", "lobkey", "lobsecret", "lobapi"],
    "(?:live|test)_(?:pub_)?[a-f0-9]{31,35}",
  ),
  assigned(["mailgun"], "(?:pubkey-[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})"),
  assigned(["messagebird", "message_bird", "message-bird"], "[a-z0-9]{25}", 3.2),
  assigned(["mapbox"], "pk\\.[a-z0-9]{60}\\.[a-z0-9]{22}"),
  assigned(["mattermost"], "[a-z0-9]{26}", 3.5),
  assigned(["netlify"], "[\\w=-]{40,46}", 3.5),
  assigned(["new-relic", "newrelic", "new_relic"], "[a-z0-9]{64}", 3.5),
  assigned(["ollama"], `${HEX32}\\.[\\w-]{24}`),
  {
    ...assigned(["okta"], "00[\\w-]{40}", 4),
    pattern:
      /(?<![A-Za-z0-9])(?:okta|Okta|OKTA)[ \t\w.-]{0,20}["'`\s]{0,3}(?:=>|:|=|,)["'`\s=]{0,5}(00[\w-]{40})(?![\w-])/y,
  },
  assigned(["rapidapi"], "[\\w-]{50}", 3.5),
  assigned(["contribsys"], "[a-f0-9]{8}:[a-f0-9]{8}", 2.5),
  assigned(["resend"], "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", 3.5),
  assigned(["square"], "EAAA[\\w-]{22,60}", 3.2),
  assigned(["telegr"], "[0-9]{5,16}:A[\\w-]{34}", 3.5),
  assigned(["voyage"], "pa-[\\w-]{43}", 3.5),
  assigned(["yandex"], "YC[\\w-]{38}", 3.5),
  {
    ...assigned(["sumologic", "sumo"], "su[a-zA-Z0-9]{12}"),
    pattern:
      /(?<![A-Za-z])(?:SUMO|[Ss]umo)[ \t\w.-]{0,20}["'`\s\\]{0,5}(?:=>|:{1,3}|\?=|=|>|,)["'`\s=\\]{0,6}(su[a-zA-Z0-9]{12}|[a-zA-Z0-9]{64})(?![\w-])/y,
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
