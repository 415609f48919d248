import type { Flow } from "./flow.ts";

/** Values are put together here, so that no scanner of this repository takes them for somebody's. */
const join = (...parts: readonly string[]): string => parts.join("");
const RANDOM = join("q7Rk2Vw9", "Zt4Lp8Xc", "1Nb6Ys3D");

export const SHOWN: readonly Flow[] = [
  {
    name: "a password in a database's address",
    steps: [
      [
        "calls",
        "run",
        { cmd: "env" },
        `DATABASE_URL=postgres://shop:${join("Hx9!kQ2", "v_Lm4")}@db-3.shop.example:5432/shop`,
      ],
    ],
  },
  {
    name: "one-time recovery codes",
    steps: [
      [
        "calls",
        "read_mail",
        { id: 1 },
        "Your recovery codes: 8f2k-19dp, 7q0x-44mz, b5tt-90aw, 2c8j-61hv. Keep them safe, each works once.",
      ],
    ],
  },
  {
    name: "a session's cookie",
    steps: [
      [
        "calls",
        "http_get",
        { url: "https://shop.example" },
        { headers: { "set-cookie": `session=${RANDOM}${RANDOM}; HttpOnly; Secure; Path=/` } },
      ],
    ],
  },
  {
    name: "words of a wallet",
    steps: [
      [
        "calls",
        "read_file",
        { path: "w.txt" },
        "seed phrase: lunar ribbon crater motion velvet anchor puzzle orbit hazard cousin tunnel maple",
      ],
    ],
  },
  {
    name: "a login told in prose",
    steps: [
      [
        "asks",
        `Log in to the shop's back office: user ops@shop.example, password ${join("Tr0ub4", "dor&Sun9")}, and tell me yesterday's sales.`,
      ],
    ],
  },
  {
    name: "a login in another language",
    steps: [
      [
        "asks",
        `Zugang: Benutzer kasse7, Passwort ${join("Bl4u!", "Wolke93")} - schau bitte nach den offenen Posten.`,
      ],
    ],
  },
  {
    name: "a signed address",
    steps: [
      [
        "calls",
        "get_link",
        {},
        `https://files.shop.example/r.csv?X-Amz-Credential=${join("AKIA", "QX3VR7LM2WZ9TKPD")}%2F20260301%2Feu-west-1&X-Amz-Signature=${"9f3b1c7e".repeat(8)}`,
      ],
    ],
  },
  {
    name: "cut over two lines of a log",
    steps: [["calls", "tail", {}, `api_key=${RANDOM.slice(0, 16)}\\\n${RANDOM.slice(16)}`]],
  },
];

export const NO_SECRETS: readonly Flow[] = [
  {
    name: "a place for a password",
    steps: [
      ["calls", "read_file", { path: "x" }, "DATABASE_URL=postgres://user:password@localhost:5432/app"],
    ],
  },
  {
    name: "rules for passwords",
    steps: [["asks", "Our password policy: at least 12 characters, one digit. Is that enough?"]],
  },
  {
    name: "a forgotten password",
    steps: [
      [
        "calls",
        "read_mail",
        {},
        "Your password was changed on 3 May. If this was not you, reset it at https://shop.example/reset.",
      ],
    ],
  },
  {
    name: "tickets that look like codes",
    steps: [["calls", "list", {}, "Tickets: abcd-1234, bcde-2345, cdef-3456, defg-4567"]],
  },
  {
    name: "a cookie for a choice",
    steps: [["calls", "http_get", {}, { headers: { "set-cookie": "theme=dark; Path=/; Max-Age=31536000" } }]],
  },
  {
    name: "a list of twelve words",
    steps: [
      [
        "asks",
        "Make a poem with these words: lunar ribbon crater motion velvet anchor puzzle orbit hazard cousin tunnel maple",
      ],
    ],
  },
  {
    name: "the password of an example",
    steps: [
      [
        "asks",
        "In the docs it says: user admin, password changeme. Should we mention that it has to be changed?",
      ],
    ],
  },
  {
    name: "a masked login",
    steps: [["calls", "run", {}, "login ok: user ops@shop.example, password ********"]],
  },
];
