/**
 * TIME_ZONE_MIXED: literals and the display of zoned values follow the caller's time zone, while truncations, fields, texts and
 * casts of zoned values are computed in UTC. A chart by day and the filter of its drill-down disagree then.
 */
import type { Call, Cast, Expression, Extract } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import type { BindingContext } from "./context.ts";

/** Functions that look at the clock of a zoned value. */
const CLOCKS: ReadonlySet<string> = new Set(["date_trunc", "date_bin", "date_diff", "to_char", "last_day", "age"]);

export function warnOfMixedZones(node: Call | Cast | Extract, context: BindingContext): void {
  if (context.timeZone === "UTC" || !readsClock(node)) return;
  if (context.warnings.some(({ code }) => code === "TIME_ZONE_MIXED")) return;
  context.warn(
    "TIME_ZONE_MIXED",
    `this is computed in UTC, while literals and the answer are in ${context.timeZone}`,
    node.span,
    `Write x AT TIME ZONE '${context.timeZone}' around the value.`,
  );
}

function readsClock(node: Call | Cast | Extract): boolean {
  switch (node.kind) {
    case "call":
      return CLOCKS.has(node.name.at(-1)?.name ?? "") && node.arguments.some(({ value }) => isZoned(value));
    case "extract":
      return node.field !== "epoch" && isZoned(node.operand);
    case "cast":
      return isZoned(node.operand) && isLocal(node.type);
    default:
      return node satisfies never;
  }
}

function isZoned({ type }: Expression): boolean {
  return type?.kind === "timestamp" && type.zoned;
}

/** Types that have lost the zone. */
function isLocal(type: SqlType | undefined): boolean {
  if (type?.kind === "timestamp" || type?.kind === "time") return !type.zoned;
  return type?.kind === "date" || type?.kind === "text";
}
