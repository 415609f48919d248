/**
 * What stands before the address of a picture in an answer: Markdown with the address beside it, or in a line of
 * its own that the picture refers to, or HTML. In a text that holds `![` or `<img`.
 */
export const BEFORE_PICTURE =
  "(?:!\\[[^\\]\\n]{0,160}\\]\\(\\s{0,2}<?|<img[^>\\n]{0,160}?\\ssrc=[\"']?|(?<![^\\n])[ ]{0,3}\\[[^\\]\\n]{1,60}\\]:[ ]{0,3}<?)";

/**
 * Charts, formulas, diagrams, codes, maps, badges and made-up pictures are drawn out of words of the address.
 */
export const DRAWS =
  /(?:^|[.-])(?:quickchart|image-charts|chart|charts|graph|graphs|plot|mermaid|kroki|plantuml|graphviz|latex|codecogs|mathurl|katex|qr|qrserver|qrcode|barcode|placehold|placeholder|dummyimage|placekitten|picsum|shields|badge|badgen|badges|pollinations|unsplash|pexels|maps?|staticmap|tiles?|tile|mapbox|openstreetmap|avatars?|gravatar|dicebear|og|cloudinary|imgix|render|thum|screenshot|screenshots)(?=[.-]|\d)/i;
