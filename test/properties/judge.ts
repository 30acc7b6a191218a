/** Counts of a run, equality of results, and the errors that are allowed. */
import type { PlannerReason } from "../../src/planner/diagnostics.ts";
import type { Facts } from "./world.ts";

export const PROPERTIES = [
  "a calculated column equals its correlated subquery",
  "a to-one column never changes the number of rows",
  "a to-many column never changes the number of rows",
  "a path in the caller's SQL equals its correlated subquery",
  "rows that rules leave equal a table filtered beforehand",
  "a user's rows are among the admin's",
  "three parts of a query make the whole",
  "other aliases and another order change nothing",
  "a query equals the same over tables without a model",
  "a view equals its query",
  "column rules withhold what they say",
] as const;
export type Property = (typeof PROPERTIES)[number];

/** Held by every answer, whatever it is compared with on DuckDB. */
export const TWIN_PROPERTY = "PostgreSQL gives the same rows";

interface Mismatch {
  readonly seed: number;
  readonly property: Property | typeof TWIN_PROPERTY;
  readonly detail: string;
}

/** The result of a run; cases are comparisons, refusals are typed errors where an answer was possible. */
export interface Tally {
  readonly cases: Map<Property, number>;
  readonly refusals: Map<PlannerReason, number>;
  readonly mismatches: Mismatch[];
  /** Answers that were compared with those of the other engine. */
  twins: number;
}

/** Each row as text, its numbers by their value. */
export type Rows = readonly string[];

export function rowText(cells: readonly unknown[]): string {
  return JSON.stringify(cells.map(canonical));
}

/** How two lists of rows differ when their order means nothing; `undefined` when they do not. */
export function difference(expected: Rows, actual: Rows): string | undefined {
  const [wanted, given] = [[...expected].sort(), [...actual].sort()];
  if (wanted.length === given.length && wanted.every((row, index) => row === given[index])) return undefined;
  const missing = wanted.filter((row) => !given.includes(row)).slice(0, 4);
  const extra = given.filter((row) => !wanted.includes(row)).slice(0, 4);
  return `${given.length} rows instead of ${wanted.length}; missing ${missing.join()}; extra ${extra.join()}`;
}

/** `"1.50"`, `"1.5"` and 1.5 are one number. */
function canonical(cell: unknown): unknown {
  if (Array.isArray(cell)) return cell.map(canonical);
  const text = typeof cell === "number" || typeof cell === "bigint" ? String(cell) : cell;
  if (typeof text !== "string" || !/^-?\d+(\.\d+)?$/.test(text)) return cell;
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return short === "-0" ? "0" : short;
}

export interface Refusal {
  readonly reason: PlannerReason;
  readonly message: string;
}

/** The only refusals there are good reasons for. */
export function isJustified({ reason, message }: Refusal, facts: Facts): boolean {
  switch (reason) {
    case "FANOUT":
      // A single value over a relationship that is declared to lead to many (docs/decisions/0015-fan-out.md).
      return facts.declaredToMany;
    case "PRIMARY_KEY_REQUIRED":
      // An aggregate over own columns, or over a condition that is no equality, in a model without key
      // (docs/spec/planner.md#aggregates-over-paths/5).
      return facts.lacksKey;
    case "LIMIT_SIZE":
      // Three of the generated joins over paths of four steps need more.
      return message === "relationship paths need more than 256 joins";
    default:
      return false;
  }
}

export function emptyTally(): Tally {
  return { cases: new Map(), refusals: new Map(), mismatches: [], twins: 0 };
}
