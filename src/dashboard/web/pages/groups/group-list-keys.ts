import { useEffect } from "react";

/**
 * j and k move the focus through the rows of the list, where Enter follows the row's link by itself; x
 * chooses the row that has the focus.
 */
export function useGroupListKeys(onChoose: ((row: number) => void) | null): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      const links = [...document.querySelectorAll<HTMLElement>("a[data-row-link]")];
      const current = links.indexOf(document.activeElement as HTMLElement);
      if (event.key === "j" || event.key === "k") {
        const next = event.key === "j" ? Math.min(current + 1, links.length - 1) : Math.max(current - 1, 0);
        links[next]?.focus({ preventScroll: true });
        links[next]?.closest("tr")?.scrollIntoView({ block: "nearest" });
        event.preventDefault();
      } else if (event.key === "x" && current !== -1 && onChoose !== null) {
        onChoose(current);
        event.preventDefault();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onChoose]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const taken = "input, textarea, select, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
  return target.isContentEditable || target.closest(taken) !== null;
}
