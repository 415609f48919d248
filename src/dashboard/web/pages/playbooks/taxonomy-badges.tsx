import type { FailureClass } from "../../../api/failure-classes.ts";
import { Badge } from "../../components/badge.tsx";
import { taxonomiesOf } from "./taxonomy.ts";

/** The ids of a class in public taxonomies, each a link to where it is published. */
export function TaxonomyBadges({ taxonomy }: { taxonomy: FailureClass["taxonomy"] }) {
  const named = taxonomiesOf(taxonomy).filter(({ entries }) => entries.length > 0);
  if (named.length === 0) return <span className="text-sm text-muted">In none</span>;
  return (
    <dl className="flex flex-col gap-2.5">
      {named.map(({ name, entries }) => (
        <div key={name}>
          <dt className="mb-1 text-xs text-muted">{name}</dt>
          <dd>
            <ul className="flex flex-wrap gap-1.5">
              {entries.map(({ id, url }) => (
                <li key={id} className="flex">
                  <a
                    href={url}
                    target="_blank"
                    rel="noreferrer"
                    className="rounded-full hover:brightness-95 dark:hover:brightness-125"
                  >
                    <Badge>{id}</Badge>
                  </a>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
