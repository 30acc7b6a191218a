/** Frames of so many days: MariaDB has none of intervals, and both count days by their numbers. */
import { isNullable } from "../../binding/nullability.ts";
import { isRandom } from "../../binding/volatility.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { intervalParts } from "../../intervals.ts";
import { call, integer, typed } from "../../syntax/build.ts";
import type { Call, Expression, FrameBound, Window } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { INTEGER, typeOrUnknown } from "../../types.ts";

/**
 * Bound and not lowered yet, without constants among the keys: they tell no rows apart, a number would be taken for a position,
 * and MariaDB gives other windows of the same SELECT wrong values (`quirks/bare-windows.ts`).
 */
export function plainWindow(window: Window): Window {
  return daysAsNumbers({
    ...window,
    partitionBy: window.partitionBy.filter(varies),
    orderBy: window.orderBy.filter(({ expression }) => varies(expression)),
  });
}

const VARYING: ReadonlySet<Expression["kind"]> = new Set([
  "bound",
  "column",
  "opaque",
  "session",
  "scalar-query",
  "exists",
  "in-query",
  "quantified",
] as const);

/** `count(*)` of a group names no column. */
const ofRows = (call: Call): boolean => isAggregateCall(call, findFunction(functionName(call)));

function varies(key: Expression): boolean {
  return someExpression(
    key,
    (each) => VARYING.has(each.kind) || (each.kind === "call" && (isRandom(each) || ofRows(each))),
  );
}

/** `RANGE BETWEEN INTERVAL '7 days' PRECEDING …` over a date. */
function daysAsNumbers(window: Window): Window {
  const { frame, orderBy } = window;
  const bounds = [frame?.start, frame?.end];
  const isOffset = (bound: FrameBound | undefined): boolean => bound !== undefined && "offset" in bound;
  if (frame === undefined || frame.unit !== "range" || !bounds.some(isOffset)) return window;
  const [key, ...others] = orderBy;
  if (key === undefined || others.length > 0) return window;
  const isUnbounded = bounds.some((bound) => bound?.kind.startsWith("unbounded"));
  if (isNullable(key.expression) && isUnbounded) {
    throw unsupported("a frame of values that may be NULL, up to its end", frame.span, "Filter the NULLs first.");
  }
  // Among others of its kind, NULL is in the frame of NULLs alone, wherever they stand.
  if (typeOrUnknown(key.expression).kind !== "date") return { ...window, orderBy: [{ ...key, nulls: natural(key) }] };
  const days = (bound: FrameBound): FrameBound => {
    if (bound.kind !== "preceding" && bound.kind !== "following") return bound;
    const parts = bound.offset.kind === "interval" ? intervalParts(bound.offset) : undefined;
    if (parts === undefined || parts.months !== 0 || parts.microseconds !== 0n) {
      throw unsupported(
        "a RANGE frame of dates in longer units",
        frame.span,
        "Count it in days: INTERVAL '30 days' PRECEDING.",
      );
    }
    return { ...bound, offset: integer(parts.days, bound.offset) };
  };
  const expression = call("to_days", [key.expression], typed(INTEGER, key.expression));
  return {
    ...window,
    orderBy: [{ ...key, expression, nulls: natural(key) }],
    frame: { ...frame, start: days(frame.start), end: frame.end && days(frame.end) },
  };
}

/** Where NULLs are without a word, so that there is one key. */
function natural({ direction }: { readonly direction: "asc" | "desc" | undefined }): "first" | "last" {
  return direction === "desc" ? "last" : "first";
}
