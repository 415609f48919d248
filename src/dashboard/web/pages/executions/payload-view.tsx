import { useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { formatBytes, formatCount } from "../../format/number.ts";
import { JsonTree } from "./json-tree.tsx";
import { readJson } from "./json-source.ts";

type Mode = "tree" | "raw";

/** Characters of raw text put on the page at a time. */
const RAW_CHARS = 200_000;

/** A payload as a tree or as the text that was stored. */
export function PayloadView({ payload }: { payload: string }) {
  const [mode, setMode] = useState<Mode>("tree");
  const root = useMemo(() => readJson(payload), [payload]);
  const shown: Mode = root === null ? "raw" : mode;
  return (
    <section aria-label="Payload" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 border-y bg-sunken px-3 py-1">
        <h3 className="text-xs font-medium text-muted">
          Payload <span className="font-normal text-faint">{formatBytes(payload.length)}</span>
        </h3>
        <div className="flex items-center gap-1">
          {root === null ? (
            <span className="text-2xs text-muted">Too much to unfold</span>
          ) : (
            <fieldset className="flex overflow-hidden rounded-md border">
              <legend className="sr-only">Show the payload as</legend>
              {(["tree", "raw"] as const).map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={shown === each}
                  onClick={() => setMode(each)}
                  className={classes(
                    "px-2 py-0.5 text-xs -outline-offset-2",
                    shown === each ? "bg-surface font-medium text-ink" : "text-muted hover:text-ink",
                  )}
                >
                  {each === "tree" ? "Tree" : "Raw"}
                </button>
              ))}
            </fieldset>
          )}
          <CopyButton text={payload} label="Copy the payload" />
        </div>
      </div>
      {shown === "tree" && root !== null ? (
        <JsonTree root={root} text={payload} label="Payload" />
      ) : (
        <RawText text={payload} />
      )}
    </section>
  );
}

function RawText({ text }: { text: string }) {
  const [shown, setShown] = useState(RAW_CHARS);
  const isCut = text.length > shown;
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="p-3 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap -outline-offset-2"
      >
        {text.slice(0, shown)}
      </pre>
      {isCut ? (
        <div className="flex items-center gap-2 px-3 pb-3 text-xs text-muted">
          {formatCount(text.length - shown)} characters more
          <Button size="small" onClick={() => setShown(shown + RAW_CHARS)}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  );
}
