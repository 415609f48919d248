import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { BrandMark } from "./brand-mark.tsx";
import { useNavigationFocus } from "./navigation-focus.ts";

/** The frame of sign-in, setup and invitation: one card in the middle. */
export function BlankFrame() {
  useNavigationFocus();
  return (
    <BlankCard>
      <Outlet />
    </BlankCard>
  );
}

/** Also for what is to be said before there is a side bar. */
export function BlankCard({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh place-items-center p-4">
      <main tabIndex={-1} className="w-full max-w-sm">
        <div className="mb-6 flex items-center justify-center gap-2.5 text-base font-semibold">
          <BrandMark />
          Agent Telemetry
        </div>
        <div className="rounded-xl border bg-surface p-6 shadow-card">{children}</div>
      </main>
    </div>
  );
}
