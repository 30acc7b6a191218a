/** Percentiles, one or several at once, for the rows that PostgreSQL counts. */
import { unsupported } from "../../diagnostics.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { all, cast, isNull, renamed, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, type SqlType } from "../../types.ts";

/** The fractions that are asked for, all of them constants from 0 to 1. */
function fractionsOf(node: Call): readonly Expression[] {
  const [asked] = values(node);
  if (asked === undefined) return [];
  const fractions = asked.kind === "array" ? asked.elements : [asked];
  const strange = fractions.find((fraction) => !isFraction(fraction));
  if (strange === undefined && fractions.length > 0) return fractions;
  throw unsupported("a percentile with that fraction", (strange ?? asked).span, "Write it as a number from 0 to 1.");
}

function isFraction(value: Expression): boolean {
  if (value.kind === "cast") return isFraction(value.operand);
  return value.kind === "number" && Number(value.text) <= 1;
}

/** DuckDB would interpolate within the type: between the decimals 1.00 and 1.01 it would find 1.00. */
export function interpolated(node: Call): Expression {
  fractionsOf(node);
  const withinGroup = node.withinGroup.map((item) =>
    ["decimal", "integer", "float"].includes(item.expression.type?.kind ?? "")
      ? { ...item, expression: cast(item.expression, "double precision", { span: item.span, type: DOUBLE }) }
      : item,
  );
  return { ...node, withinGroup };
}

const AT_FRACTION = sql("$1[greatest(CAST(ceil(CAST($2 AS double precision) * $3) AS bigint), 1)]");
const IF_ROWS = sql("CASE WHEN $1 > 0 THEN $2 END");

/** PostgreSQL multiplies the number of rows as a double, and 0.07 of 100 rows is the eighth; DuckDB finds the seventh. */
export function chosen(node: Call): Expression {
  const fractions = fractionsOf(node);
  const [asked] = values(node);
  const [item] = node.withinGroup;
  if (item === undefined) return node;
  const { span } = node;
  const filter = all([...(node.filter === undefined ? [] : [node.filter]), isNull(item.expression, true)], node);
  const of = (name: string, type: SqlType): Call => ({
    ...withArguments(node, [item.expression]),
    name: renamed(node, name).name,
    withinGroup: [],
    filter,
    type,
  });
  const element: SqlType = item.expression.type ?? { kind: "opaque", name: "unknown" };
  const sorted: Expression = { ...of("list", { kind: "array", element }), orderBy: [item] };
  const count = of("count", BIGINT);
  const found = fractions.map((fraction) => spelled(AT_FRACTION, [sorted, fraction, count], typed(element, node)));
  const [only] = found;
  if (asked?.kind !== "array" && only !== undefined) return only;
  const list: Expression = { kind: "array", elements: found, span, type: node.type ?? { kind: "array", element } };
  return spelled(IF_ROWS, [count, list], node);
}
