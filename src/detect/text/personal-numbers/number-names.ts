/**
 * The names that stand beside personal numbers, by kind of number. They are words of the one scan that every
 * text gets, which tells by a bit a kind whether there is any use looking for its numbers; the pattern tells
 * what stands beside a number. Built once at import.
 */
export interface NumberName {
  readonly bit: number;
  readonly keywords: readonly NameKeyword[];
  readonly pattern: RegExp;
}

export interface NameKeyword {
  readonly text: string;
  /**
   * Nothing of a word may stand before it, or after it; as `\b` has it, which knows the letters of ASCII
   * alone.
   */
  readonly startsWord: boolean;
  readonly endsWord: boolean;
}

/**
 * Separated by `|`, with the marks of the lexicon: a `*` before or after a name means any beginning or
 * ending.
 */
const NAMES: Readonly<Record<string, string>> = {
  ssn: "*ssn*|social|*social sec*|*date of birth*|dob|born|*sozialversicherung*|*tax id*|*taxpayer id*|itin",
  "tax-id-de": "*steuerid*|*steuer-id*|*steuerliche*|*steueridentifikation*|*steuernummer*|*idnr*",
  "health-number-gb": "nhs",
  "national-insurance-gb": "*national insurance*|nino|ni number*|ni no*",
  "identity-number-es": "dni|nif|nie|*documento*|*identidad*",
  "cpf-br": "cpf",
  "social-security-fr":
    "*s\u00e9curit\u00e9 sociale*|*securite sociale*|nir|*insee*|*carte vitale*|*num\u00e9ro de s\u00e9cu*",
  "pesel-pl": "*pesel*",
  "aadhaar-in": "*aadhaar*|*aadhar*|*uidai*",
  "social-insurance-ca": "*social insurance*|SIN",
  "citizen-number-nl": "bsn|*burgerservicenummer*",
  "personal-number-se": "*personnummer*",
  "tax-file-number-au": "*tax file number*|tfn",
  "taxpayer-number-us": "itin|*taxpayer*|*tax id*",
  "identity-number-tr": "*kimlik*|tckn",
  "identity-number-za": "*south african id*|*south africa id*|rsa id|sa id",
  "identity-code-fi": "hetu|*henkil\u00f6tunnus*|*henkilotunnus*|*personbeteckning*|*personal identity code*",
  "registration-number-kr": "*\uc8fc\ubbfc\ub4f1\ub85d*|*resident registration*|rrn",
  "birth-number-no": "*f\u00f8dselsnummer*|*fodselsnummer*|*personnummer*",
  "identity-number-cn": "*\u8eab\u4efd\u8bc1*|*resident identity*|*citizen id*",
  "national-number-be":
    "*rijksregister*|*registre national*|*num\u00e9ro national*|*numero national*|insz|niss",
  "identity-number-sg": "nric*",
  "population-code-mx": "*curp*",
};
/**
 * A name in capitals alone, of two or three letters more, is a word of its own in small ones. The scan knows
 * no capitals and leaves that to the pattern.
 */
const AS_WRITTEN = new Set(["SIN"]);
const inAnyCase = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

function numberName(names: string, bit: number): NumberName {
  const keywords = names.split("|").map((name) => ({
    text: name.replaceAll("*", ""),
    startsWord: !name.startsWith("*"),
    endsWord: !name.endsWith("*"),
  }));
  const asWritten = keywords.some(({ text }) => AS_WRITTEN.has(text));
  const sources = keywords.map(({ text, startsWord, endsWord }) => {
    const source = asWritten ? inAnyCase(text) : text;
    return `${startsWord ? "\\b" : ""}${source}${endsWord ? "\\b" : ""}`;
  });
  return { bit, keywords, pattern: new RegExp(sources.join("|"), asWritten ? "" : "i") };
}

/** A bit each: no more kinds than a number has. */
export const numberNames: ReadonlyMap<string, NumberName> = new Map(
  Object.entries(NAMES).map(([kind, names], at) => [kind, numberName(names, 1 << at)]),
);
