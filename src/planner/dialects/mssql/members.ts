/**
 * Rules for databases of SQL Server's compatibility level 160, which is that of SQL Server 2022, and of Azure's (https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-database-transact-sql-compatibility-level).
 * A newer server in front of an older level does not have GENERATE_SERIES, so the level is the version. What all levels can say otherwise
 * (GREATEST, IS DISTINCT FROM, DATETRUNC to a day) stays as it is: both texts mean the same.
 */
import { unsupported } from "../../diagnostics.ts";
import { columnNamesOf, isAscending, seriesRows } from "../../lowering/arrays/set-returning.ts";
import type { Member, Target } from "../../lowering/target.ts";
import {
  call,
  cast,
  columnOf,
  exactName,
  integer,
  isNull,
  logical,
  queryOf,
  selectItem,
  selectOf,
  typed,
  values,
} from "../../syntax/build.ts";
import type { Call, Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import { truncated, truncatedToPart } from "./times.ts";

/** Constant series: levels are made by recursion; a series for each row of a table needs this form. */
function series(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  const isForRows = [from, to].some((each) => each !== undefined && someExpression(each, isOther));
  if (from === undefined || to === undefined || !isForRows) return seriesRows(table);
  if (table.ordinality) throw unsupported("generate_series with these arguments", table.span);
  if ([from, to, step].some((each) => typeOrUnknown(each).kind !== "integer")) {
    throw unsupported("a series for each row, other than of integers", table.span);
  }
  isAscending(step, table);
  const [first, last, by] = [from, to, step].map((each) => cast(each, "bigint", typed(BIGINT, each)));
  if (first === undefined || last === undefined || by === undefined)
    throw unsupported("generate_series with these arguments", table.span);
  // No manual documents the result for NULL: no NULL is passed on, and its row is left out.
  const at = typed(BIGINT, table);
  const zero = { ...integer(0, table), type: BIGINT };
  const ends = [call("coalesce", [first, last, zero], at), call("coalesce", [last, first, zero], at)];
  const made: TableFunction = { ...table, lateral: false, call: call("generate_series", [...ends, by], at) };
  const [name = "generate_series"] = columnNamesOf(table);
  const value = columnOf(SERIES, "value", typed(BIGINT, table));
  const alias = { name: exactName(SERIES, table.span), columns: [] };
  const rows = selectOf(
    {
      items: [selectItem(value, exactName(name, table.span), value)],
      from: [{ ...made, alias }],
      where: logical("and", [isNull(first, true), isNull(last, true)], table),
    },
    table,
  );
  return {
    kind: "derived",
    query: queryOf(rows),
    lateral: true,
    alias: { name: table.alias?.name ?? exactName(name, table.span), columns: [] },
    span: table.span,
  };
}

/** Within a query of its own, so nothing else is called so. */
const SERIES = "series";

const isOther = ({ kind }: Expression): boolean => kind === "bound" || kind === "column";

/** The two units whose number in a day DATEADD, which counts in INT, may not take. */
function truncatedFurther(node: Call): Expression {
  const [unit] = values(node);
  const name = unit?.kind === "string" ? unit.value.toLowerCase().replace(/s$/, "") : "";
  return name === "millisecond" || name === "microsecond" ? truncatedToPart(name, node) : truncated(node);
}

const with2022 = (all: Target): Target => ({
  ...all,
  // FIRST_VALUE, LAST_VALUE, LAG and LEAD have it; NTH_VALUE does not exist.
  grammar: { ...all.grammar, ignoreNulls: true },
  rewrites: {
    ...all.rewrites,
    functions: new Map([...all.rewrites.functions, ["date_trunc", truncatedFurther] as const]),
    tableFunctions: new Map([...all.rewrites.tableFunctions, ["generate_series", series] as const]),
  },
});

export const MSSQL_MEMBERS: readonly Member[] = [{ range: { product: "mssql", from: [160] }, of: with2022 }];
