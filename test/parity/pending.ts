/**
 * Faults of the planner that the corpus has found and that are being mended: data source → query → what happens.
 * A query that answers right must leave the list.
 */
import type { DataSource } from "../../src/planner/plan.ts";

export const PENDING: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  postgres: {
    "bank/numbers/sign-cases": "wrong: columns direction, count(*), sum(abs(amount)) instead of direction, co",
    "bank/numbers/weighted-percentile":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not num",
    "cinema/customers/postcode-kinds": "wrong: columns kind, count(*) instead of kind, count",
    "cinema/films/article-sort": "refused: UNSUPPORTED_ON_SOURCE: COLLATE names a collation of one source",
    "cinema/films/friday-releases": "wrong: columns iso_day, day, count(*) instead of iso_day, day, count",
    "events/reports/truncate-in-zone": "refused: INVALID_QUERY: date_trunc takes 2 arguments, not 3",
    "events/users/items-bought": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "events/users/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "events/users/settings-as-rows": "refused: FUNCTION_NOT_ALLOWED: jsonb_each_text cannot stand in FROM",
    "freight/carriers/email-domains": "wrong: columns domain, count(*) instead of domain, count",
    "freight/items/price-bands": "wrong: columns band, count(*) instead of band, count",
    "freight/stock/adjustments":
      "wrong: columns direction, n, pieces, min(quantity), max(quantity) instead of direction, n,",
    "freight/tariffs/valid-on": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "freight/warehouses/hemisphere": "wrong: columns ns, ew, count(*), codes instead of ns, ew, count, codes",
    "hospital/drugs/overlapping-drugs": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "hospital/patients/allergies-split": "refused: FUNCTION_NOT_ALLOWED: regexp_split_to_table cannot stand in FROM",
    "hr/projects/all-numbers": "refused: FUNCTION_NOT_ALLOWED: regexp_matches gives a row per match on some sou",
    "hr/style/unnamed-columns": "wrong: columns upper(job), length(job), job || '!', 1, 'x', CASE WHEN job = '",
    "league/appearances/exact-rating": "wrong: columns count(*) instead of count",
    "league/goals/first-goal-minute":
      "wrong: columns avg_first, min(first_minute), max(first_minute) instead of avg_first, min, ",
    "league/goals/minute-median":
      "wrong: columns SeasonId, Penalty, median_minute, count(*) instead of SeasonId, Penalty, me",
    "league/matches/season-of-day": "wrong: columns CAST(d.day AS DATE), Label instead of day, Label",
    "league/matches/weekday": "wrong: columns dow, Day, count(*), Ø instead of dow, Day, count, Ø",
    "league/players/weight-stats":
      'wrong: columns Position, min("WeightKg"), max("WeightKg"), mean, median, sd instead of Pos',
    "realty/prices/days-between-changes": "wrong: columns mean, min(days), max(days), n instead of mean, min, max, n",
    "realty/prices/log-bands": "wrong: columns magnitude, n, min(price), max(price) instead of magnitude, n, min, max",
    "realty/properties/half-baths":
      "wrong: columns bathrooms, full_baths, has_half, count(*) instead of bathrooms, full_baths,",
    "realty/properties/median-area":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not numeric(2,2)[]",
    "realty/properties/rooms": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "realty/viewings/first-viewing":
      "wrong: columns median_days, min(days), max(days) instead of median_days, min, max",
    "realty/viewings/viewings-to-offer": "refused: INVALID_QUERY: an aggregate function cannot stand in WHERE",
    "saas/accounts/flag-lengths": "wrong: columns flags, count(*) instead of flags, count",
    "saas/accounts/flags": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "saas/accounts/key-types": "refused: FUNCTION_NOT_ALLOWED: jsonb_each cannot stand in FROM",
    "saas/accounts/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "saas/accounts/signups-berlin-time": "wrong: columns hour, count(*) instead of hour, count",
    "saas/accounts/uuid-lookup": "wrong: columns count(*) instead of count",
    "saas/invoices/meta-lines": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "saas/subscriptions/discount-groups":
      "wrong: columns discount_pct, count(*), is_total instead of discount_pct, count, is_total",
    "saas/tickets/month-compare":
      "wrong: columns CAST(a.month AS DATE), n, before, diff instead of month, n, before, diff",
    "school/reports/orphans": "refused: SYNTAX: expected an expression, found 'FROM'",
    "school/students/born-by-decade": "wrong: columns decade, count(*) instead of decade, count",
    "sensors/alerts/overlapping":
      "refused: TYPE_MISMATCH: coalesce mixes timestamp and text: 'infinity' cannot be read as ti",
    "sensors/devices/calibration-points":
      "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "sensors/devices/serial-duplicates": "wrong: columns number, count(*) instead of number, count",
    "sensors/meters/days-in-month":
      "wrong: columns CAST(m.month AS DATE), days, covered instead of month, days, covered",
    "sensors/readings/epoch-bins": "wrong: columns bin, count(*) instead of bin, count",
    "webshop/orderings/array-agg-nulls":
      "wrong: no row like ['[null,null,null,null,1,1,2,4,6,8]','[8,6,4,2,1,1,null,nu",
    "webshop/products/json-sizes": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "webshop/revenue/best-month": "wrong: columns CAST(m.month AS DATE), revenue instead of month, revenue",
    "webshop/sets/empty-groups": "wrong: columns category_id, count(*) instead of category_id, count",
    "webshop/text/format-skus": "refused: FUNCTION_NOT_ALLOWED: format fills in %s on some sources and {} on oth",
  },
  local_file: {
    "bank/loans/amortization": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say a recursive table whose ",
    "bank/numbers/sign-cases": "wrong: columns direction, count(*), sum(abs(amount)) instead of direction, co",
    "bank/numbers/weighted-percentile":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not num",
    "cinema/concessions/monthly-growth":
      "engine error: Out of Range Error: Overflow in multiplication of INT16 (2024 * 100)!",
    "cinema/customers/postcode-kinds": "wrong: columns kind, count(*) instead of kind, count",
    "cinema/films/article-sort": "refused: UNSUPPORTED_ON_SOURCE: COLLATE names a collation of one source",
    "cinema/films/friday-releases": "wrong: columns iso_day, day, count(*) instead of iso_day, day, count",
    "cinema/questions/discount-depth":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say buckets of decimals of any length",
    "events/reports/truncate-in-zone": "refused: INVALID_QUERY: date_trunc takes 2 arguments, not 3",
    "events/users/contains-flag": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "events/users/items-bought": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array",
    "events/users/setting-keys": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_objec",
    "events/users/settings-as-rows": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_each_",
    "freight/carriers/email-domains": "wrong: columns domain, count(*) instead of domain, count",
    "freight/carriers/scorecard": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the mean of intervals",
    "freight/items/price-bands": "wrong: columns band, count(*) instead of band, count",
    "freight/stock/adjustments":
      "wrong: columns direction, n, pieces, min(quantity), max(quantity) instead of direction, n,",
    "freight/stock/turnover":
      'wrong: row 20: ["SPA1","SKU-0030",133,"76","159.3"] instead of [{"text":"SPA1"},{"text":"S',
    "freight/tariffs/overlaps": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator OVERLAPS",
    "freight/tariffs/valid-on": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "freight/warehouses/hemisphere": "wrong: columns ns, ew, count(*), codes instead of ns, ew, count, codes",
    "freight/warehouses/opening-hours":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates, time",
    "hospital/dates/overlaps": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator OVERLAPS",
    "hospital/dates/to-date": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the date of a text that ",
    "hospital/drugs/overlapping-drugs": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "hospital/drugs/strengths": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say groups that a match may ",
    "hospital/patients/allergies-split":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function regexp_spli",
    "hospital/patients/allergy-search":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say 'm' in a regular express",
    "hr/cohorts/array-remove": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function array_repla",
    "hr/projects/all-numbers": "refused: FUNCTION_NOT_ALLOWED: regexp_matches gives a row per match on some sou",
    "hr/style/constant-only": "wrong: types number, string, date, number, boolean, list instead of number, s",
    "hr/style/unnamed-columns": "wrong: columns upper(job), length(job), job || '!', 1, 'x', CASE WHEN job = '",
    "league/appearances/exact-rating": "wrong: columns count(*) instead of count",
    "league/goals/first-goal-minute":
      "wrong: columns avg_first, min(first_minute), max(first_minute) instead of avg_first, min, ",
    "league/goals/minute-median":
      "wrong: columns SeasonId, Penalty, median_minute, count(*) instead of SeasonId, Penalty, me",
    "league/matches/season-of-day": "wrong: columns CAST(d.day AS DATE), Label instead of day, Label",
    "league/matches/weekday": "wrong: columns dow, Day, count(*), Ø instead of dow, Day, count, Ø",
    "league/players/weight-stats":
      'wrong: columns Position, min("WeightKg"), max("WeightKg"), mean, median, sd instead of Pos',
    "realty/prices/days-between-changes": "wrong: columns mean, min(days), max(days), n instead of mean, min, max, n",
    "realty/prices/log-bands": "wrong: columns magnitude, n, min(price), max(price) instead of magnitude, n, min, max",
    "realty/properties/description-words":
      'refused: UNSUPPORTED_ON_SOURCE: this source cannot say "\\m" in a regular expression',
    "realty/properties/half-baths":
      "wrong: columns bathrooms, full_baths, has_half, count(*) instead of bathrooms, full_baths,",
    "realty/properties/median-area":
      "refused: TYPE_MISMATCH: argument 1 of percentile_cont must be a number, not numeric(2,2)[]",
    "realty/properties/rooms":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements",
    "realty/viewings/first-viewing":
      "wrong: columns median_days, min(days), max(days) instead of median_days, min, max",
    "realty/viewings/viewings-to-offer": "refused: INVALID_QUERY: an aggregate function cannot stand in WHERE",
    "saas/accounts/flag-lengths": "wrong: columns flags, count(*) instead of flags, count",
    "saas/accounts/flags": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements_t",
    "saas/accounts/json-containment": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "saas/accounts/key-types": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_each",
    "saas/accounts/setting-keys":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_object_keys",
    "saas/accounts/signups-berlin-time": "wrong: columns hour, count(*) instead of hour, count",
    "saas/accounts/uuid-lookup": "wrong: columns count(*) instead of count",
    "saas/invoices/meta-lines":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements",
    "saas/questions/overlapping-subscriptions":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function daterange",
    "saas/subscriptions/discount-groups":
      "wrong: columns discount_pct, count(*), is_total instead of discount_pct, count, is_total",
    "saas/tickets/month-compare":
      "wrong: columns CAST(a.month AS DATE), n, before, diff instead of month, n, before, diff",
    "school/reports/orphans": "refused: SYNTAX: expected an expression, found 'FROM'",
    "school/students/born-by-decade": "wrong: columns decade, count(*) instead of decade, count",
    "sensors/alerts/overlapping":
      "refused: TYPE_MISMATCH: coalesce mixes timestamp and text: 'infinity' cannot be read as ti",
    "sensors/devices/calibration-points":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array_elements_t",
    "sensors/devices/serial-duplicates": "wrong: columns number, count(*) instead of number, count",
    "sensors/maintenance/double-interval":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the division of an interval",
    "sensors/maintenance/total-planned": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the mean of intervals",
    "sensors/meters/days-in-month":
      "wrong: columns CAST(m.month AS DATE), days, covered instead of month, days, covered",
    "sensors/readings/epoch-bins": "wrong: columns bin, count(*) instead of bin, count",
    "sensors/readings/real-text":
      'wrong: row 4: ["5000000008n","18.6953125","92.756"] instead of [{"decimal":"5000000008"},{',
    "webshop/orderings/array-agg-nulls":
      "wrong: no row like ['[null,null,null,null,1,1,2,4,6,8]','[8,6,4,2,1,1,null,nu",
    "webshop/orderings/sort-dates-texts":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the date of a text that ",
    "webshop/products/json-sizes": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function jsonb_array",
    "webshop/reports/json-object-agg": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say jsonb_object_agg",
    "webshop/revenue/best-month": "wrong: columns CAST(m.month AS DATE), revenue instead of month, revenue",
    "webshop/sets/empty-groups": "wrong: columns category_id, count(*) instead of category_id, count",
    "webshop/text/format-skus": "refused: FUNCTION_NOT_ALLOWED: format fills in %s on some sources and {} on oth",
    "webshop/text/repeat-and-strings":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the function quote_liter",
  },
};
