import { ChevronRight } from "lucide-react";
import { Fragment, type ReactNode, useEffect } from "react";

export interface PageHeaderProps {
  /** The page's name: its heading, and the title of the document unless `documentTitle` says otherwise. */
  title: ReactNode;
  /** Needed where `title` is more than text. */
  documentTitle?: string;
  /** Links to what is above it. */
  crumbs?: readonly ReactNode[];
  /** Under the title, one line. */
  description?: ReactNode;
  /** Beside the title: badges. */
  marks?: ReactNode;
  /** At the right: time range, buttons. */
  actions?: ReactNode;
}

/**
 * The head of every page. It names the document and gets the focus after a navigation (see
 * shell/navigation-focus.ts).
 */
export function PageHeader({ title, documentTitle, crumbs, description, marks, actions }: PageHeaderProps) {
  const name = documentTitle ?? (typeof title === "string" ? title : "");
  useEffect(() => {
    document.title = name === "" ? "Agent Telemetry" : `${name} · Agent Telemetry`;
  }, [name]);
  return (
    <header className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-60">
        {crumbs === undefined || crumbs.length === 0 ? null : (
          <nav aria-label="Breadcrumb" className="mb-0.5 text-xs text-muted">
            <ol className="flex flex-wrap items-center gap-1">
              {crumbs.map((crumb, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: crumbs have no identity beside their place
                <Fragment key={index}>
                  <li className="min-w-0 truncate [&_a]:hover:text-ink [&_a]:hover:underline">{crumb}</li>
                  <li aria-hidden>
                    <ChevronRight className="size-3" />
                  </li>
                </Fragment>
              ))}
            </ol>
          </nav>
        )}
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 data-page-heading tabIndex={-1} className="min-w-0 text-lg font-semibold break-words">
            {title}
          </h1>
          {marks}
        </div>
        {description === undefined ? null : (
          <p className="mt-0.5 text-sm wrap-anywhere text-muted">{description}</p>
        )}
      </div>
      {actions === undefined ? null : (
        <div className="flex max-w-full flex-wrap items-center gap-2 max-sm:has-[input]:w-full">
          {actions}
        </div>
      )}
    </header>
  );
}
