export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Fields as they are named in .NET too. */
export function lowered(fields: Fields): Fields {
  for (const key in fields) {
    const first = key.charCodeAt(0);
    if (first < 65 || first > 90) continue;
    const all: Record<string, unknown> = {};
    for (const one in fields) all[one.charAt(0).toLowerCase() + one.slice(1)] = fields[one];
    return all;
  }
  return fields;
}

/** Out of lists of lists that each hold no other. */
export function innerOf(given: unknown): unknown {
  const inner: unknown = Array.isArray(given) && given.length === 1 ? given[0] : undefined;
  return Array.isArray(inner) && inner.length === 1 ? inner[0] : given;
}
