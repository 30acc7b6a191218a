/** Aggregates that BigQuery lacks, or has with other results. What is looked up in an order is collected in it. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/long-decimals.ts";
import {
  binary,
  call,
  cases,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  logical,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, INTEGER, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

/** Values that are NULL are left out, so their own key needs no place for NULLs; DISTINCT would refuse one. */
function sortKeys(node: Call, value: Expression): readonly SortItem[] {
  return node.orderBy.filter(({ expression }) => !(expression.kind === "is" && isSame(expression.operand, value)));
}

/** The same column, or the same literal. */
function isSame(left: Expression, right: Expression): boolean {
  return left === right || (left.kind === "bound" && right.kind === "bound" && left.column === right.column);
}

/** The texts are sorted by other values than they are made of, where those are no texts. */
function refuseOtherOrder(node: Call, value: Expression): void {
  if (!node.distinct || sortKeys(node, value).every(({ expression }) => isSame(expression, value))) return;
  throw unsupported("DISTINCT beside an order by something else", node.span, "Make the rows distinct in a subquery.");
}

export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined) return node;
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  refuseOtherOrder(node, value);
  const shown = textOf(value, value);
  if (node.distinct && shown !== value && node.orderBy.length > 0) {
    throw unsupported("DISTINCT texts in the order of other values", node.span, "Cast them in a subquery.");
  }
  return { ...withArguments(node, [shown, separator]), orderBy: sortKeys(node, value) };
}

/** NULL where nothing was collected, as `string_agg`; NULLs are skipped (semantics.md). */
export function gathered(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (typeOrUnknown(value).kind === "array") throw unsupported("an array of arrays", node.span);
  if (node.over !== undefined) throw unsupported("array_agg over a window", node.span);
  refuseOtherOrder(node, value);
  return { ...node, nulls: "ignore", orderBy: sortKeys(node, value) };
}

/** Its own may be a NULL. */
export function anyValue(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (node.over !== undefined) throw unsupported("any_value over a window", node.span, "Use min or max.");
  return isNullable(value) ? call("any of", [value], inPlaceOf(node)) : node;
}

/** Its own counts over windows alone: the values are collected in their order. */
export function percentile(node: Call): Expression {
  const isContinuous = node.name[0]?.name === "percentile_cont";
  const [fraction] = values(node);
  const [sort] = node.withinGroup;
  const kind = sort && typeOrUnknown(sort.expression).kind;
  const isNumber = kind === "integer" || kind === "decimal" || kind === "float";
  const isFraction = fraction?.kind === "number" && Number(fraction.text) <= 1;
  if (!isFraction || sort === undefined || node.over !== undefined || node.distinct || (isContinuous && !isNumber)) {
    throw unsupported("this percentile", node.span, "Ask for a literal fraction from 0 to 1, in a grouped query.");
  }
  // FILTER has become a CASE, which is no column.
  const value = isContinuous ? asDouble(sort.expression) : sort.expression;
  const chosen =
    node.filter === undefined ? value : when(node.filter, value, undefined, typed(typeOrUnknown(value), value));
  const sorted = call("array_agg", [chosen], typed({ kind: "array", element: typeOrUnknown(value) }, node));
  const list: Call = {
    ...sorted,
    nulls: "ignore",
    orderBy: [{ ...sort, expression: chosen, nulls: undefined }],
  };
  const count = call("count", [chosen], typed(BIGINT, node));
  const share = text(`${fraction.text}${/[.e]/i.test(fraction.text) ? "" : ".0"}`, fraction);
  return call(isContinuous ? "between two of" : "one of", [list, count, share], inPlaceOf(node));
}

/** Only pairs without NULL count. */
export function ofPairs(node: Call): Expression {
  const [y, x] = values(node);
  if (x === undefined || y === undefined) return node;
  const at = typed(DOUBLE, node);
  const both = logical("and", [isNull(y, true), isNull(x, true)], node);
  const paired = (value: Expression): Expression => when(both, asDouble(value), undefined, at);
  const of = (name: string, list: readonly Expression[]): Call => ({ ...call(name, list, at), over: node.over });
  const count = of("count", [when(both, integer(1, node), undefined, typed(INTEGER, node))]);
  const spread = (value: Expression): Call => of("var_pop", [paired(value)]);
  const together = of("covar_pop", [asDouble(y), asDouble(x)]);
  const product = (value: Expression): Expression => binary(asDouble(count), "*", value, inPlaceOf(node));
  const isFlat = (value: Expression): Expression => comparison(spread(value), "=", integer(0, node), node);
  const nothing: Expression = { kind: "null", span: node.span, type: DOUBLE };
  const slope = binary(together, "/", spread(x), at);
  switch (node.name[0]?.name) {
    case "regr_count":
      return { ...count, ...(node.type && { type: node.type }) };
    case "regr_avgx":
      return of("avg", [paired(x)]);
    case "regr_avgy":
      return of("avg", [paired(y)]);
    case "regr_sxx":
      return product(spread(x));
    case "regr_syy":
      return product(spread(y));
    case "regr_sxy":
      return product(together);
    case "regr_slope":
      return cases([{ when: isFlat(x), then: nothing }], slope, at);
    case "regr_intercept": {
      const line = binary(of("avg", [paired(y)]), "-", binary(slope, "*", of("avg", [paired(x)]), at), at);
      return cases([{ when: isFlat(x), then: nothing }], line, at);
    }
    case "corr": {
      const flat = logical("or", [isFlat(x), isFlat(y)], node);
      return cases([{ when: flat, then: nothing }], of("corr", [asDouble(y), asDouble(x)]), at);
    }
    default: {
      const correlation = of("corr", [asDouble(y), asDouble(x)]);
      const branches = [
        { when: isFlat(x), then: nothing },
        { when: isFlat(y), then: { kind: "number", text: "1e0", span: node.span, type: DOUBLE } as const },
      ];
      return cases(branches, binary(correlation, "*", correlation, at), at);
    }
  }
}

/** The greatest or least of the values that are not NULL: their own are NULL with any. */
export function extreme(node: Call): Expression {
  const list = values(node);
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  if (!list.some(isNullable)) return node;
  return call(node.name[0]?.name === "greatest" ? "greatest of" : "least of", list, inPlaceOf(node));
}
