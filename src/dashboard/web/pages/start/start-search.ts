import { LANGUAGES, type Language } from "./snippets.ts";

export interface StartSearch {
  language?: Language;
}

export function validateStartSearch(search: Record<string, unknown>): StartSearch {
  const language = LANGUAGES.find((known) => known === search.language);
  return language === undefined ? {} : { language };
}
