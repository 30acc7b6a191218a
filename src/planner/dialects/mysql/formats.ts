/** `to_char` of dates and timestamps by `date_format`. */

import { type DateFormats, dateText, numberOf, renderedBy } from "../../lowering/times/date-texts.ts";
import { PERCENT_FORMATS } from "../../lowering/times/percent-formats.ts";
import { binary, call, cast, integer, text, typed } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../types.ts";
import { concat } from "./templates.ts";

/** Days of the week are counted from 0 there. */
const DATES: DateFormats = {
  ...PERCENT_FORMATS,
  values: {
    Q: numberOf("quarter"),
    ID: (value, at) => {
      const day = binary(call("weekday", [value], typed(INTEGER, at)), "+", integer(1, at), typed(INTEGER, at));
      return cast(day, "text", typed(TEXT, at));
    },
    US: (value, at) => call("date_format", [value, text("%f", at)], typed(TEXT, at)),
  },
  joined: (parts, at) => concat(parts, at),
};

export const TIME_PATTERNS = renderedBy(DATES);

export const formatted = (node: Call): Expression => dateText(node, DATES);
