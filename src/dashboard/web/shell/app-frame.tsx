import { Outlet, useLocation } from "@tanstack/react-router";
import { Menu as MenuIcon, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { Suspense, useEffect, useState } from "react";
import { IconButton } from "../components/icon-button.tsx";
import { BrandMark } from "./brand-mark.tsx";
import { PagePending } from "./fallback-pages.tsx";
import { KeyboardShortcuts } from "./keyboard-shortcuts.tsx";
import { useNavigationFocus } from "./navigation-focus.ts";
import { ProjectSwitcher } from "./project-switcher.tsx";
import { useShellProjectId } from "./shell-project.ts";
import { SideBar } from "./side-bar.tsx";
import { StaleNotice } from "./stale-notice.tsx";

/**
 * Side bar and page. On a narrow screen the side bar is a drawer behind a button, and the project stands
 * above the page.
 */
export function AppFrame() {
  const [drawer, setDrawer] = useState(false);
  const { pathname } = useLocation();
  const projectId = useShellProjectId();
  useNavigationFocus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on every change of the page
  useEffect(() => setDrawer(false), [pathname]);

  return (
    <Suspense fallback={<PagePending />}>
      {/* biome-ignore lint/a11y/useValidAnchor: it is a link within the page, and the router must not see its hash */}
      <a
        href="#content"
        onClick={(event) => {
          // A changed hash would be a navigation.
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent-solid px-3 py-1.5 text-sm font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh">
        <aside className="sticky top-0 h-dvh w-56 shrink-0 border-r bg-surface max-lg:hidden">
          <SideBar />
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b bg-surface px-3 lg:hidden">
            <Dialog.Root open={drawer} onOpenChange={setDrawer}>
              <Dialog.Trigger asChild>
                <IconButton plain label="Open the navigation" icon={<MenuIcon aria-hidden />} />
              </Dialog.Trigger>
              <Dialog.Portal>
                <Dialog.Overlay className="fixed inset-0 z-30 animate-appear bg-black/50" />
                <Dialog.Content
                  aria-describedby={undefined}
                  className="fixed inset-y-0 left-0 z-30 w-72 max-w-[85vw] border-r bg-surface shadow-float focus:outline-none"
                >
                  <Dialog.Title className="sr-only">Navigation</Dialog.Title>
                  <Dialog.Close asChild>
                    <IconButton
                      plain
                      label="Close the navigation"
                      icon={<X aria-hidden />}
                      className="absolute top-2 right-2"
                    />
                  </Dialog.Close>
                  <SideBar />
                </Dialog.Content>
              </Dialog.Portal>
            </Dialog.Root>
            <BrandMark />
            <div className="min-w-0 flex-1 sm:max-w-72">
              <ProjectSwitcher projectId={projectId} />
            </div>
          </header>
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-[100rem] min-w-0 flex-1 px-4 py-4 sm:px-6 sm:py-5"
          >
            <StaleNotice />
            <Outlet />
          </main>
        </div>
      </div>
      <KeyboardShortcuts />
    </Suspense>
  );
}
