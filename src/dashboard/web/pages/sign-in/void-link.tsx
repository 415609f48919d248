import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonClasses } from "../../components/button.tsx";
import { PageHeader } from "../../components/page-header.tsx";

/** A one-time link that does nothing, and what to do about it. */
export function VoidLink({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <p className="text-sm text-muted">{children}</p>
      <Link to="/app/sign-in" className={`${buttonClasses()} mt-5 h-9 w-full`}>
        To the sign-in
      </Link>
    </>
  );
}
