/**
 * MANIFEST_TIME_ZONE: text of the manifest truncates, takes apart, casts or prints an instant. It is computed in UTC, while the
 * caller's own SQL is computed in the zone of the caller's session.
 */
import { functionName } from "../functions/calls.ts";
import type { Expression } from "../syntax/tree.ts";
import type { BindingContext } from "./context.ts";
import { isInstant, isLocalTimeType } from "./zoned-values.ts";

/** Functions that look at the clock of an instant. */
const CLOCKS: ReadonlySet<string> = new Set(["date_trunc", "date_diff", "to_char", "last_day", "age"]);

/** The node itself. */
export function warnOfManifestZone<Node extends Expression>(node: Node, context: BindingContext): Node {
  const { timeZone } = context.options;
  if (timeZone !== "UTC" && context.isOfModeller && context.ruled === undefined && readsClock(node)) {
    context.warn(
      "MANIFEST_TIME_ZONE",
      `an expression of the manifest is computed in UTC, while the statement is in ${timeZone}`,
      node.span,
      "Write AT TIME ZONE with the name of the zone in the manifest, or leave the truncation to the caller.",
    );
  }
  return node;
}

function readsClock(node: Expression): boolean {
  switch (node.kind) {
    case "call":
      return (
        CLOCKS.has(functionName(node)) &&
        node.arguments.length < 3 &&
        node.arguments.some(({ value }) => isInstant(value))
      );
    case "extract":
      return node.field !== "epoch" && isInstant(node.operand);
    case "cast": {
      const { type } = node;
      return isInstant(node.operand) && (isLocalTimeType(type) || type?.kind === "time" || type?.kind === "text");
    }
    default:
      return false;
  }
}
