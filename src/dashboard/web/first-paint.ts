/**
 * Runs before the first paint, as a classic script of its own (the CSP allows no inline script): sets the
 * theme on <html>, so that no page flashes in the wrong one.
 */
let choice: string | null = null;
try {
  choice = localStorage.getItem("ats-theme");
} catch {
  // Storage may be forbidden; then the system's theme it is.
}
const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.theme = dark ? "dark" : "light";
