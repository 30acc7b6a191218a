/**
 * Faults of the planner that the corpus has found and that are being mended: data source → query → what happens.
 * A query that answers right must leave the list.
 */
import type { DataSource } from "../../src/planner/plan.ts";

export const PENDING: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  postgres: {
    "school/grades/pass-rate-by-department": "GROUP BY a primary key",
    "freight/carriers/email-domains": "wrong: columns domain, count(*) instead of domain, count",
    "freight/items/price-bands": "wrong: columns band, count(*) instead of band, count",
    "freight/shipments/note-reference": "refused: TYPE_MISMATCH: argument 2 of substring must be a number, not text",
    "freight/stock/adjustments":
      "wrong: columns direction, n, pieces, min(quantity), max(quantity) instead of direction, n,",
    "freight/tariffs/valid-on": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "freight/tariffs/next-anniversary": "refused: TYPE_MISMATCH: this cannot be read as an interval",
    "freight/warehouses/hemisphere": "wrong: columns ns, ew, count(*), codes instead of ns, ew, count, codes",
    "saas/accounts/signups-berlin-time": "wrong: columns hour, count(*) instead of hour, count",
    "saas/accounts/flags": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "saas/accounts/flag-lengths": "wrong: columns flags, count(*) instead of flags, count",
    "saas/accounts/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "saas/accounts/key-types": "refused: FUNCTION_NOT_ALLOWED: jsonb_each cannot stand in FROM",
    "saas/accounts/uuid-lookup": "wrong: columns count(*) instead of count",
    "saas/accounts/country-list":
      'wrong: no row like [{"text":"DE/FR/JP/PL/US"},"[\\"DE\\",\\"FR\\",\\"JP\\",\\"PL\\",\\"US\\",null]"]',
    "saas/invoices/meta-lines": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "saas/subscriptions/discount-groups":
      "wrong: columns discount_pct, count(*), is_total instead of discount_pct, count, is_total",
    "saas/tickets/empty-tags": "refused: TYPE_MISMATCH: cannot compare text[] with text",
    "saas/tickets/month-compare":
      "wrong: columns CAST(a.month AS DATE), n, before, diff instead of month, n, before, diff",
  },
  local_file: {
    "school/grades/pass-rate-by-department": "GROUP BY a primary key",
    "freight/carriers/email-domains": "wrong: columns domain, count(*) instead of domain, count",
    "freight/items/price-format":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates and t",
    "freight/items/price-bands": "wrong: columns band, count(*) instead of band, count",
    "freight/items/width-bucket": "engine error: Catalog Error: Scalar Function with name width_bucket does not exist!",
    "freight/items/price-vs-category":
      'wrong: row 1: ["SKU-0001",null,"194.83","-7.86","-3.9"] instead of [{"text":"SKU-0001"},nu',
    "freight/shipments/cost-per-km":
      'wrong: row 34: ["100105n","5091.96",1998.375,"2.5481"] instead of [{"decimal":"100105"},{"',
    "freight/shipments/note-reference": "refused: TYPE_MISMATCH: argument 2 of substring must be a number, not text",
    "freight/stock/adjustments":
      "wrong: columns direction, n, pieces, min(quantity), max(quantity) instead of direction, n,",
    "freight/stock/no-moves": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say NOT IN of a row",
    "freight/stock/turnover":
      'wrong: row 20: ["SPA1","SKU-0030",133,"76","159.3"] instead of [{"text":"SPA1"},{"text":"S',
    "freight/tariffs/valid-on": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "freight/tariffs/price-of-shipments":
      'wrong: row 14: ["100054n",4380.625,"1.7405","60.85","7624.48","7569.55"] instead of [{"dec',
    "freight/tariffs/overlaps": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator OVERLAPS",
    "freight/tariffs/next-anniversary": "refused: TYPE_MISMATCH: this cannot be read as an interval",
    "freight/warehouses/opening-hours":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates and t",
    "freight/warehouses/hours-open":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the difference of two times of day",
    "freight/warehouses/hemisphere": "wrong: columns ns, ew, count(*), codes instead of ns, ew, count, codes",
    "saas/accounts/signups-berlin-time": "wrong: columns hour, count(*) instead of hour, count",
    "saas/accounts/has-billing":
      'wrong: no row like [{"decimal":"31"},{"decimal":"22"},{"decimal":"7"}]; left over: [["31n"',
    "saas/accounts/flags": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "saas/accounts/flag-lengths": "wrong: columns flags, count(*) instead of flags, count",
    "saas/accounts/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "saas/accounts/key-types": "refused: FUNCTION_NOT_ALLOWED: jsonb_each cannot stand in FROM",
    "saas/accounts/json-containment": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "saas/accounts/uuid-lookup": "wrong: columns count(*) instead of count",
    "saas/accounts/country-list":
      'wrong: no row like [{"text":"DE/FR/JP/PL/US"},"[\\"DE\\",\\"FR\\",\\"JP\\",\\"PL\\",\\"US\\",null]"]',
    "saas/events/user-number": "engine error: Catalog Error: Scalar Function with name regexp_match does not exist!",
    "saas/events/json-build":
      "engine error: Catalog Error: Scalar Function with name json_build_object does not exist!",
    "saas/invoices/meta-attempts":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say numeric without precision for this ",
    "saas/invoices/meta-lines": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "saas/invoices/formatted-total":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates and t",
    "saas/plans/limits": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say numeric without precision for this ",
    "saas/subscriptions/discount-groups":
      "wrong: columns discount_pct, count(*), is_total instead of discount_pct, count, is_total",
    "saas/subscriptions/next-renewal":
      "engine error: Catalog Error: Scalar Function with name make_interval does not exist!",
    "saas/tickets/empty-tags": "refused: TYPE_MISMATCH: cannot compare text[] with text",
    "saas/tickets/unreplied":
      'engine error: Conversion Error: invalid timestamp field format: "2024-04-01 12:00+00", exp',
    "saas/tickets/month-compare":
      "wrong: columns CAST(a.month AS DATE), n, before, diff instead of month, n, before, diff",
  },
};
