/** Errors where ClickHouse returns a value of its own. */
import { call, inPlaceOf, text } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";

/** `then` if `condition` is true, NULL if it is unknown, and an error with the message `what` if it is false. */
export const orRaise = (condition: Expression, then: Expression, what: string): Expression =>
  call("or an error", [condition, then, text(what, then)], inPlaceOf(then));
