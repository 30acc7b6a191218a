/** `to_char`: of dates and timestamps by `date_format`, of numbers by texts (`lowering/number-formats.ts`). */

import { type DateFormats, dateText, numberOf, renderedBy } from "../../lowering/date-texts.ts";
import { BY_CASTS, type NumberWords, numberText } from "../../lowering/number-formats.ts";
import { PERCENT_FORMATS } from "../../lowering/percent-formats.ts";
import { binary, call, cast, integer, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, isNumeric, NUMERIC, TEXT, typeOrUnknown } from "../../types.ts";
import { roundedToScale } from "./casts.ts";
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

const NUMBERS: NumberWords = {
  ...BY_CASTS,
  exact: (value, scale) => call("round", [roundedToScale(value), integer(scale, value)], typed(NUMERIC, value)),
  joined: (parts, at) => concat(parts, typed(TEXT, at)),
  replaced: (value, pattern, by) =>
    call("regexp_replace", [value, text(pattern, value), text(by, value)], typed(TEXT, value)),
  // From behind: what stands before a comma keeps its place.
  grouped: (digits, groups) => {
    const at = typed(TEXT, digits);
    let place = 1;
    const places = groups.slice(0, -1).map((length) => (place += length));
    return places.reduceRight(
      (result, each) => call("insert", [result, integer(each, digits), integer(0, digits), text(",", digits)], at),
      digits,
    );
  },
};

export function formatted(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string" || !isNumeric(typeOrUnknown(value)))
    return dateText(node, DATES);
  return numberText(value, format.value, node, NUMBERS);
}
