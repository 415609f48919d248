import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import type { PlaybookTexts } from "../../../api/playbooks.ts";
import { ApiError } from "../../client.ts";
import { buttonClasses } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { classes } from "../../components/classes.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SeverityBadge } from "../../components/severity-badge.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { formatClass } from "../../format/failure-class.ts";
import { useShellProjectId } from "../../shell/shell-project.ts";
import { ClassGroups } from "./class-groups.tsx";
import { playbookQuery } from "./playbook-queries.ts";
import { PlaybookText } from "./playbook-text.tsx";
import { TaxonomyBadges } from "./taxonomy-badges.tsx";

const parts = [
  { id: "confirm", title: "Confirm it", note: "Is it real?", of: (texts: PlaybookTexts) => texts.confirm },
  {
    id: "contain",
    title: "Contain it",
    note: "In the next ten minutes.",
    of: (texts: PlaybookTexts) => texts.contain,
  },
  { id: "fix", title: "Fix it", note: "The likeliest cause first.", of: (texts: PlaybookTexts) => texts.fix },
  {
    id: "prevent",
    title: "Prevent it",
    note: "So that it does not come back.",
    of: (texts: PlaybookTexts) => texts.prevent,
  },
  {
    id: "false-alarms",
    title: "False alarms",
    note: "And how to tune the detector.",
    of: (texts: PlaybookTexts) => texts.false_alarms,
  },
] as const;

/** Where a webhook's link leads: what a class means, and what to do. */
export function PlaybookPage() {
  const { failureClass } = useParams({ from: "/signed-in/app/playbooks/$failureClass" });
  const { data, error, isPending, refetch } = useQuery(playbookQuery(failureClass));
  const crumbs = [
    <Link key="playbooks" to="/app/playbooks" search={(current) => current}>
      Playbooks
    </Link>,
  ];
  if (isPending || data === undefined) {
    const isMissing = error instanceof ApiError && error.status === 404;
    return (
      <>
        <PageHeader title={formatClass(failureClass)} crumbs={crumbs} />
        {isPending ? (
          <Card>
            <SkeletonRows rows={10} />
          </Card>
        ) : isMissing ? (
          <EmptyState
            title="There is no such failure class"
            action={
              <Link to="/app/playbooks" className={buttonClasses()}>
                All playbooks
              </Link>
            }
          />
        ) : (
          <ErrorState error={error} title="The playbook could not be loaded" onRetry={refetch} />
        )}
      </>
    );
  }
  const { playbook } = data;
  return (
    <>
      <PageHeader
        title={formatClass(failureClass)}
        crumbs={crumbs}
        description={data.summary}
        marks={<SeverityBadge severity={data.severity} />}
      />
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_24rem]">
        {playbook === null ? (
          <EmptyState title="Nothing is written for this class yet" />
        ) : (
          <article className="min-w-0 max-w-3xl lg:row-span-2 text-[0.9375rem] leading-relaxed">
            <p className="text-base leading-relaxed">
              <PlaybookText text={playbook.meaning} />
            </p>
            {parts.map(({ id, title, note, of }) => (
              <PlaybookPart key={id} id={id} title={title} note={note} isOrdered={id !== "false-alarms"}>
                {of(playbook)}
              </PlaybookPart>
            ))}
            {playbook.references.length === 0 ? null : (
              <section className="mt-7" aria-labelledby="references">
                <h2 id="references" className="mb-2 text-base font-semibold">
                  Read on
                </h2>
                <ul className="flex flex-col gap-1.5">
                  {playbook.references.map(({ label, url }) => (
                    <li key={url}>
                      <a
                        href={url}
                        target="_blank"
                        rel="noreferrer"
                        className="inline-flex items-baseline gap-1.5 text-accent hover:underline"
                      >
                        {label}
                        <ExternalLink className="size-3 shrink-0" aria-hidden />
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </article>
        )}
        <div className="min-w-0 max-lg:order-first lg:col-start-2">
          <ClassGroups failureClass={failureClass} />
        </div>
        <aside aria-label="About this class" className="flex min-w-0 flex-col gap-4 lg:col-start-2">
          {playbook === null ? null : <Contents />}
          <Card title="Taxonomy">
            <TaxonomyBadges taxonomy={data.taxonomy} />
          </Card>
          <Card title="Detector">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
              <dt className="text-muted">Class</dt>
              <dd className="font-mono text-xs break-words">{data.failure_class}</dd>
              <dt className="text-muted">Version</dt>
              <dd>{data.version}</dd>
              <dt className="text-muted">Groups by</dt>
              <dd>{data.signature.join(", ") || "the class alone"}</dd>
            </dl>
            <TuneLink failureClass={data.failure_class} />
          </Card>
        </aside>
      </div>
    </>
  );
}

interface PlaybookPartProps {
  id: string;
  title: string;
  note: string;
  isOrdered: boolean;
  children: readonly string[];
}

function PlaybookPart({ id, title, note, isOrdered, children }: PlaybookPartProps) {
  if (children.length === 0) return null;
  const items: ReactNode[] = children.map((text) => (
    <li key={text} className="pl-1">
      <PlaybookText text={text} />
    </li>
  ));
  return (
    <section className="mt-7 scroll-mt-16" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-2 flex flex-wrap items-baseline gap-x-2 text-base font-semibold">
        {title}
        <span className="text-sm font-normal text-muted">{note}</span>
      </h2>
      {isOrdered ? (
        <ol className="flex list-decimal flex-col gap-2.5 pl-5 marker:font-semibold marker:text-faint">
          {items}
        </ol>
      ) : (
        <ul className="flex list-disc flex-col gap-2.5 pl-5 marker:text-faint">{items}</ul>
      )}
    </section>
  );
}

/**
 * Where the false alarms that the page tells of are turned off, in the project that the side bar is about.
 */
function TuneLink({ failureClass }: { failureClass: string }) {
  const projectId = useShellProjectId();
  if (projectId === null) return null;
  return (
    <Link
      to="/app/p/$projectId/settings/detectors"
      params={{ projectId }}
      search={{ q: failureClass, class: failureClass }}
      className={classes(buttonClasses("secondary", "small"), "mt-3")}
    >
      Thresholds and allow-list
    </Link>
  );
}

/** The parts of the page, for whoever needs one of them now. */
function Contents() {
  return (
    <nav aria-label="Parts of this playbook" className="max-lg:hidden">
      <Card title="On this page">
        <ul className="flex flex-col gap-1 text-sm">
          {parts.map(({ id, title }) => (
            <li key={id}>
              <Link
                to="."
                search={(current) => current}
                hash={id}
                className="text-muted hover:text-ink hover:underline"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </nav>
  );
}
