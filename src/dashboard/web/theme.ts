import { useSyncExternalStore } from "react";

export const THEME_CHOICES = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number]["value"];
export type Theme = "light" | "dark";

/** The same name as in first-paint.ts, which must stay free of imports. */
const storageName = "ats-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let choice = storedChoice();

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageName);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

function currentTheme(): Theme {
  if (choice !== "system") return choice;
  return system.matches ? "dark" : "light";
}

function apply(): void {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of listeners) listener();
}

system.addEventListener("change", apply);
window.addEventListener("storage", (event) => {
  if (event.key !== storageName) return;
  choice = storedChoice();
  apply();
});

export function setThemeChoice(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === "system") localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, next);
  } catch {
    // Not kept then, but used until the page is left.
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is on screen; a canvas draws itself anew on a change. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}
