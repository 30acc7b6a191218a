/** Rules for the fields of EXTRACT on MySQL. Seen on MySQL 9.7 and MariaDB 10.11. */

import { unsupported } from "../../diagnostics.ts";
import { partOfAge } from "../../lowering/ages.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { binary, call, decimal, integer, typeName, values } from "../../syntax/build.ts";
import type { Binary, Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, typeOrUnknown } from "../../types.ts";

/** Intervals have only the parts of a difference of two timestamps. */
function ofMoment(say: (operand: Expression, node: Extract) => Expression | undefined) {
  return (node: Extract): Expression | undefined => {
    const { operand } = node;
    if (typeOrUnknown(operand).kind !== "interval") return say(operand, node);
    throw unsupported(`${node.field} of an interval`, node.span, "Use epoch or day of a difference of two timestamps.");
  };
}

const same = ofMoment(() => undefined);

/** An integer function of the value, moved by a constant. */
const named = (name: string, by = 0) =>
  ofMoment((operand, node) => {
    const value = call(name, [operand], { span: node.span, type: INTEGER });
    return by === 0 ? value : moved(value, by, node);
  });

function moved(value: Expression, by: number, node: Extract): Expression {
  return binary(value, by < 0 ? "-" : "+", integer(Math.abs(by), node), { span: node.span, type: INTEGER });
}

const years = (by: number, per: number) =>
  ofMoment((operand, node) => {
    const year = moved(call("year", [operand], { span: node.span, type: INTEGER }), by, node);
    return binary(year, "//", integer(per, node), { span: node.span, type: INTEGER });
  });

/** MySQL has whole seconds, and microseconds besides. */
function microsecondsOf(operand: Expression, { span }: Extract): Binary {
  const of = (name: string): Expression => call(name, [operand], { span, type: INTEGER });
  const whole = binary(of("second"), "*", integer(1_000_000, { span }), { span, type: BIGINT });
  return binary(whole, "+", of("microsecond"), { span, type: BIGINT });
}

const seconds = (factor: string) =>
  ofMoment((operand, node) =>
    binary(microsecondsOf(operand, node), "*", decimal(factor, node), { span: node.span, type: NUMERIC }),
  );

/** The difference of two timestamps is no value here; its seconds and days are. */
function between(operand: Expression, unit: string, { span }: Extract): Expression | undefined {
  if (operand.kind !== "call" || operand.name[0]?.name !== "time between") return undefined;
  return call(`${unit} between`, values(operand), { span, type: BIGINT });
}

function epoch(node: Extract): Expression {
  const { operand, span } = node;
  const start: Expression = {
    kind: "typed",
    typeName: typeName("date", node),
    value: "1970-01-01",
    span,
    type: { kind: "date" },
  };
  const type = typeOrUnknown(operand);
  const isMoment = type.kind === "date" || type.kind === "timestamp";
  const microseconds = isMoment
    ? call("microseconds between", [start, operand], { span, type: BIGINT })
    : between(operand, "microseconds", node);
  if (microseconds === undefined) {
    throw unsupported(`epoch of ${type.kind}`, span, "Ask for that of a date, a timestamp or a difference of two.");
  }
  return binary(microseconds, "*", decimal("0.000001", node), { span, type: NUMERIC });
}

const wholeMonths = (from: Expression, to: Expression): Expression =>
  call("months between", [from, to], { span: from.span, type: BIGINT });

const day = (node: Extract): Expression | undefined => between(node.operand, "days", node) ?? same(node);

export const mysqlFields = (): Rules<Extract> =>
  fieldRules([], {
    year: (node) => partOfAge(node, "//", wholeMonths) ?? same(node),
    quarter: same,
    month: (node) => partOfAge(node, "%", wholeMonths) ?? same(node),
    day,
    hour: same,
    minute: same,
    second: seconds("0.000001"),
    milliseconds: seconds("0.001"),
    microseconds: ofMoment(microsecondsOf),
    dow: named("dayofweek", -1),
    isodow: named("weekday", 1),
    doy: named("dayofyear"),
    week: ofMoment((operand, node) => call("week", [operand, integer(3, node)], { span: node.span, type: INTEGER })),
    isoyear: ofMoment((operand, node) =>
      binary(
        call("yearweek", [operand, integer(3, node)], { span: node.span, type: INTEGER }),
        "//",
        integer(100, node),
        {
          span: node.span,
          type: INTEGER,
        },
      ),
    ),
    julian: ofMoment((operand, node) => {
      if (typeOrUnknown(operand).kind === "date") return named("to_days", 1_721_060)(node);
      throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
    }),
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch,
    timezone: UNSUPPORTED.zone,
    timezone_hour: UNSUPPORTED.zone,
    timezone_minute: UNSUPPORTED.zone,
  });
