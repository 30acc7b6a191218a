/** Aggregates (https://docs.snowflake.com/en/sql-reference/functions-aggregation): of no values some have an empty one where PostgreSQL has NULL. */
import { isNullable } from "../../binding/nullability.ts";
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { call, comparison, inPlaceOf, integer, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

/** Their keys stand in WITHIN GROUP. */
function sorted(node: Call, given: readonly Expression[]): Call {
  const keys: readonly SortItem[] = node.orderBy;
  return { ...node, arguments: given.map((value) => ({ name: undefined, value })), orderBy: [], withinGroup: keys };
}

/** LISTAGG of no values is an empty text. */
export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined) return node;
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  if (node.over !== undefined)
    throw unsupported("string_agg over a window", node.span, "Group the rows in a subquery.");
  if (node.distinct && node.orderBy.some(({ expression }) => !sameExpression(expression, value))) {
    throw unsupported("DISTINCT beside an order by something else", node.span, "Make the rows distinct in a subquery.");
  }
  const shown = textOf(value, value);
  if (node.distinct && shown !== value && node.orderBy.length > 0) {
    throw unsupported("DISTINCT texts in the order of other values", node.span, "Cast them in a subquery.");
  }
  const count = call("count", [value], typed(BIGINT, node));
  const isThere = comparison(count, ">", integer(0, node), node);
  const joined = { ...sorted(node, [shown, separator]), ...call("listagg", [shown, separator], inPlaceOf(node)) };
  return when(isThere, { ...joined, distinct: node.distinct, withinGroup: node.orderBy }, undefined, inPlaceOf(node));
}

/** Its own may be a NULL. */
export function anyValue(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (!isNullable(value)) return node;
  const { kind } = typeOrUnknown(value);
  if (kind === "boolean") return { ...node, ...call("boolor_agg", [value], inPlaceOf(node)), over: node.over };
  if (["integer", "decimal", "float", "text", "date", "time", "timestamp"].includes(kind)) {
    return { ...node, ...call("max", [value], inPlaceOf(node)), over: node.over };
  }
  throw unsupported(`any value of ${kind} that may be NULL`, node.span, "Use max of something else.");
}

/** Exact there, of groups: https://docs.snowflake.com/en/sql-reference/functions/percentile_cont */
export function percentile(node: Call): Expression {
  const isContinuous = node.name[0]?.name === "percentile_cont";
  const [fraction] = values(node);
  const [sort, ...others] = node.withinGroup;
  const kind = sort && typeOrUnknown(sort.expression).kind;
  const isNumber = kind === "integer" || kind === "decimal" || kind === "float";
  const isFraction = fraction?.kind === "number" && Number(fraction.text) <= 1;
  const isPlain = node.over === undefined && !node.distinct && others.length === 0;
  if (!isFraction || sort === undefined || !isPlain || (isContinuous && !isNumber)) {
    throw unsupported(
      "a percentile with these arguments",
      node.span,
      "Ask for a literal fraction from 0 to 1, in a grouped query.",
    );
  }
  const value = isContinuous ? asDouble(sort.expression) : sort.expression;
  return { ...node, withinGroup: [{ ...sort, expression: value, nulls: undefined }] };
}

/** Whole numbers alone. */
export const ofIntegers =
  (name: string) =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value !== undefined && typeOrUnknown(value).kind === "integer") {
      return { ...node, name: call(name, [], inPlaceOf(node)).name };
    }
    throw unsupported(`${node.name[0]?.name} of this`, node.span);
  };

/** The greatest or least of the values that are not NULL: https://docs.snowflake.com/en/sql-reference/functions/greatest_ignore_nulls */
export function extreme(node: Call): Expression {
  const list = values(node);
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  if (!list.some(isNullable)) return node;
  return call(`${node.name[0]?.name}_ignore_nulls`, list, inPlaceOf(node));
}

/** The result for a NULL beside the greatest is not documented: https://docs.snowflake.com/en/sql-reference/functions/max_by */
export function refuseNullableValue(node: Call): undefined {
  const [value] = values(node);
  if (value === undefined || !isNullable(value)) return;
  throw unsupported(`${node.name[0]?.name} of a value that may be NULL`, node.span, "Use row_number() in a subquery.");
}
