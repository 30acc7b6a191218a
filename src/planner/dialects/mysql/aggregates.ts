/** Aggregates and window functions that MySQL or MariaDB lacks. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { refuseStructures } from "../../lowering/comparable.ts";
import { chosenOfReals, neighbourOfReals } from "../../lowering/numbers/reals.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { refuseExtremeUuids } from "../../lowering/uuids.ts";
import {
  binary,
  call,
  cases,
  cast,
  inPlaceOf,
  integer,
  isNull,
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DOUBLE, JSON_TYPE, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";
import { exact } from "./exact-text.ts";
import { refuseDistinctQuery } from "./quirks/distinct-queries.ts";

/** Joins values that differ exactly: texts that a collation folds would be joined once (`exact-text.ts`). */
export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined || node.over !== undefined) {
    throw unsupported("string_agg over a window", node.span, "Group the rows in a subquery.");
  }
  if (separator?.kind !== "string" || separator.value.includes("\\")) {
    throw unsupported("a computed separator", node.span, "Write it as a literal, without a backslash.");
  }
  return { ...withArguments(renamed(node, "group_concat"), [textOf(value, value), separator]), orderBy: node.orderBy };
}

/** GROUP_CONCAT joins these; no number holds one. */
const SEPARATOR = ",";

/** `$1` is the list of values, `$2` the fraction, and `$3` the number of values. */
const nth = (place: string, type: string): string =>
  `CAST(substring_index(substring_index($1, '${SEPARATOR}', ${place}), '${SEPARATOR}', -1) AS ${type})`;
const nthAs = (type: string) => sql(`CASE WHEN $3 > 0 THEN ${nth("greatest(ceil($2 * $3), 1)", type)} END`);
const PLACE = "$2 * ($3 - 1)";
const [LOW, HIGH] = ["floor", "ceil"].map((name) => nth(`${name}(${PLACE}) + 1`, "double precision"));
const BETWEEN_TWO = sql(`CASE WHEN $3 > 0 THEN ${LOW} + (${HIGH} - ${LOW}) * (${PLACE} - floor(${PLACE})) END`);

/**
 * `percentile_cont(p) WITHIN GROUP (ORDER BY x)`: MySQL has none, MariaDB as a window only. The values are joined in order
 * and the ones at the place taken out again; numbers keep all their digits in that.
 */
export function percentile(node: Call): Expression {
  const isContinuous = node.name[0]?.name === "percentile_cont";
  const [fraction] = values(node);
  const [sort] = node.withinGroup;
  const type = sort && typeOrUnknown(sort.expression).kind;
  const isNumber = type === "integer" || type === "decimal" || type === "float";
  if (fraction?.kind !== "number" || sort === undefined || node.over !== undefined || node.distinct || !isNumber) {
    throw unsupported(
      "a percentile with these arguments",
      node.span,
      "Ask for a literal fraction of numbers, in a grouped query.",
    );
  }
  const { span } = node;
  // PostgreSQL counts to the place in double precision: 0.07 of a hundred values is the eighth.
  const share: Expression = { ...fraction, text: `${fraction.text}e0`, type: DOUBLE };
  // A real's text has six digits.
  const value = isReal(sort.expression)
    ? cast(sort.expression, "double precision", { span, type: DOUBLE })
    : sort.expression;
  const joined: Call = {
    ...call("group_concat", [value, text(SEPARATOR, node)], { span, type: TEXT }),
    orderBy: [{ ...sort, nulls: undefined }],
  };
  const count = call("count", [value], { span, type: BIGINT });
  const template = isContinuous ? BETWEEN_TWO : nthAs(resultOf(typeOrUnknown(value)));
  return spelled(template, [joined, share, count], node);
}

/** The text of the value itself, which a double might not hold. */
function resultOf(type: SqlType): string {
  if (type.kind === "float") return "double precision";
  return type.kind === "integer" ? "bigint" : `numeric(65, ${type.kind === "decimal" ? (type.scale ?? 30) : 0})`;
}

const isReal = ({ type }: Expression): boolean => type?.kind === "float" && type.bits === 32;

/** MariaDB's LAG and LEAD have no value for rows that are not there. */
export function neighbour(found: Call): Expression {
  const node = neighbourOfReals(found);
  const [value, offset, otherwise] = values(node);
  if (value === undefined || node.over === undefined) return node;
  if (offset !== undefined && (offset.kind !== "number" || !/^\d+$/.test(offset.text))) {
    throw unsupported("a computed distance between rows", offset.span, "Write it as a literal.");
  }
  if (otherwise === undefined) return node;
  const { span } = node;
  const plain = withArguments(node, offset === undefined ? [value] : [value, offset]);
  const distance = offset ?? integer(1, node);
  const row: Call = { ...call("row_number", [], { span, type: BIGINT }), over: node.over };
  const isFirst = binary(row, "<=", distance, { span, type: BOOLEAN });
  if (node.name[0]?.name === "lag") return cases([{ when: isFirst, then: otherwise }], plain, inPlaceOf(node));
  if (node.over.named) throw unsupported("lead with a default over a named window", span, "Write the window out.");
  const all: Call = {
    ...call("count", [], { span, type: BIGINT }),
    star: true,
    over: { ...node.over, orderBy: [], frame: undefined },
  };
  const isLast = binary(binary(all, "-", row, { span, type: BIGINT }), "<", distance, { span, type: BOOLEAN });
  return cases([{ when: isLast, then: otherwise }], plain, inPlaceOf(node));
}

/** The greatest or least of a group, which is found by the order of its values. */
export function extremeOfGroup(node: Call): undefined {
  refuseExtremeUuids(node);
  for (const value of values(node)) refuseStructures(value);
}

/** The greatest or least of the values that are not NULL. */
export function extreme(found: Call): Expression {
  refuseExtremeUuids(found);
  const node = chosenOfReals(found);
  const all = values(node);
  for (const value of all) refuseStructures(value);
  if (!all.some(isNullable)) return node;
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const filled = all.map((value, index) => {
    if (!isNullable(value)) return value;
    const others = [...all.slice(index + 1), ...all.slice(0, index)];
    return call("coalesce", [value, ...others], { span: value.span, type: typeOrUnknown(node) });
  });
  return withArguments(node, filled);
}

export function countedNulls(node: Call, areNull: boolean): Expression {
  const parts = values(node).map((value) => isNull(value, !areNull));
  return parts
    .slice(1)
    .reduce<Expression>((sum, part) => binary(sum, "+", part, inPlaceOf(node)), parts[0] ?? integer(0, node));
}

/** `count(DISTINCT (a, b))`: a row is a value whatever is in it, and MySQL's list of several leaves out what holds NULLs. */
export function countedRows(node: Call): Expression | undefined {
  const [value, ...others] = values(node);
  if (value !== undefined && node.distinct) refuseDistinctQuery(value, node);
  if (value?.kind !== "row" || others.length > 0) return undefined;
  if (!node.distinct) return { ...node, arguments: [], star: true };
  const parts = value.elements.map((each) => (each.type?.kind === "text" ? exact(each) : each));
  const shown = cast(call("json_array", parts, typed(JSON_TYPE, value)), "text", typed(TEXT, value));
  return withArguments(node, [exact(shown)]);
}
