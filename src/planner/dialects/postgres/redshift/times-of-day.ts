/** Times of day, which Redshift compares and takes from each other; everything else is computed with their microseconds. */
import type { TypedClock } from "../../../lowering/times/time-of-day-sums.ts";
import { call, cast, text, typed } from "../../../syntax/build.ts";
import type { Expression } from "../../../syntax/tree.ts";
import { BIGINT, TIME } from "../../../types.ts";

const midnight = (at: Expression): Expression => cast(text("00:00:00", at), "time", typed(TIME, at));

export const CLOCK: TypedClock = {
  steps: "seconds and microseconds",
  // https://docs.aws.amazon.com/redshift/latest/dg/r_DATEDIFF_function.html
  numberOf: (time) => call("microseconds between", [midnight(time), time], typed(BIGINT, time)),
};
