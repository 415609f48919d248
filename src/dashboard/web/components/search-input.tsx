import { Search, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { inputClasses } from "./input.tsx";

export interface SearchInputProps {
  /** Name for those who do not see the magnifying glass. */
  label: string;
  /** The search in force, from the URL. */
  value: string;
  /**
   * Called when typing has paused, on Enter and on clearing, without spaces around; comes back as `value` as
   * it is.
   */
  onSearch: (value: string) => void;
  placeholder?: string;
  /** Characters that `onSearch` takes. */
  lengthMax?: number;
  className?: string;
}

const pause = 250;

/** Searches while typing; "/" puts the cursor into it from anywhere on the page. */
export function SearchInput({
  label,
  value,
  onSearch,
  placeholder = "Search",
  lengthMax = 200,
  className,
}: SearchInputProps) {
  const [draft, setDraft] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(value);
  /** What was searched for and has not come back as `value`, which may be long after more was typed. */
  const onTheWay = useRef<readonly string[]>([]);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const search = useCallback((words: string) => {
    const text = words.trim();
    if (text === (onTheWay.current.at(-1) ?? shown.current.trim())) return;
    onTheWay.current = [...onTheWay.current, text];
    latest.current(text);
  }, []);

  useEffect(() => {
    if (value === shown.current) return;
    shown.current = value;
    const place = onTheWay.current.indexOf(value);
    // Of searches that came after each other quickly some never come back.
    onTheWay.current = place === -1 ? [] : onTheWay.current.slice(place + 1);
    // The back button or a link changed the search from outside.
    if (place === -1) setDraft(value);
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => search(draft), pause);
    return () => clearTimeout(timer);
  }, [draft, search]);

  return (
    <div className={classes("relative min-w-0", className)}>
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden />
      <input
        ref={input}
        type="search"
        data-page-search
        aria-label={label}
        placeholder={placeholder}
        maxLength={lengthMax}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search(draft);
          if (event.key === "Escape") {
            setDraft("");
            search("");
          }
        }}
        className={classes(inputClasses, "w-full pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden")}
      />
      {draft === "" ? null : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            setDraft("");
            search("");
            input.current?.focus();
          }}
          className="absolute top-1 right-1 grid size-6 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
