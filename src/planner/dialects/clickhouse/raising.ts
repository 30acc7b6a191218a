/** Errors where ClickHouse returns a value of its own. */
import { spelled, words } from "../../lowering/templates/template.ts";
import { text } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";

const OR_RAISE = words("if(ifNull($1, 0) > throwIf(ifNull(not($1), 0), $3), $2, NULL)", { scale: "of the second" });

/** `then` if `condition` is true, NULL if it is unknown, and an error with the message `what` if it is false. */
export const orRaise = (condition: Expression, then: Expression, what: string): Expression =>
  spelled(OR_RAISE, [condition, then, text(what, then)], then);
