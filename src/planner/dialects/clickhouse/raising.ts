/** Errors where ClickHouse has a value of its own. */
import { call, inPlaceOf, text } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";

/** `then` where `condition` is true, NULL where it is unknown, and an error that says `what` where it is false. */
export const orRaise = (condition: Expression, then: Expression, what: string): Expression =>
  call("or an error", [condition, then, text(what, then)], inPlaceOf(then));
