import { CONNECTION_STRINGS } from "./connection-strings.ts";
import { FURTHER_FORMATS } from "./further-formats.ts";
import { SECRET_ASSIGNMENTS } from "./secret-assignments.ts";
import { SECRET_FORMATS } from "./secret-formats.ts";
import type { SecretRule } from "./secret-rule.ts";

/** Credentials in headers, logins and assignments to names that say so; and the list of all rules. */
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
    keywords: ["authorization"],
    pattern:
      /authorization\\{0,3}["']?\s{0,3}(?:=>|[:=,])\s{0,3}\\{0,3}["']?basic\s{1,3}([A-Za-z0-9+/]{8,300}={0,2})(?![A-Za-z0-9+/=])/iy,
    anchored: true,
    entropyMin: 2.9,
    kind: "assigned",
  },
  {
    id: "authorization-header",
    keywords: ["authorization"],
    pattern:
      /authorization\\{0,3}["']?\s{0,3}(?:=>|[:=,])\s{0,3}\\{0,3}["']?bearer\s{1,3}((?!eyJ)[\w=~@.+/-]{24,1200})/iy,
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

/**
 * Between a name and its value, also where both stand in JSON within JSON, in brackets ("environ["API_TOKEN"]
 * = …") or in a sentence.
 */
const ASSIGNS =
  "(?:\\\\{0,3}[\"'`])?\\]?[ \\t]{0,4}(?:string )?(?:(?<=[ \\t])is[ \\t]|>\\s{0,12}|(?:=>|:{1,3}=|[?.]?=|:|,)[ \\t]{0,4}\\\\{0,3})";
const ENDS = "(?=[\"'`\\s;,)}\\]<&|]|\\\\{1,3}[nr\"']|$)";
const NAMES_OF_TOKENS = [
  "token",
  "access_key",
  "accesskey",
  "private_key",
  "private-key",
  "credential",
  "credentials",
  "_key",
];
const ASSIGNMENTS = ["=", " =", ":", " :", '"', "'", "`", "\\", ">", " ?=", " .=", " is ", " string ="];
/** What a list of variables has between a name and its value, white space as one space. */
const VALUE_FIELDS = [" value:", '" value:', '", "value"', '","value"', "' value:"];

const GENERIC: readonly SecretRule[] = [
  {
    id: "url-credentials",
    keywords: ["://"],
    // A cache's address often has a password and no name. A port and the fields behind it are none.
    pattern: /:\/\/[^\s:@/"'<>{}$%*]{0,60}:(?!\d{1,5};)([^\s:/"'<>{}$]{6,100})@[\w.-]{3,100}/y,
    anchored: true,
    entropyMin: 2.3,
    kind: "generic",
  },
  {
    id: "aws-secret-key",
    keywords: ["secret_access_key", "secretaccesskey", "aws_secret_key", "awssecretkey"],
    pattern: /secret_?(?:access_?)?key(?:_?token)?["'`\s:=>?,\\]{1,8}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/iy,
    anchored: true,
    entropyMin: 4,
    kind: "assigned",
  },
  {
    // Not behind a colon: the last part of `arn:…:secret:name` names a secret and is none.
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
    ],
    pattern: new RegExp(
      `(?<!:)(?:api[_-]?key|secret(?:[_-]?(?:key|token|string|value))?|access_?token|auth_?token)${ASSIGNS}["'\`]?([\\w.=+/~%-]{16,150})${ENDS}`,
      "iy",
    ),
    anchored: true,
    entropyMin: 3.7,
    kind: "generic",
  },
  {
    id: "aws-session-token",
    keywords: ["session_token", "sessiontoken"],
    pattern: new RegExp(
      `session_?token${ASSIGNS}["'\`]?([A-Za-z0-9+/]{100,2000}={0,2})(?![A-Za-z0-9+/=])`,
      "iy",
    ),
    anchored: true,
    entropyMin: 4,
    kind: "assigned",
  },
  {
    // Names that end so hold many things (the token of a page, the key of a row): `holds` asks for more.
    id: "generic-token",
    keywords: NAMES_OF_TOKENS.flatMap((name) => ASSIGNMENTS.map((sign) => name + sign)),
    pattern: new RegExp(
      `(?<!:)(?:token|access_?key|private[_-]?key|credentials?|_key)${ASSIGNS}["'\`]?([\\w.=+/~%-]{20,600})${ENDS}`,
      "iy",
    ),
    anchored: true,
    entropyMin: 3.7,
    kind: "generic",
  },
  {
    // `- name: API_TOKEN` with its `value:` on the next line, `{"name": "API_TOKEN", "value": …}`.
    id: "listed-variable",
    keywords: ["_token", "_key", "_secret"].flatMap((name) => VALUE_FIELDS.map((field) => name + field)),
    pattern: new RegExp(
      `_(?:token|key|secret)\\\\{0,3}["']?,?\\s{1,40}\\\\{0,3}["']?value\\\\{0,3}["']?[ \\t]{0,2}:[ \\t]{0,3}\\\\{0,3}["']?([\\w.=+/~%-]{20,600})${ENDS}`,
      "gi",
    ),
    anchored: false,
    entropyMin: 3.7,
    kind: "generic",
  },
  {
    // Of the cluster's answer the data stands before the kind, of a manifest mostly behind it.
    id: "kubernetes-secret",
    keywords: ["kind: secret", "apiversion: v1 data:", '"apiversion": "v1", "data": {'],
    pattern:
      /(?:\bkind: ?["']?Secret["']?\s(?:(?!---)[\s\S]){0,400}?\bdata:\s{1,12}[\w.-]{1,60}: ?["']?([A-Za-z0-9+/]{12,1000}={0,2})(?=["']?(?:\s|$))|\bapiVersion: v1\s{1,12}data:\s{1,12}[\w.-]{1,60}: ?["']?([A-Za-z0-9+/]{12,1000}={0,2})["']?\s(?:(?!---)[\s\S]){0,900}?\bkind: Secret\b|"apiVersion": ?"v1",\s{1,24}"data": ?\{\s{1,24}"[\w.-]{1,60}": ?"([A-Za-z0-9+/]{12,1000}={0,2})"[\s\S]{0,900}?"kind": ?"Secret")/g,
    anchored: false,
    entropyMin: 2.8,
    kind: "assigned",
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

export const SECRET_RULES: readonly SecretRule[] = [
  ...SECRET_FORMATS,
  ...FURTHER_FORMATS,
  ...SECRET_ASSIGNMENTS,
  ...CURL,
  ...GENERIC,
  ...CONNECTION_STRINGS,
];
