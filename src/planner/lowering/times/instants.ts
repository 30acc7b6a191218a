/** Timestamps with time zone as local timestamps in UTC, for targets with separate functions for local timestamps. */
import { unsupported } from "../../diagnostics.ts";
import { cast, typed } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Expression, Template } from "../../syntax/tree.ts";
import { TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { isZoneName } from "../../zone-names.ts";
import { spelled } from "../templates/template.ts";
import { isDateOrTimestamp, isDay, timeArithmetic } from "./time-arithmetic.ts";

/** Conversions of a target. */
export interface InstantConversions {
  /** The local time in UTC at an instant. */
  readonly ofInstant: (instant: Expression) => Expression;
  /** The local time in a named zone at an instant. */
  readonly inZone: (instant: Expression, zone: Expression, at: Expression) => Expression;
  /** The instant of a local time in UTC. */
  readonly toInstant: (clock: Expression) => Expression;
  /** The local time in UTC when clocks of a named zone show a time (`instantSql`). */
  readonly ofZone: Template;
}

export interface Instants {
  /** An instant as its local time in UTC; other values unchanged. */
  readonly inUtc: (value: Expression) => Expression;
  /** A date or an instant as a local time. */
  readonly asClock: (value: Expression) => Expression;
  /** A local time in UTC as an instant. */
  readonly asInstant: (value: Expression) => Expression;
  /** An instant is shifted as its local time in UTC. */
  readonly timeSum: (node: Binary) => Expression | undefined;
  /** Converts a local time to an instant, or the reverse. */
  readonly atTimeZone: (node: AtTimeZone) => Expression;
}

export const isZoned = (value: Expression): boolean => {
  const type = typeOrUnknown(value);
  return type.kind === "timestamp" && type.zoned;
};

export function instantsBy({ ofInstant, inZone, toInstant, ofZone }: InstantConversions): Instants {
  const inUtc = (value: Expression): Expression => (isZoned(value) ? ofInstant(value) : value);
  const asClock = (value: Expression): Expression =>
    typeOrUnknown(value).kind === "date" ? cast(value, "timestamp", typed(TIMESTAMP, value)) : inUtc(value);
  const asInstant = (value: Expression): Expression => (isZoned(value) ? value : toInstant(asClock(value)));

  function timeSum(node: Binary): Expression | undefined {
    const own = timeArithmetic({ ...node, left: inUtc(node.left), right: inUtc(node.right) });
    return own !== undefined && isZoned(node) ? asInstant({ ...own, type: TIMESTAMP }) : own;
  }

  function atTimeZone(node: AtTimeZone): Expression {
    const { operand, zone } = node;
    if (zone.kind !== "string" || !isZoneName(zone.value) || !isDateOrTimestamp(operand)) {
      throw unsupported("the time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
    }
    if (isZoned(operand)) return inZone(operand, zone, node);
    const isUtc = /^(UTC|GMT)$/.test(zone.value);
    // A date begins at midnight of the session's zone.
    if (isDay(operand)) {
      if (!isUtc) throw unsupported("a date at a time zone", node.span, "Cast it to a timestamp.");
      return asClock(operand);
    }
    if (isUtc) return asInstant(operand);
    return toInstant(spelled(ofZone, [operand, zone], typed(TIMESTAMP, node)));
  }

  return { inUtc, asClock, asInstant, timeSum, atTimeZone };
}
