import { argumentsOf } from "../../building-blocks/calls/call-fields.ts";
import type { DetectorEvent } from "../../detector.ts";
import type { FragmentScan } from "../scan-event.ts";
import { parsedArguments } from "../taint/argument-values.ts";
import { secretsOf } from "./find-secrets.ts";
import type { SecretFinding } from "./secret-rule.ts";

/**
 * A file of a program's tests, as its own path says, holds keys that were made for them: key pairs, tokens
 * and logins that anybody makes for himself. What only its vendor gives out opens something wherever it lies,
 * and so does anything that the agent writes or sends: only what a tool gave back is looked at, and only
 * where all paths of the call are of tests.
 */
const OF_TESTS =
  /(?:^|[/\\])(?:[\w-]{0,24}[_.-])?(?:tests?|testing|testdata|test[_-]?(?:data|files?|fixtures?|resources?|documents)|fixtures?|specs?|mocks?|__(?:tests?|fixtures?|mocks?|certs)__|replaydata)[/\\]|(?:[_.-](?:test|spec)|(?:^|[/\\])\.?test(?:_[\w-]{1,60})?)\.\w{1,5}$|\.env\.test(?:ing)?$/i;
/** What stands between the words of an argument, and which of these are a path or a file. */
const BETWEEN = /[\s"'`|;,()=]/;
const PATH = /[/\\]|\.[A-Za-z]\w{1,4}$|^\.\w/;
const ARGUMENTS_MAX = 12;
const ARGUMENT_CHARS = 400;

const MADE_BY_ANYBODY = new Set([
  "private-key",
  "private-key-base64",
  "putty-key",
  "jwt",
  "jwt-base64",
  "basic-auth-header",
  "authorization-header",
  "kubernetes-secret",
]);
const isMadeByAnybody = ({ rule }: SecretFinding): boolean =>
  rule.kind === "generic" || rule.id.startsWith("curl-") || MADE_BY_ANYBODY.has(rule.id);

/** True if all that is found in a tool's answer was made for the tests whose files the call names. */
export function isOfTests(fragment: FragmentScan, { payload }: DetectorEvent): boolean {
  if (fragment.origin !== "tool" || fragment.scan.secrets.length === 0) return false;
  if (!namesTestsAlone(parsedArguments(argumentsOf(payload)))) return false;
  const found = secretsOf(fragment);
  return found.length > 0 && found.every(isMadeByAnybody);
}

function namesTestsAlone(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  let paths = 0;
  for (const value of Object.values(args).slice(0, ARGUMENTS_MAX)) {
    if (typeof value !== "string") continue;
    if (value.length > ARGUMENT_CHARS) return false;
    for (const word of value.split(BETWEEN)) {
      if (!PATH.test(word)) continue;
      if (!OF_TESTS.test(word)) return false;
      paths++;
    }
  }
  return paths > 0;
}
