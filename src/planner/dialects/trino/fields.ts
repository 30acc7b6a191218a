/** Rules for the fields of EXTRACT on Trino. Seen on Trino 476. */

import { unsupported } from "../../diagnostics.ts";
import { partOfAge } from "../../lowering/ages.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { isDay } from "../../lowering/time-arithmetic.ts";
import { binary, call, cast, decimal, integer, text, typed, values } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { microsecondsOf, secondsAnd } from "./casts.ts";
import { epochOf, monthsBetween } from "./times.ts";
import { inUtc } from "./zones.ts";

function ofMoment(say: (operand: Expression, node: Extract) => Expression) {
  return (node: Extract): Expression => {
    const { kind } = typeOrUnknown(node.operand);
    if (kind === "date" || kind === "timestamp" || kind === "time") return say(inUtc(node.operand), node);
    throw unsupported(`${node.field} of ${kind}`, node.span, "Use epoch or day of a difference of two timestamps.");
  };
}

const part = (name: string, operand: Expression, at: Extract): Expression => call(name, [operand], typed(INTEGER, at));

const named = (name: string) => ofMoment((operand, node) => part(name, operand, node));

/** A date counts as its midnight. */
const ofClock = (name: string) => ofMoment((operand, node) => part(name, timed(operand), node));

function timed(operand: Expression): Expression {
  return isDay(operand) ? cast(operand, "timestamp", typed(TIMESTAMP, operand)) : operand;
}

function secondAndMicroseconds(operand: Expression, node: Extract): readonly [Expression, Expression] {
  const value = timed(operand);
  return [part("second", value, node), microsecondsOf(value)];
}

function microseconds(operand: Expression, node: Extract): Expression {
  const [second, rest] = secondAndMicroseconds(operand, node);
  return binary(binary(second, "*", integer(1_000_000, node), typed(BIGINT, node)), "+", rest, typed(BIGINT, node));
}

const years = (by: number, per: number) =>
  ofMoment((operand, node) => {
    const year = part("year", operand, node);
    const isYear = binary(year, ">", integer(0, node), typed({ kind: "boolean" }, node));
    const moved = by === 0 ? year : binary(year, "+", integer(by, node), typed(INTEGER, node));
    const count = binary(moved, "/", integer(per, node), typed(INTEGER, node));
    return {
      kind: "case",
      operand: undefined,
      branches: [{ when: isYear, then: count }],
      otherwise: undefined,
      ...typed(INTEGER, node),
      type: INTEGER,
    };
  });

const isCallOf = (operand: Expression, name: string): boolean =>
  operand.kind === "call" && operand.name[0]?.name === name;

function secondsBetween(operand: Expression, node: Extract): Expression {
  const [from, to] = operand.kind === "call" ? values(operand) : [];
  if (from === undefined || to === undefined) throw new TypeError("a difference has two ends");
  const ends = [to, from].map((each) => epochOf(timed(each), node));
  return binary(ends[0] ?? to, "-", ends[1] ?? from, typed(NUMERIC, node));
}

function epoch(node: Extract): Expression {
  if (isCallOf(node.operand, "time between")) return secondsBetween(node.operand, node);
  return ofMoment((operand) => {
    if (typeOrUnknown(operand).kind === "time") throw unsupported("epoch of a time of day", node.span);
    return epochOf(operand, node);
  })(node);
}

/** Whole years of an age, and whole months beside them. */
const ofAge =
  (operator: "/" | "%", name: string) =>
  (node: Extract): Expression =>
    partOfAge(node, operator, (from, to) => monthsBetween(from, to, node)) ?? named(name)(node);

function day(node: Extract): Expression {
  if (!isCallOf(node.operand, "time between")) return named("day")(node);
  const days = binary(secondsBetween(node.operand, node), "/", integer(86_400, node), typed(NUMERIC, node));
  return cast(call("truncate", [days], typed(NUMERIC, node)), "bigint", typed(BIGINT, node));
}

/** Whole numbers there; of the type that the field has. */
export const trinoFields = (): Rules<Extract> =>
  new Map(
    [...fields()].map(([name, rule]) => [
      name,
      typeof rule !== "function"
        ? rule
        : (node) => {
            const said = rule(node);
            return said && node.type ? { ...said, type: node.type } : said;
          },
    ]),
  );

const fields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("/", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: ofClock("hour"),
    minute: ofClock("minute"),
    second: ofMoment((operand, node) => secondsAnd(...secondAndMicroseconds(operand, node), node)),
    milliseconds: ofMoment((operand, node) => {
      const all = cast(microseconds(operand, node), "numeric", typed(NUMERIC, node), [19, 0]);
      return binary(all, "*", decimal("0.001", node), typed(NUMERIC, node));
    }),
    microseconds: ofMoment(microseconds),
    // Sundays are the seventh day there.
    dow: ofMoment((operand, node) =>
      binary(part("day_of_week", operand, node), "%", integer(7, node), typed(INTEGER, node)),
    ),
    isodow: named("day_of_week"),
    doy: named("day_of_year"),
    week: named("week"),
    isoyear: named("year_of_week"),
    julian: (node) => {
      if (!isDay(node.operand)) throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
      const start: Expression = {
        kind: "typed",
        typeName: { name: "date", parameters: [], dimensions: 0, members: [], span: node.span },
        value: "1970-01-01",
        span: node.span,
        type: { kind: "date" },
      };
      const days = call("date_diff", [text("day", node), start, node.operand], typed(BIGINT, node));
      return binary(days, "+", integer(2_440_588, node), typed(BIGINT, node));
    },
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch,
    timezone: UNSUPPORTED.zone,
    timezone_hour: UNSUPPORTED.zone,
    timezone_minute: UNSUPPORTED.zone,
  });
