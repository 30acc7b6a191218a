/**
 * Faults of the planner that the corpus has found and that are being mended: data source → query → what happens.
 * A query that answers right must leave the list.
 */
import type { DataSource } from "../../src/planner/plan.ts";

export const PENDING: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  local_file: {
    "events/users/settings-as-rows": "wrong: the text of an object inside has no blanks, as that of ->> has none",
    "events/users/contains-flag": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "saas/accounts/json-containment": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "webshop/reports/json-object-agg": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say jsonb_object_agg",
  },
};
