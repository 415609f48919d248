import { Link, type LinkProps } from "@tanstack/react-router";
import {
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFns,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { classes } from "./classes.ts";

export interface TableColumn<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /**
   * Makes the header a button that sorts the rows on screen by this. A list with paging sorts in the API: see
   * `sort`.
   */
  sortValue?: (row: Row) => string | number;
  /** The API can sort by this column (with `sort` and `onSort`). */
  sortable?: boolean;
  align?: "left" | "right";
  /** Left out on narrower screens: sm 640, md 768, lg 1024, xl 1280 pixels. */
  hideBelow?: "sm" | "md" | "lg" | "xl";
  /** Holds buttons, boxes or links of its own, which stay clickable above the row's link. */
  interactive?: boolean;
  /** For the cells and the header: widths ("w-32"). */
  className?: string;
}

export interface TableSort {
  column: string;
  descending: boolean;
}

export interface DataTableProps<Row> {
  /** What the table lists, read out. */
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Where a row leads. The first column becomes the link and its area the whole row. */
  rowLink?: (row: Row) => LinkProps;
  rowClassName?: (row: Row) => string | undefined;
  /** Sorted by the API: the order in force, and what to do about a click on a header. */
  sort?: TableSort;
  onSort?: (sort: TableSort) => void;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns });
const hidden = {
  sm: "max-sm:hidden",
  md: "max-md:hidden",
  lg: "max-lg:hidden",
  xl: "max-xl:hidden",
};

/**
 * A dense table that scrolls within itself. Loading, empty and error are the page's: SkeletonRows,
 * EmptyState, ErrorState.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowId,
  rowLink,
  rowClassName,
  sort,
  onSort,
}: DataTableProps<Row>) {
  const [localSorting, setLocalSorting] = useState<SortingState>([]);
  const sortedByApi = onSort !== undefined;
  const sorting = useMemo(
    () => (sortedByApi ? (sort ? [{ id: sort.column, desc: sort.descending }] : []) : localSorting),
    [sortedByApi, sort, localSorting],
  );
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: object): string | number => column.sortValue?.(row as Row) ?? "",
        enableSorting: column.sortable === true || column.sortValue !== undefined,
        header: () => column.header,
        cell: () => null,
      })),
    [columns],
  );
  // The table keeps the order of rows; what is in them is the page's, so it need not know their type.
  const data = rows as readonly object[];
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row: object) => rowId(row as Row),
    manualSorting: sortedByApi,
    state: { sorting },
    onSortingChange: (update) => {
      const next = typeof update === "function" ? update(sorting) : update;
      const first = next[0];
      if (!sortedByApi) setLocalSorting(next);
      else if (first !== undefined) onSort({ column: first.id, descending: first.desc });
    },
  });

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div tabIndex={0} className="relative overflow-x-auto -outline-offset-2">
      <table aria-label={label} className="w-full border-collapse text-left text-sm">
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b">
              {group.headers.map((header, index) => {
                const column = columns[index]!;
                const sorted = header.column.getIsSorted();
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={sorted === false ? undefined : sorted === "desc" ? "descending" : "ascending"}
                    className={classes(
                      "h-8 px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4",
                      column.align === "right" && "text-right",
                      column.hideBelow && hidden[column.hideBelow],
                      column.className,
                    )}
                  >
                    {header.column.getCanSort() ? (
                      <button
                        type="button"
                        onClick={() => header.column.toggleSorting()}
                        className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink"
                      >
                        {column.header}
                        {sorted === "asc" ? (
                          <ArrowUp className="size-3" aria-hidden />
                        ) : sorted === "desc" ? (
                          <ArrowDown className="size-3" aria-hidden />
                        ) : (
                          <ChevronsUpDown className="size-3 text-faint" aria-hidden />
                        )}
                      </button>
                    ) : (
                      column.header
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => {
            const row = original as Row;
            const link = rowLink?.(row);
            return (
              <tr
                key={id}
                className={classes(
                  "relative border-b last:border-b-0",
                  link !== undefined && "hover:bg-sunken has-[a[data-row-link]:focus-visible]:bg-sunken",
                  rowClassName?.(row),
                )}
              >
                {columns.map((column, index) => (
                  <td
                    key={column.id}
                    className={classes(
                      "h-9 px-3 py-1.5 first:pl-4 last:pr-4",
                      column.align === "right" && "text-right",
                      column.hideBelow && hidden[column.hideBelow],
                      column.className,
                    )}
                  >
                    {link !== undefined && index === columns.findIndex((each) => !each.interactive) ? (
                      <Link
                        {...link}
                        data-row-link
                        className="font-medium text-ink after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                      >
                        {column.cell(row)}
                      </Link>
                    ) : column.interactive ? (
                      <div className="relative z-1">{column.cell(row)}</div>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
