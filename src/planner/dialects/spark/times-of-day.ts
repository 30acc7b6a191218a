/** Times of day, which Spark 4.0 has no type for, as numbers of microseconds. Seen on Spark 4.0.1. */

import { spelled, words } from "../../lowering/templates/template.ts";
import { matching } from "../../lowering/texts/text-casts.ts";
import type { NumberedTimes } from "../../lowering/times/numbered-times.ts";
import { inPlaceOf } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { instant } from "./times.ts";

/** The session is in UTC. */
const SINCE_MIDNIGHT = words("pmod(unix_micros($1), 86400000000)");
const OF_TEXT = words("unix_micros(CAST(concat('1970-01-01 ', $1) AS TIMESTAMP_LTZ))");

/** Spark itself reads more forms, and zones, which move the time. */
const FORM = "\\A([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?\\z";

export const NUMBERED_TIMES: NumberedTimes = {
  ofTimestamp: (node: Cast): Expression => spelled(SINCE_MIDNIGHT, [instant(node.operand)], inPlaceOf(node)),
  ofText: (node: Cast): Expression => matching(node, FORM, spelled(OF_TEXT, [node.operand], inPlaceOf(node))),
};
