/** Functions with a format: `to_char`, `to_date`, `to_timestamp`. */

import { unsupported } from "../../diagnostics.ts";
import { readFormat } from "../../lowering/times/formats.ts";
import { binary, call, cast, inPlaceOf, text, values, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DATE, TIMESTAMP } from "../../types.ts";
import { timeText } from "./formats.ts";
import { parsedTime } from "./parsed-dates.ts";

/** `to_char(x, format)` over dates, timestamps and times of day. */
export function dateText(node: Call): Expression {
  const [value, format] = operandsOf(node);
  const { type } = value;
  // An infinite one has no text, and `infinity` in strftime's.
  if (type?.kind === "date" || type?.kind === "timestamp")
    return when(
      call("isfinite", [value], { span: node.span, type: BOOLEAN }),
      timeText(value, format, node),
      undefined,
      inPlaceOf(node),
    );
  if (type?.kind === "time" && !type.zoned && hasTimesOnly(format)) return timeText(onSomeDay(value), format, node);
  throw unsupported(
    "to_char of anything but dates, timestamps and numbers",
    node.span,
    "Write a CAST around the value.",
  );
}

const OF_TIMES: ReadonlySet<string> = new Set("HH24 MI SS MS US".split(" "));

/** PostgreSQL takes a time of day for an interval, whose other parts are none. */
function hasTimesOnly(format: string): boolean {
  return readFormat(format).every((token) => token.kind === "text" || OF_TIMES.has(token.pattern.toUpperCase()));
}

function onSomeDay(time: Expression): Expression {
  const { span } = time;
  const day = cast(text("2000-01-01", time), "date", { span, type: DATE });
  return binary(day, "+", time, { span, type: TIMESTAMP });
}

/** The timestamp without zone that a text is in a format. */
export function parsedDate(node: Call): Expression {
  const [value, format] = operandsOf(node);
  return parsedTime(value, format, node);
}

function operandsOf(node: Call): readonly [value: Expression, format: string] {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") {
    throw unsupported(
      `${node.name[0]?.name ?? ""} with a computed format`,
      node.span,
      "Write the format as a literal.",
    );
  }
  return [value, format.value];
}
