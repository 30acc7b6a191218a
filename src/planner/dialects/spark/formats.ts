/** `to_char` of dates and timestamps as patterns of Java (https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html). */
import { type DateFormats, dateText, numberOf } from "../../lowering/date-texts.ts";
import { call, cast, text, typed } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../types.ts";

const filled = (value: Expression, length: number, at: Expression): Expression =>
  call(
    "lpad",
    [value, { kind: "number", text: String(length), span: at.span, type: INTEGER }, text("0", at)],
    typed(TEXT, at),
  );

const FORMATS: DateFormats = {
  tokens: {
    YYYY: "yyyy",
    YY: "yy",
    MM: "MM",
    Mon: "MMM",
    FMMM: "M",
    FMMonth: "MMMM",
    DD: "dd",
    FMDD: "d",
    DDD: "DDD",
    Dy: "EEE",
    FMDay: "EEEE",
    HH24: "HH",
    FMHH24: "H",
    HH12: "hh",
    HH: "hh",
    MI: "mm",
    SS: "ss",
    AM: "a",
    PM: "a",
    US: "SSSSSS",
    MS: "SSS",
  },
  // Letters are patterns, and some signs besides.
  literal: (written) => (written === "" ? "" : `'${written.replaceAll("'", "''")}'`),
  values: {
    Q: numberOf("quarter"),
    ID: (value, at) => {
      const day = call("weekday", [value], typed(INTEGER, at));
      const one = { kind: "number", text: "1", span: at.span, type: INTEGER } as const;
      const counted = { kind: "binary", operator: "+", left: day, right: one, span: at.span, type: INTEGER } as const;
      return cast(counted, "text", typed(TEXT, at));
    },
    IW: (value, at) => filled(numberOf("weekofyear")(value, at), 2, at),
    IYYY: (value, at) => {
      const year = call("date_part", [text("YEAROFWEEK", at), value], typed(INTEGER, at));
      return filled(cast(year, "text", typed(TEXT, at)), 4, at);
    },
  },
  joined: (parts, at) => {
    const [first = text("", at), ...others] = parts;
    return others.reduce<Expression>(
      (left, right) => ({ kind: "binary", operator: "||", left, right, span: at.span, type: TEXT }),
      first,
    );
  },
};

export const shownDate = (node: Call): Expression => dateText(node, FORMATS);
