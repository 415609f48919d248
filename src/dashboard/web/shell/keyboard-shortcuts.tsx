import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useShellProjectId } from "./shell-project.ts";

const places = {
  o: { name: "Overview", to: "/app/p/$projectId/overview" },
  g: { name: "Failure groups", to: "/app/p/$projectId/groups" },
  e: { name: "Executions", to: "/app/p/$projectId/executions" },
  l: { name: "Live tail", to: "/app/p/$projectId/live" },
  s: { name: "Settings", to: "/app/p/$projectId/settings/project" },
} as const;

const chordTime = 1200;

let show: (() => void) | null = null;

/** Shows the list of shortcuts, as "?" does: for those who do not know that yet. */
export function showKeyboardShortcuts(): void {
  show?.();
}

/**
 * "g" and a letter go to a page, "/" to its search, "?" shows them all. Not while something is typed, nor in
 * a dialog.
 */
export function KeyboardShortcuts() {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const projectId = useShellProjectId();
  const chordUntil = useRef(0);

  useEffect(() => {
    show = () => setOpen(true);
    return () => {
      show = null;
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target))
        return;
      const chord = performance.now() < chordUntil.current;
      chordUntil.current = 0;
      if (chord && event.key in places) {
        event.preventDefault();
        const { to } = places[event.key as keyof typeof places];
        if (projectId !== null) void navigate({ to, params: { projectId } });
      } else if (chord && event.key === "p") {
        event.preventDefault();
        void navigate({ to: "/app/playbooks" });
      } else if (event.key === "g") {
        chordUntil.current = performance.now() + chordTime;
      } else if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("[data-page-search]");
        if (search === null) return;
        event.preventDefault();
        search.focus();
        search.select();
      } else if (event.key === "?") {
        event.preventDefault();
        setOpen(true);
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate, projectId]);

  return (
    <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts" size="medium">
      <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Shortcuts title="Go to">
          {Object.entries(places).map(([key, { name }]) => (
            <Shortcut key={key} name={name} keys={["g", key]} />
          ))}
          <Shortcut name="Playbooks" keys={["g", "p"]} />
        </Shortcuts>
        <Shortcuts title="Anywhere">
          <Shortcut name="Search on this page" keys={["/"]} />
          <Shortcut name="Next and previous row" keys={["j", "k"]} />
          <Shortcut name="Open the row" keys={["Enter"]} />
          <Shortcut name="Show this list" keys={["?"]} />
        </Shortcuts>
        <Shortcuts title="An execution">
          <Shortcut name="Next and previous event" keys={["j", "k"]} />
          <Shortcut name="Next and previous detection" keys={["n", "N"]} />
          <Shortcut name="Close the event" keys={["Esc"]} />
        </Shortcuts>
        <Shortcuts title="Lists">
          <Shortcut name="Choose a failure group" keys={["x"]} />
          <Shortcut name="Pause the live tail, and go on" keys={["Space"]} />
        </Shortcuts>
      </div>
    </Dialog>
  );
}

function Shortcuts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-xs font-medium text-faint">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-2 text-sm">{children}</dl>
    </section>
  );
}

function Shortcut({ name, keys }: { name: string; keys: readonly string[] }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="grid h-5.5 min-w-5.5 place-items-center rounded border border-line-strong bg-sunken px-1 font-mono text-xs"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </>
  );
}

function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest(
      "input, textarea, select, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]",
    ) !== null
  );
}
