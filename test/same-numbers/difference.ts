/** Compares the rows of two answers, in any order. */
import type { Axis } from "./shop.ts";

export type JudgedAnswer =
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | null)[])[];
      readonly error?: undefined;
    }
  | { readonly error: string };

export interface Difference {
  readonly kind: "explained" | "different";
  readonly reason: string;
}

const EMPTY_GROUP = "a group without a row that meets the filter: MetricFlow leaves it out, Siskin answers NULL or 0";

export function differenceOf(theirs: JudgedAnswer, ours: JudgedAnswer, axes: readonly Axis[]): Difference | undefined {
  if (theirs.error !== undefined) return { kind: "different", reason: `MetricFlow: ${theirs.error}` };
  if (ours.error !== undefined) return { kind: "different", reason: `Siskin: ${ours.error}` };
  const [a, b] = [keyed(theirs.columns, theirs.rows, axes, "theirs"), keyed(ours.columns, ours.rows, axes, "ours")];
  for (const [key, value] of a) {
    if (!b.has(key)) return { kind: "different", reason: `Siskin has no row ${key}` };
    const own = b.get(key) ?? null;
    if (!isEqual(value, own)) return { kind: "different", reason: `${key}: MetricFlow ${value}, Siskin ${own}` };
  }
  const more = [...b].filter(([key]) => !a.has(key));
  if (more.length === 0) return undefined;
  const isEmpty = more.every(([, value]) => value === null || Number(value) === 0);
  return isEmpty
    ? { kind: "explained", reason: EMPTY_GROUP }
    : { kind: "different", reason: `MetricFlow has no row ${more[0]?.[0]}` };
}

function keyed(
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  axes: readonly Axis[],
  side: "ours" | "theirs",
): ReadonlyMap<string, string | null> {
  const names = axes.map((axis) => {
    if (side === "theirs") return axis.theirs;
    return typeof axis.ours === "string" ? axis.ours : axis.ours.dimension;
  });
  const places = names.map((name) => columns.findIndex((column) => column === name || column.startsWith(`${name}__`)));
  const value = columns.findIndex((_, at) => !places.includes(at));
  return new Map(rows.map((row) => [JSON.stringify(places.map((at) => plain(row[at] ?? null))), row[value] ?? null]));
}

/** Truth values in lower case, days without a time, numbers without zeros that mean nothing. */
function plain(text: string | null): string | null {
  if (text === null) return null;
  const lower = text.toLowerCase().replace(/[ t]00:00:00(?:\.0+)?$/, "");
  return /^-?\d+(?:\.\d+)?$/.test(lower) ? String(Number(lower)) : lower;
}

function isEqual(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  const [x, y] = [Number(a), Number(b)];
  return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
}
