/** Times of day, which Oracle has no type for, as numbers of microseconds. */

import { spelled, words } from "../../lowering/templates/template.ts";
import type { NumberedTimes } from "../../lowering/times/numbered-times.ts";
import { call, inPlaceOf, text } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { TIMESTAMP } from "../../types.ts";
import { shaped } from "./casts.ts";
import { stamp } from "./times.ts";

/**
 * Seconds since midnight, and the six digits behind them.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Format-Models.html
 */
const SINCE_MIDNIGHT = words("TO_NUMBER(TO_CHAR($1, 'SSSSSFF6'))");

const FORM = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?$";

const sinceMidnight = (timestamp: Expression, node: Cast): Expression =>
  spelled(SINCE_MIDNIGHT, [stamp(timestamp)], inPlaceOf(node));

function ofText(node: Cast): Expression {
  const { operand, safe, span } = node;
  // A day that nobody names is one of this month.
  const format = text("HH24:MI:SS.FF", node);
  return sinceMidnight(call("to_timestamp", [shaped(operand, FORM, safe), format], { span, type: TIMESTAMP }), node);
}

export const NUMBERED_TIMES: NumberedTimes = { ofTimestamp: (node) => sinceMidnight(node.operand, node), ofText };
