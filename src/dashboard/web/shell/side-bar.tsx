import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { Activity, BookOpen, ChartColumn, ListTree, Radio, Settings, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import { BrandMark } from "./brand-mark.tsx";
import { MemberMenu } from "./member-menu.tsx";
import { ProjectSwitcher } from "./project-switcher.tsx";
import { useShellProjectId } from "./shell-project.ts";

export function SideBar() {
  const projectId = useShellProjectId();
  return (
    <div className="flex h-full flex-col">
      <Link to="/app" className="flex h-12 items-center gap-2.5 px-4 text-sm font-semibold -outline-offset-2">
        <BrandMark />
        Agent Telemetry
      </Link>
      <div className="px-2 pb-2">
        <ProjectSwitcher projectId={projectId} />
      </div>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-1">
        {projectId === null ? (
          <NavLink to="/app/projects" icon={<Activity />}>
            Projects
          </NavLink>
        ) : (
          <>
            <NavLink to="/app/p/$projectId/overview" params={{ projectId }} icon={<ChartColumn />}>
              Overview
            </NavLink>
            <NavLink to="/app/p/$projectId/groups" params={{ projectId }} icon={<ShieldAlert />}>
              Failure groups
            </NavLink>
            <NavLink to="/app/p/$projectId/executions" params={{ projectId }} icon={<ListTree />}>
              Executions
            </NavLink>
            <NavLink to="/app/p/$projectId/live" params={{ projectId }} icon={<Radio />}>
              Live tail
            </NavLink>
          </>
        )}
        <NavLink to="/app/playbooks" icon={<BookOpen />}>
          Playbooks
        </NavLink>
        {projectId === null ? (
          <NavLink to="/app/settings/members" icon={<Settings />}>
            Settings
          </NavLink>
        ) : (
          <NavLink
            to="/app/p/$projectId/settings"
            params={{ projectId }}
            icon={<Settings />}
            alsoAt="/app/settings"
          >
            Settings
          </NavLink>
        )}
      </nav>
      <div className="border-t p-2">
        <MemberMenu />
      </div>
    </div>
  );
}

interface NavLinkProps extends Pick<LinkProps, "to" | "params"> {
  icon: ReactNode;
  children: ReactNode;
  /** Pages below this address belong to it too. */
  alsoAt?: string;
}

function NavLink({ icon, children, alsoAt, ...link }: NavLinkProps) {
  const { pathname } = useLocation();
  const isThere = alsoAt !== undefined && pathname.startsWith(alsoAt);
  return (
    <Link
      {...link}
      {...(isThere ? { "data-status": "active", "aria-current": "page" } : {})}
      activeOptions={{ includeSearch: false }}
      className="flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-sm text-muted -outline-offset-2 hover:bg-hover hover:text-ink data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink max-lg:h-10 [&_svg]:size-4 [&_svg]:shrink-0 data-[status=active]:[&_svg]:text-accent"
    >
      <span aria-hidden className="contents">
        {icon}
      </span>
      {children}
    </Link>
  );
}
