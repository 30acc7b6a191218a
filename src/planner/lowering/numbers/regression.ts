/**
 * Correlation and regression of exact numbers from their sums, which keep all digits. Sums of doubles lose digits if the values
 * are close together, and PostgreSQL's results do not.
 */

import { unsupported } from "../../diagnostics.ts";
import { binary, call, integer, isNull, type Place, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, NUMERIC, typeOrUnknown } from "../../types.ts";

/** Sums for `(y, x)`, over rows where neither is NULL. */
interface Sums {
  readonly n: Expression;
  readonly x: Expression;
  readonly y: Expression;
  /** n·Σxx − (Σx)² and similar terms: n² times a covariance. */
  readonly xx: Expression;
  readonly yy: Expression;
  readonly xy: Expression;
  readonly over: (a: Expression, b: Expression) => Expression;
  readonly root: (a: Expression, b: Expression) => Expression;
  readonly times: (a: Expression, b: Expression) => Expression;
  readonly less: (a: Expression) => Expression;
}

const RESULTS: Readonly<Record<string, (sums: Sums) => Expression>> = {
  corr: ({ xx, yy, xy, over, root }) => over(xy, root(xx, yy)),
  covar_pop: ({ n, xy, over, times }) => over(xy, times(n, n)),
  covar_samp: ({ n, xy, over, times, less }) => over(xy, times(n, less(n))),
  regr_slope: ({ xx, xy, over }) => over(xy, xx),
  regr_avgx: ({ n, x, over }) => over(x, n),
  regr_avgy: ({ n, y, over }) => over(y, n),
  regr_sxx: ({ n, xx, over }) => over(xx, n),
  regr_syy: ({ n, yy, over }) => over(yy, n),
  regr_sxy: ({ n, xy, over }) => over(xy, n),
};

/** A target's rendering of the sums. */
export interface Totals {
  /** Converts a number so that a sum of products keeps all digits. */
  readonly ofNumber: (value: Expression) => Expression;
  readonly sum: (value: Expression, at: Place) => Expression;
  readonly count: string;
}

/** Computed per group from its sums. */
export const regressionBy =
  (totals: Totals) =>
  (node: Call): Expression =>
    regression(node, totals);

function regression(node: Call, totals: Totals): Expression {
  const [y, x] = values(node).map(totals.ofNumber);
  const result = RESULTS[node.name[0]?.name ?? ""];
  const isExact = (value: Expression): boolean => ["integer", "decimal"].includes(typeOrUnknown(value).kind);
  if (x === undefined || y === undefined || result === undefined || node.over !== undefined || node.distinct) {
    throw unsupported(
      "a regression or correlation over a window",
      node.span,
      "Group the rows, and ask for all of them.",
    );
  }
  if (!isExact(x) || !isExact(y)) {
    throw unsupported("a regression or correlation of doubles", node.span, "Write CAST(… AS numeric(20, 6)).");
  }
  const exact = typed(NUMERIC, node);
  const place = typed(DOUBLE, node);
  const [ofX, ofY] = [when(isNull(y, true), x, undefined, exact), when(isNull(x, true), y, undefined, exact)];
  const sum = (value: Expression): Expression => totals.sum(value, exact);
  const times = (a: Expression, b: Expression): Expression => binary(a, "*", b, exact);
  const n = call(totals.count, [binary(x, "+", y, exact)], typed(BIGINT, node));
  const spread = (a: Expression, b: Expression): Expression =>
    binary(times(n, sum(times(a, b))), "-", times(sum(a), sum(b)), exact);
  const double = (value: Expression): Expression =>
    binary({ kind: "number", text: "1e0", span: node.span, type: DOUBLE }, "*", value, place);
  return result({
    n,
    x: sum(ofX),
    y: sum(ofY),
    xx: spread(ofX, ofX),
    yy: spread(ofY, ofY),
    xy: spread(ofX, ofY),
    times,
    over: (a, b) => binary(double(a), "/", call("nullif", [b, integer(0, node)], place), place),
    root: (a, b) => binary(call("sqrt", [double(a)], place), "*", call("sqrt", [double(b)], place), place),
    less: (a) => binary(a, "-", integer(1, node), exact),
  });
}

/** The number of rows where neither is NULL. */
export const pairs =
  (count: string) =>
  (node: Call): Expression => {
    const [y, x] = values(node);
    return y === undefined || x === undefined
      ? node
      : { ...node, ...call(count, [binary(x, "+", y, typed(NUMERIC, node))], typed(BIGINT, node)), over: node.over };
  };
