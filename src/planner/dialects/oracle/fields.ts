/** Rules for the fields of EXTRACT on Oracle. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/EXTRACT-datetime.html */

import { unsupported } from "../../diagnostics.ts";
import { partOfAge } from "../../lowering/ages.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { isDateOrTimestamp } from "../../lowering/time-arithmetic.ts";
import { binary, call, integer, text, typed, values } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { INTEGER, NUMERIC, TEXT, typeOrUnknown } from "../../types.ts";
import { epochOf, over, part, timeInUtc, weekday, wholeMonths } from "./times.ts";

type Say = (value: Expression, node: Extract) => Expression;

const ofMoment =
  (say: Say) =>
  (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return say(node.operand, node);
    const kind = typeOrUnknown(node.operand).kind;
    throw unsupported(`${node.field} of ${kind}`, node.span, "Ask for that of a date or a timestamp.");
  };

const named = (name: string) => ofMoment((value) => part(name, value));

/** The end and the beginning of what is between two times. */
function differenceOf({ operand }: Extract): readonly Expression[] | undefined {
  return operand.kind === "call" && operand.name[0]?.name === "time between" ? values(operand) : undefined;
}

const floor = (value: Expression): Expression => call("floor", [value], typed(INTEGER, value));
const truncated = (value: Expression): Expression => call("trunc", [value], typed(INTEGER, value));

const ofAge =
  (operator: "//" | "%", field: string) =>
  (node: Extract): Expression => {
    const found = partOfAge(node, operator, wholeMonths);
    if (found?.kind !== "binary") return named(field)(node);
    return operator === "//"
      ? truncated({ ...found, operator: "/" })
      : call("mod", [found.left, found.right], typed(INTEGER, node));
  };

/** The number that TO_CHAR gives of a format. */
const counted = (format: string) =>
  ofMoment((value, node) =>
    call(
      "to_number",
      [call("to_char", [timeInUtc(value), text(format, node)], typed(TEXT, node))],
      typed(INTEGER, node),
    ),
  );

const years = (by: number, per: number) =>
  ofMoment((value) => floor(over(over(part("year", value), "+", by), "/", per)));

const passed = ([from, to]: readonly Expression[], at: Expression): Expression =>
  from === undefined || to === undefined ? at : binary(epochOf(to), "-", epochOf(from), typed(NUMERIC, at));

function day(node: Extract): Expression {
  const ends = differenceOf(node);
  return ends === undefined ? named("day")(node) : truncated(over(passed(ends, node), "/", 86_400));
}

function epoch(node: Extract): Expression {
  const ends = differenceOf(node);
  return ends === undefined ? ofMoment(epochOf)(node) : passed(ends, node);
}

export const oracleFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("//", "year"),
    quarter: ofMoment((value) => floor(over(over(part("month", value), "+", 2), "/", 3))),
    month: ofAge("%", "month"),
    day,
    hour: named("hour"),
    minute: named("minute"),
    second: named("second"),
    milliseconds: ofMoment((value) => over(part("second", value), "*", 1000)),
    microseconds: ofMoment((value) => truncated(over(part("second", value), "*", 1_000_000))),
    dow: ofMoment((value, node) => call("mod", [over(weekday(value), "+", 1), integer(7, node)], typed(INTEGER, node))),
    isodow: ofMoment((value) => over(weekday(value), "+", 1)),
    doy: counted("DDD"),
    week: counted("IW"),
    isoyear: counted("IYYY"),
    julian: UNSUPPORTED.julianDay,
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch,
    timezone: UNSUPPORTED.zoneInUtc,
    timezone_hour: UNSUPPORTED.zoneInUtc,
    timezone_minute: UNSUPPORTED.zoneInUtc,
  });
