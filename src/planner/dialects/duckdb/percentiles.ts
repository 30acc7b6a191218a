/** Percentiles, one or several at once, for the rows that PostgreSQL counts. */
import { unsupported } from "../../diagnostics.ts";
import {
  all,
  binary,
  call,
  cast,
  inPlaceOf,
  integer,
  isNull,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DOUBLE, type SqlType } from "../../types.ts";

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

/** PostgreSQL multiplies the number of rows as a double, and 0.07 of 100 rows is the eighth; DuckDB finds the seventh. */
export function chosen(node: Call): Expression {
  const fractions = fractionsOf(node);
  const [asked] = values(node);
  const [item] = node.withinGroup;
  if (item === undefined) return node;
  const { span } = node;
  const place = (type: SqlType) => ({ span, type });
  const filter = all([...(node.filter === undefined ? [] : [node.filter]), isNull(item.expression, true)], node);
  const of = (name: string, type: SqlType): Call => ({
    ...withArguments(node, [item.expression]),
    name: call(name, [], inPlaceOf(node)).name,
    withinGroup: [],
    filter,
    type,
  });
  const element: SqlType = item.expression.type ?? { kind: "opaque", name: "unknown" };
  const sorted: Expression = { ...of("list", { kind: "array", element }), orderBy: [item] };
  const count = of("count", BIGINT);
  const found = fractions.map((fraction): Expression => {
    const row = call(
      "ceil",
      [binary(cast(fraction, "double precision", place(DOUBLE)), "*", count, place(DOUBLE))],
      place(DOUBLE),
    );
    const index = call("greatest", [cast(row, "bigint", place(BIGINT)), integer(1, node)], place(BIGINT));
    return { kind: "subscript", operand: sorted, index, span, type: element };
  });
  const [only] = found;
  if (asked?.kind !== "array" && only !== undefined) return only;
  const list: Expression = { kind: "array", elements: found, span, type: node.type ?? { kind: "array", element } };
  return when(binary(count, ">", integer(0, node), place(BOOLEAN)), list, undefined, inPlaceOf(node));
}
