import { looksLikeJson } from "../../building-blocks/json-text.ts";

/**
 * A call's text as it can be read for what it carries away. Both forms are as long as the text, so that
 * places stay places: escapes of JSON are undone, and what only opens a door or is set up (a key to sign in
 * with, a variable by its name, a file that is written) is blank.
 */
const ESCAPES = /\\(?:[nrt"]|\\)/g;

/** Arguments that came as JSON in a string: `\n` is a line's end and `\"` a quote. */
export function unescaped(text: string): string {
  if (!looksLikeJson(text) || !text.includes("\\")) return text;
  return text.replace(ESCAPES, (one) => (one === '\\"' ? ' "' : one === "\\\\" ? " \\" : " \n"));
}

const OPERAND = `["']{0,1}(?!-)(?![a-z]{2,8}:\\/\\/)[^\\s"'@<]{1,200}`;

/** Where a path or a value is used and not carried. */
const USES: readonly RegExp[] = [
  // Options that name a key, a certificate or a configuration.
  new RegExp(
    `\\s(?:-i|-E|-K|--(?:key|cert|cacert|ca-cert|client-cert|client-key|identity|identity-file|private-key|kubeconfig|netrc-file|env-file|key-file|keyfile|credentials|credentials-file|credential-file|config|config-file|userconfig|from-env-file|cookie-jar|defaults-file|defaults-extra-file|password-file|passphrase-file|pass-file|passfile|token-file|vault-password-file|service-account|account-file|ssh-key|user|certificate|certificate-authority))[\\s=]{1,2}${OPERAND}`,
    "gi",
  ),
  /\s-(?:pass|passin|passout)[\s=]{1,2}(?:file|env):[^\s"']{1,200}/gi,
  /\b(?:IdentityFile|KUBECONFIG|GOOGLE_APPLICATION_CREDENTIALS|AWS_SHARED_CREDENTIALS_FILE|AWS_CONFIG_FILE|NPM_CONFIG_USERCONFIG|DOCKER_CONFIG|PGPASSFILE|GNUPGHOME|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|sslkey|key|cert|cafile|sslcert|sslrootcert)["']?\s{0,2}[:=]\s{0,2}["']?[^\s"';]{1,200}/g,
  /(?:^|[\s;&|(])(?:source|\.)\s["']?[^\s"';&|]{1,200}/g,
  /\$\((?:cat|grep|sed|egrep)[^()|]{0,120}\.env\b[^()]{0,120}xargs[^()]{0,40}\)/g,
  // A header or a user's name that signs in.
  /\b(?:(?:proxy-)?authori[sz]ation|(?:x-|private-|job-|deploy-)?(?:api[-_]?key|auth[-_]?token|access[-_]?token|vault-token|token|gitlab-token))["']?\s{0,2}:\s{0,2}[^\n"']{0,20}["']?[^\n"']{1,300}/gi,
  /\s-u[\s=]{0,2}["']?[^\s"'/:]{1,80}(?::(?:\$\([^)\n]{1,120}\)|[^\s"'/]{0,120}))?(?=[\s"']|$)/g,
  /[?&\s"',{]\w{0,24}(?:token|key|secret|auth|password|passwd|pass)["']?\s{0,2}[=:]\s{0,2}["']?\$\{?\w{1,60}\}?/gi,
  /\b(?:load_dotenv|find_dotenv|dotenv_values|dotenv\.config|loadEnvFile|loadEnv)\([^)\n]{0,160}\)/g,
  /[^\s"'=@(]{0,120}\.pub\b/g,
  // A key that a program of the same machine takes in, and what is fetched to be kept.
  /[^\n;&|]{1,200}\|\s{0,3}(?:kubectl|oc|helm|docker|podman|terraform|psql|mysql|gpg|ssh-add|wc|md5sum|sha\d{1,3}sum)\b[^\n;&|]{0,160}(?=$|[\n;&])/g,
  /\b(?:scp|rsync|sftp)\s(?:-\S{1,30}\s){0,6}(?:[\w.-]{1,40}@)?[\w.-]{1,80}:\S{1,200}\s[^\s:;|&]{1,200}(?=$|[\n;|&])/g,
  /\bs3\s(?:cp|sync|mv)\ss3:\/\/\S{1,200}\s(?!s3:)\S{1,200}/g,
  // Kept by the service that runs the workflows, and shown to nobody.
  /\bgh\s(?:secret|variable)\sset\s[^\n;|&]{1,200}/g,
  // What is written, made or looked at, not read to be sent.
  />{1,2}\s{0,2}["']?[^\s"';&|]{0,120}\.(?:env|netrc|npmrc|pypirc|pgpass|ssh\/[\w.]{1,30}|kube\/config|aws\/\w{1,20})\b/g,
  /(?<![-\w])(?:chmod|chown|mkdir|touch|ls|stat|test|rm|ssh-keygen|ssh-add|ssh-keyscan)\s[^;|&\n<>]{1,160}/g,
  /\b(?:cp|mv|install)\s[^\s;|&]{1,120}\s[^\s;|&]{0,120}\.env\b/g,
  /(?:^|\s)(?:-o|-O|--output|--output-document|-OutFile)[\s=]{1,2}(?!json\b|yaml\b|jsonpath|go-template)["']?[^\s"']{1,200}/gi,
  /(?:--exclude(?:-from)?|--ignore|-not -name|-not -path|! -name|! -path)[\s=]{1,2}["']?[^\s"']{1,160}/g,
];

/** One variable, by a name that tells of no secret, or where it signs in. */
const ONE_VARIABLE =
  /\b(?:process\.env|import\.meta\.env|os\.environ|ENV)(?:\??\.(?!items|copy|values|keys|to_h|map\b)\w{1,60}|\[[^\]\n]{1,60}\]|\.get\([^)\n]{1,80}\))/g;
const NAMES_SECRET = /secret|passw|private|credential|(?:api|access|encryption|signing|master)_?key|token/i;
const SIGNING_IN =
  /auth|bearer|api-?key|token["']?\s{0,2}[:=]|client|login\(|connect\(|password\s?=|new \w{1,40}\(|key\s{0,2}[:=]/i;

export const blank = (text: string): string => text.replace(/[^\n]/g, " ");

export function carriedText(text: string): string {
  let carried = text;
  for (const use of USES) carried = carried.replace(use, blank);
  return carried.replace(ONE_VARIABLE, (one, at: number) =>
    !NAMES_SECRET.test(one) || SIGNING_IN.test(text.slice(Math.max(0, at - 48), at)) ? blank(one) : one,
  );
}
