/** Shared by the makers of random statements: a statement in PostgreSQL's SQL, and rows to run it on. */
import type { Random } from "../../support/random-query.ts";

export interface Statement {
  readonly sql: string;
  /** Whether it fixes the order of its rows. */
  readonly ordered: boolean;
}

/** One subject's statements: the same random numbers give the same one. */
export type Maker = (random: Random) => Statement;

export const ordered = (sql: string): Statement => ({ sql, ordered: true });
export const unordered = (sql: string): Statement => ({ sql, ordered: false });

/** `(VALUES …) AS alias(names)` of some rows, numbered in the first column; the first row's values say the types. */
export function rows(
  random: Random,
  alias: string,
  columns: Readonly<Record<string, { readonly type: string; readonly values: readonly string[] }>>,
  count = 3 + random.below(5),
): string {
  const all = Object.entries(columns);
  const lines = Array.from({ length: count }, (_, row) => {
    const cells = all.map(([, { type, values }]) => {
      const value = random.pick(values);
      // A number of decimals belongs to each value: among others, a bare one keeps its own digits in PostgreSQL.
      return row === 0 || type.startsWith("numeric") ? `${value}::${type}` : value;
    });
    return `(${[row + 1, ...cells].join(", ")})`;
  });
  return `(VALUES ${lines.join(", ")}) AS ${alias}(${["id", ...all.map(([name]) => name)].join(", ")})`;
}

/** Several different items, in any order. */
export function some<T>(random: Random, items: readonly T[], count: number): readonly T[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(random.below(rest.length), 1)[0]!);
}
