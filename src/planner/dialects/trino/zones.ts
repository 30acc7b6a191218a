/** Instants of Trino keep the zone that they were written with, and show the hands of its clock; here those of UTC count. */
import { call, inPlaceOf, text } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

export function inUtc(value: Expression): Expression {
  const type = typeOrUnknown(value);
  if (type.kind !== "timestamp" || !type.zoned) return value;
  return call("at_timezone", [value, text("UTC", value)], inPlaceOf(value));
}
