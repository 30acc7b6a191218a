/**
 * Faults of the planner that the corpus has found and that are being mended: data source → query → what happens.
 * A query that answers right must leave the list.
 */
import type { DataSource } from "../../src/planner/plan.ts";

export const PENDING: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  postgres: {
    "freight/carriers/email-domains": "wrong: columns domain, count(*) instead of domain, count",
    "freight/items/price-bands": "wrong: columns band, count(*) instead of band, count",
    "freight/shipments/note-reference": "refused: TYPE_MISMATCH: argument 2 of substring must be a number, not text",
    "freight/stock/adjustments":
      "wrong: columns direction, n, pieces, min(quantity), max(quantity) instead of direction, n,",
    "freight/tariffs/next-anniversary": "refused: TYPE_MISMATCH: this cannot be read as an interval",
    "freight/tariffs/valid-on": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "freight/warehouses/hemisphere": "wrong: columns ns, ew, count(*), codes instead of ns, ew, count, codes",
    "saas/accounts/country-list":
      'wrong: no row like [{"text":"DE/FR/JP/PL/US"},"[\\"DE\\",\\"FR\\",\\"JP\\",\\"PL\\",\\"US\\",null]"]',
    "saas/accounts/flag-lengths": "wrong: columns flags, count(*) instead of flags, count",
    "saas/accounts/flags": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "saas/accounts/key-types": "refused: FUNCTION_NOT_ALLOWED: jsonb_each cannot stand in FROM",
    "saas/accounts/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "saas/accounts/signups-berlin-time": "wrong: columns hour, count(*) instead of hour, count",
    "saas/accounts/uuid-lookup": "wrong: columns count(*) instead of count",
    "saas/invoices/meta-lines": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "saas/subscriptions/discount-groups":
      "wrong: columns discount_pct, count(*), is_total instead of discount_pct, count, is_total",
    "saas/tickets/empty-tags": "refused: TYPE_MISMATCH: cannot compare text[] with text",
    "saas/tickets/month-compare":
      "wrong: columns CAST(a.month AS DATE), n, before, diff instead of month, n, before, diff",
    "school/students/born-by-decade": "wrong: columns decade, count(*) instead of decade, count",
    "webshop/products/json-sizes": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "webshop/products/sku-pattern": "refused: TYPE_MISMATCH: argument 2 of substring must be a number, not text",
    "webshop/revenue/best-month": "wrong: columns CAST(m.month AS DATE), revenue instead of month, revenue",
  },
  local_file: {
    "bank/clients/branch-hours": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the difference of two ti",
    "bank/clients/width-buckets": "engine error: Catalog Error: Scalar Function with name width_bucket does not exist!",
    "bank/loans/amortization": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say a recursive table whose ",
    "bank/movements/amount-text": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but ",
    "freight/carriers/email-domains": "wrong: columns domain, count(*) instead of domain, count",
    "freight/items/price-bands": "wrong: columns band, count(*) instead of band, count",
    "freight/items/price-format":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates and t",
    "freight/items/price-vs-category":
      'wrong: row 1: ["SKU-0001",null,"194.83","-7.86","-3.9"] instead of [{"text":"SKU-0001"},nu',
    "freight/items/width-bucket": "engine error: Catalog Error: Scalar Function with name width_bucket does not exist!",
    "freight/shipments/cost-per-km":
      'wrong: row 34: ["100105n","5091.96",1998.375,"2.5481"] instead of [{"decimal":"100105"},{"',
    "freight/shipments/note-reference": "refused: TYPE_MISMATCH: argument 2 of substring must be a number, not text",
    "freight/stock/adjustments":
      "wrong: columns direction, n, pieces, min(quantity), max(quantity) instead of direction, n,",
    "freight/stock/no-moves": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say NOT IN of a row",
    "freight/stock/turnover":
      'wrong: row 20: ["SPA1","SKU-0030",133,"76","159.3"] instead of [{"text":"SPA1"},{"text":"S',
    "freight/tariffs/next-anniversary": "refused: TYPE_MISMATCH: this cannot be read as an interval",
    "freight/tariffs/overlaps": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator OVERLAPS",
    "freight/tariffs/price-of-shipments":
      'wrong: row 14: ["100054n",4380.625,"1.7405","60.85","7624.48","7569.55"] instead of [{"dec',
    "freight/tariffs/valid-on": "refused: TYPE_MISMATCH: 'infinity' cannot be read as date",
    "freight/warehouses/hemisphere": "wrong: columns ns, ew, count(*), codes instead of ns, ew, count, codes",
    "freight/warehouses/hours-open":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say the difference of two times of day",
    "freight/warehouses/opening-hours":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates and t",
    "saas/accounts/country-list":
      'wrong: no row like [{"text":"DE/FR/JP/PL/US"},"[\\"DE\\",\\"FR\\",\\"JP\\",\\"PL\\",\\"US\\",null]"]',
    "saas/accounts/flag-lengths": "wrong: columns flags, count(*) instead of flags, count",
    "saas/accounts/flags": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "saas/accounts/has-billing":
      'wrong: no row like [{"decimal":"31"},{"decimal":"22"},{"decimal":"7"}]; left over: [["31n"',
    "saas/accounts/json-containment": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say operator @> over json",
    "saas/accounts/key-types": "refused: FUNCTION_NOT_ALLOWED: jsonb_each cannot stand in FROM",
    "saas/accounts/setting-keys": "refused: FUNCTION_NOT_ALLOWED: jsonb_object_keys cannot stand in FROM",
    "saas/accounts/signups-berlin-time": "wrong: columns hour, count(*) instead of hour, count",
    "saas/accounts/uuid-lookup": "wrong: columns count(*) instead of count",
    "saas/events/json-build":
      "engine error: Catalog Error: Scalar Function with name json_build_object does not exist!",
    "saas/events/user-number": "engine error: Catalog Error: Scalar Function with name regexp_match does not exist!",
    "saas/invoices/formatted-total":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say to_char of anything but dates and t",
    "saas/invoices/meta-attempts":
      "refused: UNSUPPORTED_ON_SOURCE: this source cannot say numeric without precision for this ",
    "saas/invoices/meta-lines": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements cannot stand in FROM",
    "saas/plans/limits": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say numeric without precision for this ",
    "saas/subscriptions/discount-groups":
      "wrong: columns discount_pct, count(*), is_total instead of discount_pct, count, is_total",
    "saas/subscriptions/next-renewal":
      "engine error: Catalog Error: Scalar Function with name make_interval does not exist!",
    "saas/tickets/empty-tags": "refused: TYPE_MISMATCH: cannot compare text[] with text",
    "saas/tickets/month-compare":
      "wrong: columns CAST(a.month AS DATE), n, before, diff instead of month, n, before, diff",
    "saas/tickets/unreplied":
      'engine error: Conversion Error: invalid timestamp field format: "2024-04-01 12:00+00", exp',
    "school/attendance/half-hours": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say an interval times a numb",
    "school/students/born-by-decade": "wrong: columns decade, count(*) instead of decade, count",
    "webshop/products/json-has-key": "wrong: no row like [{'decimal':'38'},{'decimal':'29'},{'decimal':'13'}]; left",
    "webshop/products/json-heavy": "refused: UNSUPPORTED_ON_SOURCE: this source cannot say numeric without precisio",
    "webshop/products/json-sizes": "refused: FUNCTION_NOT_ALLOWED: jsonb_array_elements_text cannot stand in FROM",
    "webshop/products/sku-pattern": "refused: TYPE_MISMATCH: argument 2 of substring must be a number, not text",
    "webshop/revenue/best-month": "wrong: columns CAST(m.month AS DATE), revenue instead of month, revenue",
  },
};
