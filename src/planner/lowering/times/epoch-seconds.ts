/** `to_timestamp` of exact seconds after 1970, for targets whose functions take integers or 32 bits: days, seconds and microseconds are added. */
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { type Definition, definitionOf } from "../meanings.ts";

/** The days need not be rounded down exactly: what they leave is negative then, and added as it is. */
const DAYS = `CAST(floor("$1" / 86400) AS integer)`;
const SECONDS = `CAST(floor("$1" - ${DAYS} * 86400) AS integer)`;
const MICROSECONDS = `CAST(round(("$1" - floor("$1")) * 1000000) AS integer)`;

const WHOLE = `TIMESTAMPTZ '1970-01-01 00:00:00+00' + ${DAYS} * interval '1 day' + ${SECONDS} * interval '1 second'`;

/** `undefined` for other calls, and for doubles. */
export function timestampOfSeconds(node: Call): Definition | undefined {
  const [seconds] = values(node);
  if (functionName(node) !== "to_timestamp" || node.arguments.length !== 1 || seconds === undefined) return undefined;
  const { kind } = typeOrUnknown(seconds);
  if (kind === "integer") return definitionOf(WHOLE);
  return kind === "decimal" ? definitionOf(`${WHOLE} + ${MICROSECONDS} * interval '1 microsecond'`) : undefined;
}
