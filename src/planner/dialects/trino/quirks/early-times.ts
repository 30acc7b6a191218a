/**
 * The time of a timestamp with a fraction of a second before 1970: Trino takes a second from it. `CAST(TIMESTAMP '1969-12-31 10:20:30.25'
 * AS time(2))` is 10:20:29.25. Seen on 476 and 482; not reported. 2000 years later it is the same time.
 */
import { spelled, words } from "../../../lowering/templates/template.ts";
import type { Expression } from "../../../syntax/tree.ts";

/** `local` is the cast of a local timestamp. */
export function timeOfDay(local: Expression): Expression {
  return local.kind === "cast"
    ? { ...local, operand: spelled(TWO_THOUSAND_YEARS_LATER, [local.operand], local.operand) }
    : local;
}

const TWO_THOUSAND_YEARS_LATER = words("date_add('day', 730485, $1)");
