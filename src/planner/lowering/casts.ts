/**
 * A target's rules for casts, by the kind of the wanted type and the kind of the operand. A target has a rule for every wanted
 * kind, which the compiler checks; operand kinds without a rule are refused.
 */
import type { Cast } from "../syntax/tree.ts";
import { type SqlType, typeOrUnknown } from "../types.ts";
import type { Refusal, Rule, Words } from "./rules.ts";

type Castable = SqlType["kind"];

/** Nothing is cast to the type of NULL. */
type Wanted = Exclude<Castable, "null">;

/** The rules for casts to one kind, or the reason why there are none. */
type CastsTo = ReadonlyMap<string, Rule<Cast>> | Refusal;

export type Casts = Readonly<Record<Wanted, CastsTo>>;

/** Keys are kinds separated by blanks; `*` is every other kind. */
type Row<Given> = {
  readonly [Kinds in keyof Given]: [Words<Kinds & string>] extends [Castable | "*"] ? Rule<Cast> : never;
};

export function castRules<const Table extends Readonly<Record<Wanted, object>>>(
  table: Table & { readonly [To in keyof Table]: To extends Wanted ? Refusal | Row<Table[To]> : never },
): Casts {
  // Each row has the form that its type requires.
  const rows = Object.entries(table as Readonly<Record<string, Refusal | Claims>>);
  return Object.fromEntries(rows.map(([to, row]) => [to, isRefusal(row) ? row : claimsOf(row)])) as Casts;
}

type Claims = Readonly<Record<string, Rule<Cast>>>;

function isRefusal(row: Refusal | Claims): row is Refusal {
  return typeof row["refused"] === "string";
}

function claimsOf(row: Claims): ReadonlyMap<string, Rule<Cast>> {
  return new Map(Object.entries(row).flatMap(([kinds, rule]) => kinds.split(" ").map((kind) => [kind, rule])));
}

/** For the input language's own casts, each of which PostgreSQL supports or refuses. */
export function castsOfAllKinds(rule: Rule<Cast>): Casts {
  const row = { "*": rule };
  return castRules({
    ...{ boolean: row, integer: row, decimal: row, float: row, text: row, binary: row, uuid: row, json: row },
    ...{ date: row, time: row, timestamp: row, interval: row, array: row, row: row, opaque: row },
  });
}

export function castRule(casts: Casts, node: Cast): Rule<Cast> {
  const [from, to] = [typeOrUnknown(node.operand).kind, typeOrUnknown(node).kind];
  const row = to === "null" ? undefined : casts[to];
  if (row !== undefined && "refused" in row) return row;
  return row?.get(from) ?? row?.get("*") ?? { refused: `a cast from ${from} to ${to}` };
}
