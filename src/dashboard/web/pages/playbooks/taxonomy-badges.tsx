import { Badge } from "../../components/badge.tsx";
import type { FailureClass } from "../../../api/failure-classes.ts";
import { taxonomyEntries } from "./taxonomy.ts";

/** The ids of a class in public taxonomies, each a link to where it is published. */
export function TaxonomyBadges({ taxonomy }: { taxonomy: FailureClass["taxonomy"] }) {
  const entries = taxonomyEntries(taxonomy);
  if (entries.length === 0) return <span className="text-sm text-faint">None</span>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {entries.map(({ taxonomy: name, id, url }) => (
        <li key={`${name} ${id}`} className="flex">
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            title={name}
            className="rounded-full hover:brightness-95 dark:hover:brightness-125"
          >
            <Badge>
              <span className="sr-only">{name} </span>
              {id}
            </Badge>
          </a>
        </li>
      ))}
    </ul>
  );
}
