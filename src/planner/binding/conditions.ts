/** Conditions, sort keys and windows: the shapes that clauses and calls share. */
import { PlannerError } from "../diagnostics.ts";
import { cast } from "../syntax/build.ts";
import type { Expression, SortItem, Window } from "../syntax/tree.ts";
import { BOOLEAN, describeType, familyOf, INTERVAL, isNumeric, isUnknown } from "../types.ts";
import { bindIn, type ExpressionBinding } from "./binding.ts";
import { convertTo, flagBeside, isTruth, typeOf } from "./coercion.ts";
import { bindKeyOfText } from "./collations.ts";
import { checkBase } from "./named-windows.ts";
import { onlyTruth } from "./query-comparisons.ts";
import { refuseDistances } from "./session-zone.ts";

/** Binds a condition (WHERE, HAVING, ON …): anything but boolean is refused. */
export function bindCondition(expression: Expression, binding: ExpressionBinding): Expression {
  return onlyTruth(condition(bindIn(expression, binding), binding.clause.name));
}

/** Anything but boolean is refused; `what` needs the condition. */
export function condition(expression: Expression, what: string): Expression {
  if (expression.kind === "string" && !isTruth(expression.value)) {
    throw new PlannerError("TYPE_MISMATCH", `${what} needs a condition, not a text`, {
      span: expression.span,
      hint: "Write the whole comparison on each side: x LIKE 'a%' OR x LIKE 'b%'.",
    });
  }
  const converted = convertTo(flagBeside(expression, BOOLEAN), BOOLEAN);
  const type = typeOf(converted);
  // PostgreSQL gives a computed NULL the type text.
  if (type.kind === "null" && converted.kind !== "null") {
    return cast(converted, "boolean", { span: converted.span, type: BOOLEAN });
  }
  if (type.kind === "boolean" || type.kind === "null" || isUnknown(type)) return converted;
  throw new PlannerError("TYPE_MISMATCH", `${what} needs a condition, not ${describeType(type)}`, {
    span: expression.span,
    hint: isNumeric(type) ? "Compare it, for example … <> 0." : "Compare it with a value.",
  });
}

export function bindSortItem(item: SortItem, binding: ExpressionBinding): SortItem {
  return { ...item, expression: bindKeyOfText(item.expression, (each) => bindIn(each, binding)) };
}

export function bindWindow(window: Window, binding: ExpressionBinding): Window {
  const inner = { ...binding, clause: { ...binding.clause, name: "a window", windows: false } };
  const bound = (expression: Expression): Expression => bindIn(expression, inner);
  const { frame } = window;
  const orderBy = window.orderBy.map((item) => bindSortItem(item, inner));
  const [key] = orderBy;
  const isTimed =
    frame?.unit === "range" && key !== undefined && ["datetime", "time"].includes(familyOf(typeOf(key.expression)));
  const offset = (expression: Expression): Expression => {
    const value = bound(expression);
    return isTimed ? convertTo(value, INTERVAL) : value;
  };
  checkBase(window, binding.namedWindows ?? new Map());
  const placed: Window = {
    ...window,
    partitionBy: window.partitionBy.map(bound),
    orderBy,
    frame: frame && {
      ...frame,
      start: "offset" in frame.start ? { ...frame.start, offset: offset(frame.start.offset) } : frame.start,
      end: frame.end && "offset" in frame.end ? { ...frame.end, offset: offset(frame.end.offset) } : frame.end,
    },
  };
  refuseDistances(placed, binding.binder.context);
  return placed;
}
