type Search = Record<string, unknown>;

/**
 * The router adds what a route's validateSearch returns to what the address holds, so what is left out as not
 * valid would come through as it is. With this around it, a page sees what was returned and nothing else, and
 * the rest goes from the address.
 */
export function onlyValid<Own extends (search: Search) => object>(validate: Own): Own {
  const without = (search: Search) => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...validate(search),
  });
  return without as Own;
}
