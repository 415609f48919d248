/**
 * What is sent for a stored notification body: the body itself, or for the two chat platforms a message in
 * their own format. Invariant: whatever text a group carries, the result is a message that the platform
 * accepts — inside its documented limits, no field empty, nobody pinged. Pure; a body of a shape unknown here
 * throws (a defect of ours).
 */

export type Target = "json" | "slack" | "discord";

export interface NotificationBody {
  event: string;
  project_id: string;
  test?: boolean;
  failure_group: { id: string; class: string; signature: string; first_seen_at: string; severity: string };
  playbook_url: string;
}

const SLACK_HOST = "hooks.slack.com";
const DISCORD_HOST = /^(?:(?:ptb|canary)\.)?(?:discord|discordapp)\.com$/;
const DISCORD_PATH = /^\/api\/(?:v\d+\/)?webhooks\//;

/** Discord takes Slack's format at `…/slack`, and whoever configured that address wants it. */
const DISCORD_SLACK_PATH = /\/slack\/?$/;

export function targetOf(url: URL): Target {
  const host = url.hostname.replace(/\.$/, "");
  if (host === SLACK_HOST) return "slack";
  if (!DISCORD_HOST.test(host) || !DISCORD_PATH.test(url.pathname)) return "json";
  return DISCORD_SLACK_PATH.test(url.pathname) ? "slack" : "discord";
}

/** The bytes to send, as text. `owedAt` is when the notification came to be owed. */
export function formatBody(target: Target, storedBody: string, owedAt: Date): string {
  if (target === "json") return storedBody;
  // Half a surrogate pair has no place in an address, nor in UTF-8.
  const body = JSON.parse(storedBody, (_key, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  ) as NotificationBody;
  const news = { headline: headline(body, owedAt), links: links(body), ...body };
  return JSON.stringify(target === "slack" ? slackMessage(news) : discordMessage(news));
}

interface News extends NotificationBody {
  headline: string;
  links: readonly (readonly [name: string, url: string])[];
}

const COLOR_BY_SEVERITY: Readonly<Record<string, number>> = {
  low: 0x3b82f6,
  medium: 0xeab308,
  high: 0xf97316,
  critical: 0xdc2626,
};
const COLOR_OTHERWISE = 0x6b7280;

function color(body: NotificationBody): number {
  return COLOR_BY_SEVERITY[body.failure_group.severity] ?? COLOR_OTHERWISE;
}

/** A group that was first seen before its news came to be owed has regressed, or its cooldown was over. */
function headline(body: NotificationBody, owedAt: Date): string {
  const { class: failureClass, severity, first_seen_at: firstSeenAt } = body.failure_group;
  if (body.test === true) return `Test notification: ${failureClass} (nothing has happened)`;
  const isAgain = Date.parse(firstSeenAt) < owedAt.getTime();
  return `${failureClass} (${severity}): ${isAgain ? "it happens again" : "first occurrence"}`;
}

const PLAYBOOK_PATH = /\/app\/playbooks\/[^/]*$/;

/** What to do, and where to see what happened. A test's group exists nowhere. */
function links(body: NotificationBody): News["links"] {
  const playbook = ["Playbook", body.playbook_url] as const;
  if (body.test === true || !PLAYBOOK_PATH.test(body.playbook_url)) return [playbook];
  const [project, group] = [body.project_id, body.failure_group.id].map(encodeURIComponent);
  const path = `/app/p/${project}/groups/${group}`;
  return [playbook, ["What happened", body.playbook_url.replace(PLAYBOOK_PATH, () => path)]];
}

function facts(body: NotificationBody): readonly (readonly [name: string, value: string])[] {
  const group = body.failure_group;
  return [
    ["Class", group.class],
    ["Severity", group.severity],
    ["Project", body.project_id],
    ["Failure group", group.id],
    ["Signature", group.signature],
    ["First seen", group.first_seen_at],
  ];
}

// Slack
// --------------------------------------------------------------------------------------------------------------

/**
 * Slack states no hard limit for attachment texts; its posting guide asks for at most 4,000 characters of
 * text.
 */
const SLACK_FIELD_CHARS_MAX = 500;
const SLACK_LINK_CHARS_MAX = 1_900;

function slackMessage(body: News): unknown {
  const title = slackText(body.headline, 250);
  return {
    text: title,
    // Neither here nor in the attachment is markup wanted: `*`, `_` and backticks in names stay what they
    // are.
    mrkdwn: false,
    attachments: [
      {
        fallback: title,
        color: `#${color(body).toString(16).padStart(6, "0")}`,
        title: "Playbook",
        title_link: body.playbook_url,
        // An address by itself becomes a link.
        text: body.links.map(([name, url]) => slackText(`${name}: ${url}`, SLACK_LINK_CHARS_MAX)).join("\n"),
        fields: facts(body).map(([name, value]) => ({
          title: name,
          value: slackText(value, SLACK_FIELD_CHARS_MAX),
          short: true,
        })),
        footer: "Agent Telemetry Service",
        ts: Math.floor(Date.parse(body.failure_group.first_seen_at) / 1_000),
        mrkdwn_in: [],
      },
    ],
  };
}

/** The three characters that Slack asks to escape; with `<` and `&` gone no mention or link can be formed. */
function slackText(text: string, charsMax: number): string {
  return clip(text, charsMax).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

// Discord
// ------------------------------------------------------------------------------------------------------------

/**
 * Documented: title 256, description 4096, 25 fields of name 256 and value 1024, footer 2048, 6000 in all.
 */
const DISCORD_TITLE_CHARS_MAX = 256;
const DISCORD_FIELD_CHARS_MAX = 450;
const DISCORD_LINK_CHARS_MAX = 1_400;

function discordMessage(body: News): unknown {
  const url = discordUrl(body.playbook_url);
  return {
    // Without this a name such as `@everyone` would ping.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: discordText(body.headline, DISCORD_TITLE_CHARS_MAX),
        ...(url === null ? {} : { url }),
        description: body.links
          .map(([name, url]) => `${name}: ${clip(url, DISCORD_LINK_CHARS_MAX)}`)
          .join("\n"),
        color: color(body),
        timestamp: body.failure_group.first_seen_at,
        fields: facts(body).map(([name, value]) => ({
          name,
          value: discordCode(value, DISCORD_FIELD_CHARS_MAX),
          inline: true,
        })),
        footer: { text: "Agent Telemetry Service" },
      },
    ],
  };
}

/** Discord refuses a message whose embed links to a host without a dot, such as localhost. */
function discordUrl(playbookUrl: string): string | null {
  const url = URL.parse(playbookUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || playbookUrl.length > 2_000) return null;
  return /[a-z0-9-]\.[a-z]{2,}$/i.test(url.hostname) ? playbookUrl : null;
}

/**
 * Markdown and mentions made inert. An underscore inside a word, as in every class name, is none and stays.
 */
function discordText(text: string, charsMax: number): string {
  const escaped = text.replace(/[\\`*~|>#[\]()<]|(?<!\w)_|_(?!\w)/g, "\\$&").replaceAll("@", "@\u200b");
  return clip(escaped, charsMax);
}

/** A code span: nothing in it is markup or a mention. It must not be empty, nor end early. */
function discordCode(text: string, charsMax: number): string {
  const inner = text.replace(/[`\s]+/g, " ").trim();
  return `\`${clip(inner === "" ? "-" : inner, charsMax - 2)}\``;
}

/** At most `charsMax` UTF-16 units, never half a surrogate pair. */
function clip(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return `${text.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
