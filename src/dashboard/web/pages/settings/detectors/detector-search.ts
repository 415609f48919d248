/**
 * What the address of the detectors' page holds: words to look for, which to show, and the class that is
 * open.
 */

export const DETECTOR_FILTERS = ["all", "changed", "off", "fired"] as const;
export type DetectorFilter = (typeof DETECTOR_FILTERS)[number];

export interface DetectorSearch {
  q?: string;
  show?: DetectorFilter;
  class?: string;
}

export function validateDetectorSearch(search: Record<string, unknown>): DetectorSearch {
  const show = DETECTOR_FILTERS.find((known) => known !== "all" && known === search.show);
  return {
    ...(typeof search.q === "string" && search.q !== "" ? { q: search.q } : {}),
    ...(show === undefined ? {} : { show }),
    ...(typeof search.class === "string" && search.class !== "" ? { class: search.class } : {}),
  };
}
