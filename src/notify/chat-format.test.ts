import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatBody, type NotificationBody, targetOf } from "./chat-format.ts";

const body: NotificationBody = {
  event: "failure_group.first_occurrence",
  project_id: "proj_7Hq",
  failure_group: {
    id: "fg_1",
    class: "mcp_tool_drift",
    signature: "v1:0123456789abcdef",
    first_seen_at: "2026-03-01T12:00:00.000Z",
    severity: "high",
  },
  playbook_url: "https://app.example.com/app/playbooks/mcp_tool_drift",
};

interface Slack {
  text: string;
  mrkdwn: boolean;
  attachments: {
    color: string;
    title_link: string;
    text: string;
    ts: number;
    fields: { title: string; value: string; short: boolean }[];
  }[];
}
interface Discord {
  allowed_mentions: { parse: string[] };
  embeds: {
    title: string;
    url?: string;
    description: string;
    color: number;
    timestamp: string;
    fields: { name: string; value: string }[];
    footer: { text: string };
  }[];
}
const firstSeenAt = new Date(body.failure_group.first_seen_at);
const slack = (of: NotificationBody, owedAt = firstSeenAt): Slack =>
  JSON.parse(formatBody("slack", JSON.stringify(of), owedAt));
const discord = (of: NotificationBody, owedAt = firstSeenAt): Discord =>
  JSON.parse(formatBody("discord", JSON.stringify(of), owedAt));
const withGroup = (group: Partial<NotificationBody["failure_group"]>): NotificationBody => ({
  ...body,
  failure_group: { ...body.failure_group, ...group },
});

describe("targetOf", () => {
  const cases: [string, string][] = [
    ["https://hooks.slack.com/services/T/B/x", "slack"],
    ["https://HOOKS.slack.com./services/T/B/x", "slack"],
    ["https://discord.com/api/webhooks/1/x", "discord"],
    ["https://discordapp.com/api/webhooks/1/x", "discord"],
    ["https://ptb.discord.com/api/webhooks/1/x", "discord"],
    ["https://canary.discordapp.com/api/v10/webhooks/1/x?wait=true", "discord"],
    ["https://discord.com/api/webhooks/1/x/slack", "slack"],
    ["https://discord.com/elsewhere", "json"],
    ["https://evil.com/hooks.slack.com/", "json"],
    ["https://hooks.slack.com.evil.com/", "json"],
    ["https://nothooks.slack.com/", "json"],
    ["https://www.discord.com/api/webhooks/1/x", "json"],
    ["https://xdiscord.com/api/webhooks/1/x", "json"],
  ];
  for (const [url, target] of cases) {
    test(`${url} is ${target}`, () => expect<string>(targetOf(new URL(url))).toBe(target));
  }
});

test("the plain target gets the stored text, byte for byte", () => {
  const odd = '{ "event":"x",\n"n":1.0, "t":"\\u00fc" }';
  expect(formatBody("json", odd, firstSeenAt)).toBe(odd);
});

describe("slack", () => {
  test("carries every fact", () => {
    const { text, mrkdwn, attachments } = slack(body);
    expect(text).toBe("mcp_tool_drift (high): first occurrence");
    expect(mrkdwn).toBe(false);
    expect(attachments).toHaveLength(1);
    expect(attachments[0]!.color).toBe("#f97316");
    expect(attachments[0]!.title_link).toBe(body.playbook_url);
    expect(attachments[0]!.ts).toBe(1_772_366_400);
    expect(attachments[0]!.fields.map((field) => field.value)).toEqual([
      "mcp_tool_drift",
      "high",
      "proj_7Hq",
      "fg_1",
      "v1:0123456789abcdef",
      "2026-03-01T12:00:00.000Z",
    ]);
  });

  test("escapes the three control characters, so that no mention or link is formed", () => {
    const { fields } = slack(withGroup({ signature: "<!channel> & <@U1> &amp;" })).attachments[0]!;
    expect(fields[4]!.value).toBe("&lt;!channel&gt; &amp; &lt;@U1&gt; &amp;amp;");
  });
});

describe("discord", () => {
  test("carries every fact", () => {
    const { embeds, allowed_mentions } = discord(body);
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(embeds).toHaveLength(1);
    expect(embeds[0]!.title).toBe("mcp_tool_drift \\(high\\): first occurrence");
    expect(embeds[0]!.url).toBe(body.playbook_url);
    expect(embeds[0]!.timestamp).toBe("2026-03-01T12:00:00.000Z");
    expect(embeds[0]!.fields.map((field) => field.value)).toEqual([
      "`mcp_tool_drift`",
      "`high`",
      "`proj_7Hq`",
      "`fg_1`",
      "`v1:0123456789abcdef`",
      "`2026-03-01T12:00:00.000Z`",
    ]);
  });

  test("leaves out a link that the platform would refuse the whole message for", () => {
    for (const playbookUrl of [
      "http://localhost:8080/app/playbooks/x",
      "http://ats:8080/app/playbooks/x",
      "http://127.0.0.1:8080/app/playbooks/x",
      "http://[::1]:8080/app/playbooks/x",
    ]) {
      const { embeds } = discord({ ...body, playbook_url: playbookUrl });
      expect(embeds[0]!.url).toBeUndefined();
      expect(embeds[0]!.description).toContain(playbookUrl);
    }
  });

  test("no text breaks out of its code span, none pings", () => {
    const { embeds } = discord(withGroup({ class: "@everyone **x**", signature: "` @here `", id: "" }));
    expect(embeds[0]!.fields[4]!.value).toBe("`@here`");
    expect(embeds[0]!.fields[3]!.value).toBe("`-`");
    expect(embeds[0]!.title).not.toContain("@everyone");
    expect(embeds[0]!.title).toContain("\\*\\*x\\*\\*");
  });
});

test("whatever the texts, both messages stay inside the documented limits", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }).map((piece) => `${piece}😀<&@\`_*`.repeat(900)),
  );
  fc.assert(
    fc.property(text, text, text, text, (id, failureClass, signature, projectId) => {
      const of = { ...withGroup({ id, class: failureClass, signature }), project_id: projectId };
      const message = discord(of);
      const embed = message.embeds[0]!;
      expect(embed.title.length).toBeLessThanOrEqual(256);
      expect(embed.description.length).toBeLessThanOrEqual(4_096);
      let total = embed.title.length + embed.description.length + embed.footer.text.length;
      for (const field of embed.fields) {
        expect(field.value.trim().length).toBeGreaterThan(0);
        expect(field.value.length).toBeLessThanOrEqual(1_024);
        total += field.name.length + field.value.length;
      }
      expect(total).toBeLessThanOrEqual(6_000);
      expect(
        [embed.title, ...embed.fields.map((field) => field.value)].every((part) => part.isWellFormed()),
      ).toBe(true);
      const { text: headline, attachments } = slack(of);
      const whole = headline + attachments[0]!.fields.map((field) => field.value).join("");
      expect(whole).not.toMatch(/[<>]/);
      expect(whole.length).toBeLessThanOrEqual(4_000 * 5);
    }),
    { numRuns: 200 },
  );
});

test("a group that was seen before is no first occurrence to its readers", () => {
  const later = new Date(firstSeenAt.getTime() + 1);
  expect(slack(body, later).text).toBe("mcp_tool_drift (high): it happens again");
  expect(discord(body, later).embeds[0]!.title).toContain("it happens again");
});

test("both lead to what to do and to what happened, a test only to the first", () => {
  const links =
    "Playbook: https://app.example.com/app/playbooks/mcp_tool_drift\nWhat happened: https://app.example.com/app/p/proj_7Hq/groups/fg_1";
  expect(slack(body).attachments[0]!.text).toBe(links);
  expect(discord(body).embeds[0]!.description).toBe(links);
  const below = { ...body, playbook_url: "https://h.example/ats/app/playbooks/x" };
  expect(slack(below).attachments[0]!.text).toEndWith("https://h.example/ats/app/p/proj_7Hq/groups/fg_1");
  expect(slack({ ...body, test: true }).attachments[0]!.text).not.toContain("groups");
});

test("a test notification says so", () => {
  expect(slack({ ...body, test: true }).text).toStartWith("Test notification");
  expect(discord({ ...body, test: true }).embeds[0]!.title).toStartWith("Test notification");
});

test("half a surrogate pair, wherever it stands, makes well-formed text of a replacement character", () => {
  const torn: NotificationBody = {
    ...withGroup({ id: "fg_\ud800x", class: "\udc00c", signature: "v1:\udbff", severity: "\ud83d" }),
    project_id: "proj_\udfff😀",
  };
  for (const target of ["slack", "discord"] as const) {
    const message: unknown = JSON.parse(formatBody(target, JSON.stringify(torn), firstSeenAt));
    const texts: string[] = [];
    JSON.stringify(message, (_key, value) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
    expect(texts.join("\n")).toContain(
      "https://app.example.com/app/p/proj_%EF%BF%BD%F0%9F%98%80/groups/fg_%EF%BF%BDx",
    );
    expect(texts.some((text) => text.includes("proj_\ufffd😀"))).toBe(true);
  }
});
