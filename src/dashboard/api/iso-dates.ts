/** A row with its dates as the API writes them: ISO 8601 in UTC. */
export type IsoDates<Row> = {
  [Field in keyof Row]: Row[Field] extends Date
    ? string
    : Row[Field] extends Date | null
      ? string | null
      : Row[Field];
};

export function isoDates<Row extends object>(row: Row): IsoDates<Row> {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, value instanceof Date ? value.toISOString() : value]),
  ) as IsoDates<Row>;
}
