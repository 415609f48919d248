import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronUp, Copy, Route } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { classes } from "../../../components/classes.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { SearchInput } from "../../../components/search-input.tsx";
import { useToast } from "../../../components/toast.tsx";
import { formatCount } from "../../../format/number.ts";
import { type Folding, findInJson, type JsonRow, pathTo, unfoldedTo, visibleRows } from "./json-rows.ts";
import { isContainer, type JsonNode, pathText } from "./json-source.ts";
import { JsonTreeRow } from "./json-tree-row.tsx";

interface JsonTreeProps {
  root: JsonNode;
  /** What `root` was read from. */
  text: string;
  label: string;
}

const ROW_HEIGHT = 22;

/** Unfolds JSON line by line. Only what is in sight is in the document, however large the payload. */
export function JsonTree({ root, text, label }: JsonTreeProps) {
  const [folding, setFolding] = useState<Folding>(new Map());
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState("0");
  const [needle, setNeedle] = useState("");
  const [matchAt, setMatchAt] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const treeId = useId();
  const toast = useToast();

  const rows = useMemo(() => visibleRows(root, folding), [root, folding]);
  const matches = useMemo(() => findInJson(root, needle), [root, needle]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const activeRow = rows.findIndex((row) => row.id === active);

  const match = matches[matchAt];
  useEffect(() => {
    if (match === undefined) return;
    setFolding((current) => unfoldedTo(current, match));
    setActive(match);
  }, [match]);
  useEffect(() => {
    if (activeRow >= 0) virtualizer.scrollToIndex(activeRow, { align: "auto" });
  }, [activeRow, virtualizer]);

  const fold = (row: JsonRow, open: boolean) => setFolding((current) => new Map(current).set(row.id, open));
  const showWhole = (row: JsonRow, show: boolean) =>
    setWhole((current) => {
      const next = new Set(current);
      if (show) next.add(row.id);
      else next.delete(row.id);
      return next;
    });
  const copy = (words: string, what: string) => {
    navigator.clipboard?.writeText(words).then(
      () => toast.done(`${what} copied`),
      (cause: unknown) => toast.failed("The browser does not allow copying here", cause),
    );
  };
  // A string is copied as the text that it stands for, anything else with the very characters that were sent.
  const copyValue = ({ node }: JsonRow) =>
    copy(node.kind === "string" ? node.text : text.slice(node.start, node.end), "Value");
  const copyPath = (row: JsonRow) => copy(pathText(pathTo(root, row.id)), "Path");

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[activeRow];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const go = (index: number) => setActive(rows[Math.min(rows.length - 1, Math.max(0, index))]!.id);
    switch (event.key) {
      case "ArrowDown":
        go(activeRow + 1);
        break;
      case "ArrowUp":
        go(activeRow - 1);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(rows.length - 1);
        break;
      case "ArrowRight":
        if (row.isOpen) go(activeRow + 1);
        else fold(row, true);
        break;
      case "ArrowLeft":
        if (row.isOpen) fold(row, false);
        else if (row.id.includes(".")) setActive(row.id.slice(0, row.id.lastIndexOf(".")));
        break;
      case "Enter":
        if (isContainer(row.node)) fold(row, !row.isOpen);
        else showWhole(row, !whole.has(row.id));
        break;
      case "c":
        copyValue(row);
        break;
      case "p":
        copyPath(row);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-1 border-b px-2 py-1.5">
        <SearchInput
          label="Search in the payload"
          placeholder="Search keys and values"
          value={needle}
          onSearch={(next) => {
            setNeedle(next);
            setMatchAt(0);
          }}
          className="flex-1"
        />
        {needle === "" ? null : (
          <>
            <span role="status" className="px-1 text-xs whitespace-nowrap text-muted">
              {matches.length === 0
                ? "None"
                : `${formatCount(matchAt + 1)} of ${formatCount(matches.length)}`}
            </span>
            <IconButton
              plain
              size="small"
              label="Previous match"
              icon={<ChevronUp aria-hidden />}
              disabled={matches.length === 0}
              onClick={() => setMatchAt((at) => (at + matches.length - 1) % matches.length)}
            />
            <IconButton
              plain
              size="small"
              label="Next match"
              icon={<ChevronDown aria-hidden />}
              disabled={matches.length === 0}
              onClick={() => setMatchAt((at) => (at + 1) % matches.length)}
            />
          </>
        )}
      </div>
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={activeRow >= 0 ? `${treeId}-${active}` : undefined}
        onKeyDown={onKeyDown}
        className="group min-h-0 flex-1 overflow-auto py-1 font-mono text-xs -outline-offset-2"
      >
        <div role="none" className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index]!;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for its items
              <div
                key={item.key}
                id={`${treeId}-${row.id}`}
                ref={virtualizer.measureElement}
                data-index={item.index}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-selected={row.id === active}
                aria-expanded={isContainer(row.node) ? row.isOpen : undefined}
                tabIndex={-1}
                onClick={() => {
                  setActive(row.id);
                  if (isContainer(row.node)) fold(row, !row.isOpen);
                }}
                className={classes(
                  "absolute inset-x-0 top-0 flex items-start px-2 hover:bg-sunken",
                  row.id === active && "group-focus:bg-accent/12",
                  row.id === match && "bg-warn/15!",
                )}
                style={{
                  transform: `translateY(${item.start}px)`,
                  paddingLeft: 8 + Math.min(row.depth, 40) * 14,
                }}
              >
                <JsonTreeRow
                  row={row}
                  needle={needle}
                  isWhole={whole.has(row.id)}
                  onWhole={(show) => showWhole(row, show)}
                />
                {row.id === active ? (
                  <span className="sticky right-1 ml-auto flex shrink-0 gap-0.5 rounded bg-surface">
                    <RowButton label="Copy value (c)" onClick={() => copyValue(row)} icon={<Copy />} />
                    <RowButton label="Copy path (p)" onClick={() => copyPath(row)} icon={<Route />} />
                  </span>
                ) : null}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowButtonProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}

/** Not a stop of the tab key: the tree is one, and has the letters for it. */
function RowButton({ label, icon, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
      className="grid size-5.5 place-items-center rounded text-faint hover:bg-hover hover:text-ink [&_svg]:size-3.5"
    >
      {icon}
    </button>
  );
}
