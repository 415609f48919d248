import { matchesOf } from "./matches.ts";

/** Where an answer shows a picture: the reader's machine loads it without being asked. */
export interface Picture {
  readonly address: string;
  /** Of the picture in the answer. */
  readonly start: number;
  /** Of its address. */
  readonly addressStart: number;
}

const PICTURES_MAX = 8;
const ADDRESS = "https?:\\/\\/[^\\s)\"'<>]{8,2000}";
/** Markdown with the address beside it, or HTML. */
const BESIDE = new RegExp(
  `(?:!\\[[^\\]\\n]{0,160}\\]\\(\\s{0,2}<?|<img[^>\\n]{0,160}?\\ssrc=["']?)(${ADDRESS})`,
  "gi",
);
/** Markdown with a name, or a text for one, under which the address stands in a line of its own. */
const BY_NAME = /!\[([^\]\n]{0,160})\](?:\[([^\]\n]{0,60})\])?(?!\()/g;
const DEFINED = new RegExp(`(?<![^\\n])[ ]{0,3}\\[([^\\]\\n]{1,160})\\]:[ ]{0,3}<?(${ADDRESS})`, "gi");

export function picturesIn(answer: string): readonly Picture[] {
  const found = matchesOf(answer, BESIDE, PICTURES_MAX).map(({ 0: whole, 1: address = "", index }) => ({
    address,
    start: index,
    addressStart: index + whole.length - address.length,
  }));
  if (!answer.includes("]:")) return found;
  const names = new Set(
    matchesOf(answer, BY_NAME, PICTURES_MAX).map(([, text = "", name = ""]) => (name || text).toLowerCase()),
  );
  if (names.size === 0) return found;
  for (const { 0: whole, 1: name = "", 2: address = "", index } of matchesOf(answer, DEFINED, PICTURES_MAX)) {
    if (!names.has(name.toLowerCase())) continue;
    found.push({ address, start: index, addressStart: index + whole.length - address.length });
  }
  return found;
}

/**
 * Charts, formulas, diagrams, codes, maps, badges and made-up pictures are drawn out of words of the address.
 */
export const DRAWS =
  /(?:^|[.-])(?:quickchart|image-charts|chart|charts|graph|graphs|plot|mermaid|kroki|plantuml|graphviz|latex|codecogs|mathurl|katex|qr|qrserver|qrcode|barcode|placehold|placeholder|dummyimage|placekitten|picsum|shields|badge|badgen|badges|pollinations|unsplash|pexels|maps?|staticmap|tiles?|tile|mapbox|openstreetmap|avatars?|gravatar|dicebear|og|cloudinary|imgix|render|thum|screenshot|screenshots)(?=[.-]|\d)/i;
