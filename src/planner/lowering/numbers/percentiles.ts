/** Arguments of percentile_cont and percentile_disc for engines that compute them from the sorted values. */
import { unsupported } from "../../diagnostics.ts";
import { values } from "../../syntax/build.ts";
import type { Call, NumberLiteral, SortItem } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

export interface PercentileArguments {
  /** percentile_cont, which interpolates between two values. */
  readonly isContinuous: boolean;
  /** A literal from 0 to 1. */
  readonly fraction: NumberLiteral;
  readonly sort: SortItem;
}

/** Throws for a computed fraction, a window, DISTINCT, and percentile_cont of values that are no numbers. */
export function percentileArguments(node: Call): PercentileArguments {
  const isContinuous = node.name[0]?.name === "percentile_cont";
  const [fraction] = values(node);
  const [sort] = node.withinGroup;
  const kind = sort && typeOrUnknown(sort.expression).kind;
  const isNumber = kind === "integer" || kind === "decimal" || kind === "float";
  const isPlain = node.over === undefined && !node.distinct && (isNumber || !isContinuous);
  if (isPlain && sort !== undefined && fraction?.kind === "number" && Number(fraction.text) <= 1) {
    return { isContinuous, fraction, sort };
  }
  throw unsupported(
    "a percentile with these arguments",
    node.span,
    "Ask for a literal fraction from 0 to 1, in a grouped query.",
  );
}
