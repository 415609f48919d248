import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { inputClasses } from "./input.tsx";

export interface SearchInputProps {
  /** Name for those who do not see the magnifying glass. */
  label: string;
  /** The search in force, from the URL. */
  value: string;
  /** Called when typing has paused, on Enter and on clearing. */
  onSearch: (value: string) => void;
  placeholder?: string;
  className?: string;
}

const pause = 250;

/** Searches while typing; "/" puts the cursor into it from anywhere on the page. */
export function SearchInput({ label, value, onSearch, placeholder = "Search", className }: SearchInputProps) {
  const [draft, setDraft] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  /** What this field searched for last: it comes back as `value`, perhaps after more was typed. */
  const asked = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const search = (words: string) => {
    asked.current = words;
    latest.current(words);
  };

  useEffect(() => {
    if (value === asked.current) return;
    // The back button changed the search from outside.
    asked.current = value;
    setDraft(value);
  }, [value]);
  useEffect(() => {
    if (draft === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = draft;
      latest.current(draft);
    }, pause);
    return () => clearTimeout(timer);
  }, [draft]);

  return (
    <div className={classes("relative min-w-0", className)}>
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden />
      <input
        ref={input}
        type="search"
        data-page-search
        aria-label={label}
        placeholder={placeholder}
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
