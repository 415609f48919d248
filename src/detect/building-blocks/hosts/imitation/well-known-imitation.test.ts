import { describe, expect, test } from "bun:test";
import { threadMs } from "../../../../../test/support/thread-time.ts";
import { SERVICES } from "./well-known-hosts.ts";
import { wellKnownImitated } from "./well-known-imitation.ts";

const imitated = (host: string) => {
  const found = wellKnownImitated(host);
  return found === null ? null : `${found.of} ${found.manner}`;
};

describe("wellKnownImitated", () => {
  test.each([
    ["openai.com.evil.example", "openai.com whole-name"],
    ["api.openai.com.evil.example", "openai.com whole-name"],
    ["github.com-login.example", "github.com whole-name"],
    ["github-com.signin.example", "github.com whole-name"],
    ["paypa1.com.evil.example", "paypal.com whole-name"],
    ["github-com-login.vercel.app", "github.com whole-name"],
    ["paypa1.com", "paypal.com drawn-alike"],
    ["rnicrosoft.com", "microsoft.com drawn-alike"],
    ["s3.arnazonaws.com", "amazonaws.com drawn-alike"],
    ["api.opena1.com", "openai.com drawn-alike"],
    ["ciaude.ai", "claude.ai drawn-alike"],
    ["clropbox.com", "dropbox.com drawn-alike"],
    ["s1ack.com", "slack.com drawn-alike"],
    ["metarnask.webflow.io", "metamask.io drawn-alike"],
    ["githuub.com", "github.com mistyped"],
    ["api.gihtub.com", "github.com mistyped"],
    ["githb.com", "github.com mistyped"],
    ["anthrooic.com", "anthropic.com mistyped"],
    ["cloudfnare.com", "cloudflare.com mistyped"],
    ["huggingfqce.co", "huggingface.co mistyped"],
    ["openqi.com", "openai.com mistyped"],
    ["githubs.com", "github.com mistyped"],
    ["github2.com", "github.com mistyped"],
    ["git-hub.com", "github.com moved"],
    ["git.hub.com", "github.com moved"],
    ["githu.bcom", "github.com moved"],
    ["openai.net", "openai.com other-ending"],
    ["api.anthropic.co", "anthropic.com other-ending"],
    ["openai.com.cn", "openai.com other-ending"],
    ["api-openai.com", "openai.com added-word"],
    ["apiopenai.com", "openai.com added-word"],
    ["wwwgithub.com", "github.com added-word"],
    ["secure-login-paypal.example", "paypal.com added-word"],
    ["dicsord-gift.example", "discord.com added-word"],
    ["slack-login.example", "slack.com added-word"],
    ["discord-nitro.vercel.app", "discord.com added-word"],
    ["anthropic-research.example", "anthropic.com borrowed"],
  ])("%s: %s", (host, expected) => {
    expect(imitated(host)).toBe(expected);
  });

  test.each([
    ...["google.de", "amazon.co.uk", "amazon.com.au", "paypal.fr", "store.google", "microsoft.design"],
    ...["raw.githubusercontent.com", "files.oaiusercontent.com", "paypalobjects.com", "slack-edge.com"],
    ...["login.microsoftonline.com", "bucket.s3.eu-west-1.amazonaws.com", "github.com.s3.amazonaws.com"],
    ...["imgur.com", "fox.com", "box.com", "finance.example", "openapi.example", "spotify.com", "revolt.com"],
    ...[
      "www.paypal.com.edgekey.net",
      "sharepoint.com.dual-spo-0005.spo-msedge.net",
      "github-com.translate.goog",
    ],
    ...["api.openai.com.svc.cluster.local", "github.com.corp.internal", "github", "db1", "node-01.lan"],
    ...["github.company.example", "slack.company.example", "openai.gateway.example"],
    ...[
      "github-readme-stats.vercel.app",
      "stripe.github.io",
      "team-notes.notion.site",
      "amazon-clone.netlify.app",
    ],
    ...["docs.example.com", "apple-pie.example", "zoom.example", "claude.example", "xn--mnchen-3ya.de"],
  ])("%s imitates nobody", (host) => {
    expect(imitated(host)).toBeNull();
  });

  test("no service imitates another or itself", () => {
    const own = SERVICES.flatMap((one) => one.own);
    expect(own.filter((one) => imitated(one) !== null || imitated(`api.${one}`) !== null)).toEqual([]);
  });

  test("names at the limits of length take no longer than others and throw nothing", () => {
    const names = [
      `${"a.".repeat(126)}a`,
      `${"github.com.".repeat(20)}evil.example`,
      `${"github-".repeat(8)}x.example`,
      `${"rn".repeat(31)}.${"vv".repeat(31)}.${"1l".repeat(31)}.${"0o".repeat(30)}`,
      `${"-".repeat(63)}.${"-".repeat(63)}.${"-".repeat(63)}.com`,
      `${".".repeat(253)}`,
      "",
      ".",
      "a.",
      ".com",
      "x".repeat(100_000),
      `${"x".repeat(250)}.openai.com.evil.example`,
    ];
    for (const name of names) expect(() => wellKnownImitated(name)).not.toThrow();
    expect(imitated(names[1]!)).toBe("github.com whole-name");
    const started = threadMs();
    for (let round = 0; round < 600; round++)
      for (const name of names.slice(0, 5)) wellKnownImitated(`${round}${name}`.slice(0, 253));
    // 3,000 names not seen before, of at most 70 µs each: 0.2 s.
    expect(threadMs() - started).toBeLessThan(4_000);
  });
});
