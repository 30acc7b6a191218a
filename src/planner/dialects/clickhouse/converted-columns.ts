/** Columns of ClickHouse's own types as values of the language: enums and addresses are texts, and times are shown in UTC. */
import { call, text, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { type Conversion, TEXT, TIMESTAMPTZ } from "../../types.ts";

export function convertedColumn(column: Expression, conversion: Conversion): Expression {
  switch (conversion) {
    case "text":
      return call("toString", [column], typed(TEXT, column));
    case "padded text":
      return call("toStringCutToZero", [column], typed(TEXT, column));
    case "utc":
      // Parts, truncations and texts of a time are those that its column's zone shows.
      return call("toTimeZone", [column, text("UTC", column)], typed(TIMESTAMPTZ, column));
    default:
      return conversion satisfies never;
  }
}
