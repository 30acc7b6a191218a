/**
 * Faults of the planner that the corpus has found and that are being mended: data source → query → what happens.
 * A query that answers right must leave the list.
 */
import type { DataSource } from "../../src/planner/plan.ts";

export const PENDING: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  postgres: {
    "bank/numbers/weighted-percentile":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not num",
    "realty/properties/median-area":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not numeric(2,2)[]",
    "realty/viewings/viewings-to-offer": "refused: INVALID_QUERY: an aggregate function cannot stand in WHERE",
  },
  local_file: {
    "events/users/settings-as-rows": "wrong: the text of an object inside has no blanks, as that of ->> has none",
    "bank/loans/amortization": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say a recursive table whose ",
    "bank/numbers/weighted-percentile":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not num",
    "cinema/questions/discount-depth":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say buckets of decimals of any length",
    "events/users/contains-flag": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "freight/carriers/scorecard": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the mean of intervals",
    "hospital/drugs/strengths": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say groups that a match may ",
    "hr/cohorts/array-remove": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function array_repla",
    "realty/properties/median-area":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not numeric(2,2)[]",
    "realty/viewings/viewings-to-offer": "refused: INVALID_QUERY: an aggregate function cannot stand in WHERE",
    "saas/accounts/json-containment": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "saas/questions/overlapping-subscriptions":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function daterange",
    "sensors/maintenance/double-interval":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the division of an interval",
    "sensors/maintenance/total-planned": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the mean of intervals",
    "webshop/reports/json-object-agg": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say jsonb_object_agg",
    "webshop/text/repeat-and-strings":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function quote_liter",
  },
};
