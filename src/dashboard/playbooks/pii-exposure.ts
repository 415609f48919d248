import type { Playbook } from "./playbook.ts";

export const piiExposure: Playbook = {
  failureClass: "pii_exposure",
  meaning:
    "A payment card, an IBAN or a person's official number (social security, tax, identity, health) stands in a text of the run. The number passed its check (Luhn, mod 97, valid ranges), so it is very likely real. It has been stored with the event, and if it stood in a prompt the model's provider has it as well. High means that the model wrote it into an answer or into a call.",
  confirm: [
    "The rule says which kind: `card`, `iban`, `ssn`, `email`, `client-scan`, or the number of another country by its name, such as `tax-id-de` or `pesel-pl`. The excerpt shows the words before the number and never the number itself; open the event to see it.",
    "Ask whose it is: the user's own, given for this task; a third person's, out of a record; or a test number from a payment provider's documentation.",
    "Find out whether it left its place. `result` means that a tool returned it, `arguments` that the model sent it to a tool, `output` that it was shown. Compare the person signed in with the person in the data.",
    "For `client-scan` read `entity_types`, `field`, `count` and `action` of the `dlp_scan_result`: your scanner judged, not this service. What it masked or blocked fires low, as `client-scan-held-back`.",
    "In the group's executions count the people concerned. One is a mistake, a table full is a breach.",
  ],
  contain: [
    "If somebody saw another person's data, stop that path now: switch the tool off or take the column out of its answer.",
    "Tell whoever is in charge of data protection. Under the GDPR the clock of 72 hours runs from the moment you know; write down when that was.",
    "For card numbers shown to the wrong person, tell the acquirer or the card issuer; whole card numbers in a log also widen the scope of PCI DSS.",
    "Write down the events that hold the number before anything is deleted: the report will need them.",
  ],
  fix: [
    "A tool returns whole records. Select columns, and mask all but the last four digits in the tool itself.",
    "The look-up is not bound to the signed-in person. Filter by that person's id on the server and not by what the model asks for.",
    "Users type their numbers into a free text field. Offer a form that goes past the model, and mask what is typed into the chat.",
    "Test data are copies of production. Replace them by generated ones.",
  ],
  prevent: [
    "Mask in the SDK before events are sent: the model needs the kind of the value, seldom the value.",
    "Give the model tokens (customer 1, card A) and let the tool exchange them on the way out.",
    "Settle retention for this project, and who may read payloads, before personal data arrive.",
    "Have an agreement with the model's provider on storage and training that covers such data.",
  ],
  falseAlarms: [
    "Runs that call a payment tool may carry IBANs, and they are passed over from that call on. An IBAN met before the first such call fires: `bun run cli detector configure pii_exposure --project PROJECT_ID --threshold ibansMin=3` asks for more in one text.",
    "An identifier with the prefix and the length of a card passes Luhn one time in ten. Right after words such as order, tracking or invoice it is passed over; elsewhere ignore its group, which is that of one class of tool.",
    "Test cards of payment providers are valid by design, and fire.",
    "Mail addresses count only with `emailsMin` above 0. Names, phone numbers and postal addresses are never looked for.",
  ],
  references: [
    { label: "GDPR, Article 33: notification of a breach", url: "https://gdpr-info.eu/art-33-gdpr/" },
    { label: "Presidio: detecting and masking personal data", url: "https://microsoft.github.io/presidio/" },
    {
      label: "OWASP LLM02: Sensitive Information Disclosure",
      url: "https://genai.owasp.org/llmrisk/llm022025-sensitive-information-disclosure/",
    },
  ],
};
