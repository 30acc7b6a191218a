/** Times of day for targets that have a type for them, and do not compute with it. */
import type { Expression } from "../../syntax/tree.ts";
import { checkedPrecision } from "../texts/text-casts.ts";
import { joinedTimes, partOfTime, textOfTime } from "./time-of-day-parts.ts";
import { type DefinedTime, isTime, partBetween, sumOfTime, type TypedClock, typedBy } from "./time-of-day-sums.ts";

/** The meaning of a node with lowered children; `undefined` for nodes without a time, and for those that the target's own rules say. */
export function typedTime(node: Expression, clock: TypedClock): DefinedTime | Expression | undefined {
  const form = typedBy(clock);
  const hasFields = clock.numberOf === undefined;
  const hasTexts = hasFields || clock.subtractsAndShows === true;
  switch (node.kind) {
    case "extract":
      return hasFields && node.field !== "epoch" ? partBetween(node, form) : partOfTime(node, form);
    case "cast":
      // Digits of a fraction are rounded, and a target's cast of a time to its own type does nothing.
      if (isTime(node) && isTime(node.operand)) checkedPrecision(node);
      return hasTexts || node.type?.kind !== "text" ? undefined : textOfTime(node, form);
    case "binary":
      if (clock.subtractsAndShows === true && isTime(node.left) && isTime(node.right)) return undefined;
      return (hasTexts ? undefined : joinedTimes(node, form)) ?? sumOfTime(node, form);
    default:
      return undefined;
  }
}
