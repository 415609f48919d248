import type { Playbook } from "./playbook.ts";

export const secretExposure: Playbook = {
  failureClass: "secret_exposure",
  meaning:
    "A credential stands in a text of the run: in a prompt, an answer, a tool's arguments or its result, an exception. Since the event was stored, it stands in your telemetry too, and the model's provider has probably seen it. Critical means that the model wrote it itself, into an answer or into a call's arguments.",
  confirm: [
    "Read the rule id: its last part is the format, such as `aws-access-key`, `private-key`, `slack-webhook` or `url-credentials`. Rules `generic-api-key` and `password-assignment` go by names alone and deserve a second look.",
    "The excerpt ends with the format and 12 hex digits. Those digits are the same for the same value, so the same digits in two groups are one secret in two places, and different digits are different secrets.",
    "Open the event to see the value and where it stands. In `result` a tool gave it away; in `arguments` or `output` the model passed it on; in `input` somebody pasted it; in `message` or `stack` your own code printed it.",
    "Find the owner with the issuer's console or a call that only says who the key is, and see when it was last used and from where.",
  ],
  contain: [
    "Revoke the credential at its issuer and give out a new one. Deleting the text is not enough: it has been copied into contexts, logs and this database.",
    "If the key is one of this service (it begins with `service_sk_`): `bun run cli key revoke KEY_ID`. It is refused within 2 s.",
    "Look through the issuer's audit log from the time of the event on for use from unknown addresses. If there is any, this is an intrusion.",
    "Stop further copies: pause the tool or the prompt template that printed it.",
  ],
  fix: [
    "A tool returns whole configurations, environments or database rows. Let it return the fields that the agent needs, and never `env`, connection strings or settings pages.",
    "The agent was given the secret to use. Keep it in the tool's process and hand the model a name for it; the tool puts it in on the way out.",
    "A person pasted it into the chat. Mask it in the user interface before it is sent, and tell them why.",
    "An exception message holds a connection URL. Take credentials out of URLs, and mask messages where they are made.",
  ],
  prevent: [
    "Let the SDK mask known formats before events leave the process; then neither the provider nor this service stores them.",
    "Use credentials with a short life and a narrow scope, one for each agent, so that a leak is small and its revocation cheap.",
    "Scan the corpora that agents retrieve from (wikis, repositories, tickets) with a secret scanner: an agent finds what people forgot.",
    "Limit who can read payloads here: a viewer of this project sees what the runs saw.",
  ],
  falseAlarms: [
    "Published sample keys and placeholders are left out; keys of your own test fixtures are not. Ignore their group for good: `bun run cli group ignore GROUP_ID --project PROJECT_ID`.",
    "Rule `client-scan` repeats what your own scanner said in `dlp_scan_result`. Tune the scanner; the entity names are in the excerpt.",
    "Quoted passwords in assignments count only with `--threshold passwords=1`; leave it at 0 where agents work with password tools.",
    "A revoked key that stands in an old document is real and harmless: clean the document, then resolve the group.",
  ],
  references: [
    {
      label: "OWASP Secrets Management Cheat Sheet",
      url: "https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html",
    },
    {
      label: "GitHub: removing sensitive data from a repository",
      url: "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/removing-sensitive-data-from-a-repository",
    },
    {
      label: "OWASP LLM02: Sensitive Information Disclosure",
      url: "https://genai.owasp.org/llmrisk/llm022025-sensitive-information-disclosure/",
    },
  ],
};
