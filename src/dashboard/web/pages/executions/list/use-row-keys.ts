import { type RefObject, useEffect } from "react";

/** j and k move the focus from row to row; Enter then follows the row's link by itself. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "j" && event.key !== "k") return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, textarea, select, [contenteditable], [role=dialog], [role=listbox]"))
        return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
      const at = rows.indexOf(document.activeElement as HTMLElement);
      const next = event.key === "j" ? rows[at + 1] : rows[at === -1 ? 0 : at - 1];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [list]);
}
