/** Flags of PostgreSQL's regular expressions on DuckDB. */
import { ignoresCase } from "../../lowering/patterns/regular-expressions.ts";

/**
 * Options for DuckDB's regexp functions: `s` always, because `.` matches a newline in PostgreSQL; `i` and `g` as asked for.
 * `undefined` for flags that have no counterpart.
 */
export function re2Options(flags: string): string | undefined {
  if (!/^[gic]*$/.test(flags)) return undefined;
  return `s${ignoresCase(flags) ? "i" : ""}${flags.includes("g") ? "g" : ""}`;
}
