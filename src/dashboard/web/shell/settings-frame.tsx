import { Link, type LinkProps, Outlet, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useShellProjectId } from "./shell-project.ts";

/** The settings' own navigation, beside the page or above it on a narrow screen. */
export function SettingsFrame() {
  const projectId = useShellProjectId();
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page chosen last is scrolled into the row
  useEffect(() => {
    const active = nav.current?.querySelector<HTMLElement>("[data-status=active]");
    if (nav.current === null || !active) return;
    const middle = active.offsetLeft + active.offsetWidth / 2 - nav.current.offsetLeft;
    nav.current.scrollLeft = middle - nav.current.clientWidth / 2;
  }, [pathname]);
  return (
    <div className="flex flex-col gap-x-8 gap-y-4 lg:flex-row">
      <nav
        ref={nav}
        aria-label="Settings"
        className="flex shrink-0 gap-1 overflow-x-auto max-lg:-mx-4 max-lg:border-b max-lg:px-4 max-lg:pb-2 lg:w-40 lg:flex-col"
      >
        {projectId === null ? null : (
          <>
            <p className="px-2 pt-1 pb-1 text-2xs font-medium text-faint max-lg:hidden">Project</p>
            <SettingsLink to="/app/p/$projectId/settings/project" params={{ projectId }}>
              General
            </SettingsLink>
            <SettingsLink to="/app/p/$projectId/settings/keys" params={{ projectId }}>
              API keys
            </SettingsLink>
            <SettingsLink to="/app/p/$projectId/settings/webhooks" params={{ projectId }}>
              Webhooks
            </SettingsLink>
            <SettingsLink to="/app/p/$projectId/settings/detectors" params={{ projectId }}>
              Detectors
            </SettingsLink>
          </>
        )}
        <p className="px-2 pt-3 pb-1 text-2xs font-medium text-faint max-lg:hidden">Team</p>
        <SettingsLink to="/app/settings/members">Members</SettingsLink>
        <SettingsLink to="/app/settings/account">Account</SettingsLink>
      </nav>
      <div className="min-w-0 max-w-5xl flex-1">
        <Outlet />
      </div>
    </div>
  );
}

function SettingsLink({ children, ...link }: Pick<LinkProps, "to" | "params"> & { children: ReactNode }) {
  return (
    <Link
      {...link}
      className="flex h-7.5 shrink-0 items-center rounded-md px-2 text-sm text-muted -outline-offset-2 hover:bg-hover hover:text-ink data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink"
    >
      {children}
    </Link>
  );
}
