import { expect, test } from "bun:test";
import { toldPassword } from "./told-password.ts";

/** Put together here, so that scanners of this repository find nothing. */
const password = ["Kx7!", "mQ2#vT9z"].join("");
/** What a provider keeps to itself holds every short word, with a mark and a digit behind it. */
const bytes = "Q7/hT2+aXo9KfLz4".repeat(6);
const stream = (...parts: object[]): string =>
  parts.map((part) => `event: content_block_delta\ndata: ${JSON.stringify(part)}\n\n`).join("");

test.each([
  `The password is ${password}.`,
  `pwd: ${password}`,
  `mdp : ${password}`,
  `La clave es ${password}`,
  `WLAN-Passwort: ${password}`,
  `DB_PASSWORD=${password}`,
  `你的密码：${password}`,
  stream({ type: "content_block_delta", delta: { type: "text_delta", text: `password: ${password}` } }),
])("told: %s", (text) => expect(toldPassword(text)?.value).toBe(password));

test.each([
  ["a place", "update?username=[USERNAME]&password=[PASSWORD]&hostname=[DOMAIN]&ip6=1"],
  ["a short word in encoded bytes", `data ${bytes}mdp5/mRAnVZa+9x ${bytes}`],
  ["what goes on behind the longest password", `password: ${bytes}${bytes}`],
  [
    "the bytes of a stream",
    stream({ encrypted_content: `${bytes}mdp el7azItq3/${bytes}`.replace(" ", "/") }),
  ],
  [
    "the bytes of a stream behind a word",
    stream({ name: "password", type: "x" }, { note: `password=${"aB3/dE6+".repeat(12)}` }),
  ],
])("not %s", (_name, text) => expect(toldPassword(text)).toBeNull());
