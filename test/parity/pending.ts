/**
 * Faults of the planner that the corpus has found and that are being mended: data source → query → what happens.
 * A query that answers right must leave the list.
 */
import type { DataSource } from "../../src/planner/plan.ts";

export const PENDING: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  postgres: {
    "bank/numbers/weighted-percentile":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not num",
    "events/users/items-bought": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "events/users/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "events/users/settings-as-rows": "refused: FUNCTION_NOT_ALLOWED: jsonb_each_text cannot stand in FROM",
    "hospital/patients/allergies-split": "refused: FUNCTION_NOT_ALLOWED: regexp_split_to_table cannot stand in FROM",
    "hr/projects/all-numbers": "refused: FUNCTION_NOT_ALLOWED: regexp_matches gives a row per match on some sou",
    "realty/properties/median-area":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not numeric(2,2)[]",
    "realty/properties/rooms": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "realty/viewings/viewings-to-offer": "refused: INVALID_QUERY: an aggregate function cannot stand in WHERE",
    "saas/accounts/flags": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "saas/accounts/key-types": "refused: FUNCTION_NOT_ALLOWED: jsonb_each cannot stand in FROM",
    "saas/accounts/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "saas/invoices/meta-lines": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "sensors/devices/calibration-points":
      "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "webshop/products/json-sizes": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "webshop/text/format-skus": "refused: FUNCTION_NOT_ALLOWED: format fills in %s on some sources and {} on oth",
  },
  local_file: {
    "bank/loans/amortization": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say a recursive table whose ",
    "bank/numbers/weighted-percentile":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not num",
    "cinema/questions/discount-depth":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say buckets of decimals of any length",
    "events/users/contains-flag": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "events/users/items-bought": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array",
    "events/users/setting-keys": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_objec",
    "events/users/settings-as-rows": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_each_",
    "freight/carriers/scorecard": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the mean of intervals",
    "freight/warehouses/opening-hours":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates, time",
    "hospital/dates/to-date": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the date of a text that ",
    "hospital/drugs/strengths": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say groups that a match may ",
    "hospital/patients/allergies-split":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function regexp_spli",
    "hospital/patients/allergy-search":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say 'm' in a regular express",
    "hr/cohorts/array-remove": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function array_repla",
    "hr/projects/all-numbers": "refused: FUNCTION_NOT_ALLOWED: regexp_matches gives a row per match on some sou",
    "realty/properties/description-words":
      'refused: UNSUPPORTED_ON_SOURCE: this source cannot say "\\m" in a regular expression',
    "realty/properties/median-area":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not numeric(2,2)[]",
    "realty/properties/rooms":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements",
    "realty/viewings/viewings-to-offer": "refused: INVALID_QUERY: an aggregate function cannot stand in WHERE",
    "saas/accounts/flags": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements_t",
    "saas/accounts/json-containment": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "saas/accounts/key-types": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_each",
    "saas/accounts/setting-keys":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_object_keys",
    "saas/invoices/meta-lines":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements",
    "saas/questions/overlapping-subscriptions":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function daterange",
    "sensors/devices/calibration-points":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements_t",
    "sensors/maintenance/double-interval":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the division of an interval",
    "sensors/maintenance/total-planned": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the mean of intervals",
    "webshop/orderings/sort-dates-texts":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the date of a text that ",
    "webshop/products/json-sizes": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array",
    "webshop/reports/json-object-agg": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say jsonb_object_agg",
    "webshop/text/format-skus": "refused: FUNCTION_NOT_ALLOWED: format fills in %s on some sources and {} on oth",
    "webshop/text/repeat-and-strings":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function quote_liter",
  },
};
