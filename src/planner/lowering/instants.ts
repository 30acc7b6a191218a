/** Instants as what clocks show in UTC, for targets that have other functions for what clocks show. */
import { unsupported } from "../diagnostics.ts";
import { cast, typed } from "../syntax/build.ts";
import type { AtTimeZone, Binary, Expression } from "../syntax/tree.ts";
import { TIMESTAMP, typeOrUnknown } from "../types.ts";
import { isDay, isMoment, timeArithmetic } from "./time-arithmetic.ts";

/** How a target says them. */
export interface Clocks {
  /** What a clock in UTC shows at an instant. */
  readonly ofInstant: (instant: Expression) => Expression;
  /** What a clock of a named zone shows at an instant. */
  readonly inZone: (instant: Expression, zone: Expression, at: Expression) => Expression;
  /** The instant at which a clock in UTC shows this. */
  readonly toInstant: (clock: Expression) => Expression;
}

export interface Instants {
  /** An instant as what clocks show; anything else as it is. */
  readonly inUtc: (value: Expression) => Expression;
  /** A date or an instant as what clocks show. */
  readonly asClock: (value: Expression) => Expression;
  /** What clocks show in UTC as an instant. */
  readonly asInstant: (value: Expression) => Expression;
  /** An instant is shifted as what clocks show in UTC. */
  readonly timeSum: (node: Binary) => Expression | undefined;
  /** From the hands of a clock to the instant, or back. */
  readonly atTimeZone: (node: AtTimeZone) => Expression;
}

export const isZoned = (value: Expression): boolean => {
  const type = typeOrUnknown(value);
  return type.kind === "timestamp" && type.zoned;
};

export function instantsBy({ ofInstant, inZone, toInstant }: Clocks): Instants {
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
    const isNamed = zone.kind === "string" && /^(UTC|GMT|[A-Z][A-Za-z_]+(\/[A-Za-z_]+)+)$/.test(zone.value);
    if (!isNamed || !isMoment(operand)) {
      throw unsupported("this time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
    }
    if (isZoned(operand)) return inZone(operand, zone, node);
    const isUtc = /^(UTC|GMT)$/.test(zone.value);
    // A day begins in the session's zone.
    if (isDay(operand)) {
      if (!isUtc) throw unsupported("a date at a time zone", node.span, "Cast it to a timestamp.");
      return asClock(operand);
    }
    if (isUtc) return asInstant(operand);
    // Of the hour that a clock shows twice PostgreSQL takes the second.
    throw unsupported(
      "the instant of a clock in another zone than UTC",
      node.span,
      "Store instants, or clocks in UTC.",
    );
  }

  return { inUtc, asClock, asInstant, timeSum, atTimeZone };
}
