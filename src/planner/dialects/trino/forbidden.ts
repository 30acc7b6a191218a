/** Trino's pass a query through to a source below it (https://trino.io/docs/current/functions/table.html). */
export const TRINO_FORBIDDEN: ReadonlySet<string> = new Set("query raw_query procedure".split(" "));
