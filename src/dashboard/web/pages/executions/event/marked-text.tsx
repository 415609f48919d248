import { Fragment } from "react";

const MARKS_MAX = 200;

/** Text with what was searched for marked in it. */
export function MarkedText({ text, needle }: { text: string; needle: string }) {
  if (needle === "") return text;
  const pieces: { readonly at: number; readonly plain: string; readonly found: string }[] = [];
  const folded = text.toLowerCase();
  const wanted = needle.toLowerCase();
  // A character whose lower case is longer would shift every place behind it.
  if (folded.length !== text.length) return text;
  let at = 0;
  for (let found = folded.indexOf(wanted); found !== -1 && pieces.length < MARKS_MAX; ) {
    const end = found + wanted.length;
    pieces.push({ at: found, plain: text.slice(at, found), found: text.slice(found, end) });
    at = end;
    found = folded.indexOf(wanted, at);
  }
  return (
    <>
      {pieces.map((piece) => (
        <Fragment key={piece.at}>
          {piece.plain}
          <mark className="rounded-xs bg-warn/30 text-inherit">{piece.found}</mark>
        </Fragment>
      ))}
      {text.slice(at)}
    </>
  );
}
