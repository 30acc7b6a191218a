/** Rules for the fields of EXTRACT on Doris. https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/extract */

import { unsupported } from "../../../diagnostics.ts";
import { fieldRules, type Rules } from "../../../lowering/rules.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { isDateOrTimestamp } from "../../../lowering/time-arithmetic.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, text, typed, values } from "../../../syntax/build.ts";
import type { Expression, Extract } from "../../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIMESTAMP, typeOrUnknown } from "../../../types.ts";
import { asTimestamp, microsecondsBetween, part } from "./times.ts";

type Say = (value: Expression, node: Extract) => Expression;

const ofMoment =
  (say: Say) =>
  (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return asTyped(say(asTimestamp(node.operand), node), node);
    const hint = "Ask for that of a date or a timestamp.";
    throw unsupported(`${node.field} of ${typeOrUnknown(node.operand).kind}`, node.span, hint);
  };

/** EXTRACT gives 32 bits, whose products overflow sooner than the 64 bits of the language. */
function asTyped(value: Expression, node: Extract): Expression {
  const [from, to] = [typeOrUnknown(value), typeOrUnknown(node)];
  if (from.kind !== "integer") return value;
  if (to.kind === "decimal") return cast(value, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
  return from.bits < 64 ? cast(value, "bigint", inPlaceOf(node)) : value;
}

const named = (field: string) => ofMoment((value) => part(field, value));

const moved = (value: Expression, by: number, node: Extract): Expression =>
  binary(value, by < 0 ? "-" : "+", integer(Math.abs(by), node), typed(INTEGER, node));

/** Doris has whole seconds, and microseconds besides. */
const sinceMinute = (value: Expression, node: Extract): Expression => {
  const at = typed(BIGINT, node);
  const whole = binary(part("second", value), "*", integer(1_000_000, node), at);
  return binary(whole, "+", part("microsecond", value), at);
};

const scaled = (microseconds: Expression, factor: string, node: Extract): Expression => {
  const exact = cast(microseconds, "numeric", typed(NUMERIC, node), [19, 0]);
  return binary(exact, "*", decimal(factor, node), typed(NUMERIC, node));
};

const seconds = (factor: string) => ofMoment((value, node) => scaled(sinceMinute(value, node), factor, node));

function epoch(node: Extract): Expression {
  const { operand } = node;
  if (operand.kind === "call" && operand.name[0]?.name === "time between") {
    const [from, to] = values(operand);
    if (from !== undefined && to !== undefined) return scaled(microsecondsBetween(from, to), "0.000001", node);
  }
  const first = cast(text("1970-01-01 00:00:00", node), "timestamp", typed(TIMESTAMP, node));
  return ofMoment((value) => scaled(microsecondsBetween(first, value), "0.000001", node))(node);
}

/** Modes of MySQL: 3 is that of ISO 8601. */
const isoWeek = (name: string, value: Expression, node: Extract): Expression =>
  call(name, [value, integer(3, node)], typed(INTEGER, node));

export const dorisFields = (): Rules<Extract> =>
  fieldRules([], {
    year: named("year"),
    quarter: named("quarter"),
    month: named("month"),
    day: named("day"),
    hour: named("hour"),
    minute: named("minute"),
    second: seconds("0.000001"),
    milliseconds: seconds("0.001"),
    microseconds: ofMoment(sinceMinute),
    // https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/dayofweek: 1 is Sunday.
    dow: ofMoment((value, node) => moved(call("dayofweek", [value], typed(INTEGER, node)), -1, node)),
    // https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/weekday: 0 is Monday.
    isodow: ofMoment((value, node) => moved(call("weekday", [value], typed(INTEGER, node)), 1, node)),
    doy: ofMoment((value, node) => call("dayofyear", [value], typed(INTEGER, node))),
    week: ofMoment((value, node) => isoWeek("week", value, node)),
    isoyear: ofMoment((value, node) =>
      binary(isoWeek("yearweek", value, node), "//", integer(100, node), typed(INTEGER, node)),
    ),
    epoch,
    julian: UNSUPPORTED.computedField,
    century: UNSUPPORTED.computedField,
    decade: UNSUPPORTED.computedField,
    millennium: UNSUPPORTED.computedField,
    timezone: UNSUPPORTED.zone,
    timezone_hour: UNSUPPORTED.zone,
    timezone_minute: UNSUPPORTED.zone,
  });
