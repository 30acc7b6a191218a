/**
 * Queries of the corpus that are refused on ClickHouse, by what they ask for. A query that is answered must leave the list.
 */
import { type Refusals, type RefusedQueries, refusedFor } from "./refusals.ts";

const GROUPS: readonly RefusedQueries[] = [
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "arrays cannot be NULL there, and rows of a query become none",
    queries: [
      "hr/cohorts/array-subquery",
      "realty/clients/wants-sets",
      "saas/plans/exclusive-features",
      "sensors/devices/firmware-array",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "intervals that are no differences of times: no table keeps any, and those of the engine have one unit",
    queries: [
      "bank/balances/closing-after-opening",
      "bank/clients/age-on-day",
      "events/sessions/first-and-last-event",
      "freight/carriers/scorecard",
      "freight/stock/count-age",
      "hospital/dates/ages-exact",
      "saas/subscriptions/next-renewal",
      "saas/tickets/sla",
      "sensors/alerts/interval-text",
      "sensors/devices/age-in-years",
      "sensors/generated/preview-all-types",
      "sensors/maintenance/double-interval",
      "sensors/maintenance/extract-interval",
      "sensors/maintenance/interval-buckets",
      "sensors/maintenance/overrun",
      "sensors/maintenance/planned-end",
      "sensors/maintenance/planned-hours",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "no table depends on the rows beside it, and no function makes several rows of one",
    queries: ["hr/projects/all-numbers", "webshop/orders/business-days"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "documents are texts there, whose keys are in their written order, and nothing makes them with PostgreSQL's digits and blanks",
    queries: [
      "events/reports/json-path-text",
      "events/reports/json-text-compare",
      "events/reports/json-without-key",
      "events/reports/time-on-page",
      "events/traffic/deduplicated-count",
      "events/traffic/exact-duplicates",
      "events/traffic/json-null-or-missing",
      "events/users/last-item",
      "realty/properties/json-null",
      "saas/events/props-text",
      "sensors/devices/calibration-second-point",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "subqueries of a row are joins there: they meet no NULLs, and multiply what they count",
    queries: [
      "cinema/concessions/division",
      "cinema/sales/holidays",
      "events/traffic/rolling-28-days",
      "freight/stock/no-moves",
      "hospital/logic/any-of-them",
      "hr/people/sql-people",
      "hr/projects/division",
      "realty/questions/wish-fulfilment",
      "realty/viewings/viewings-to-offer",
      "saas/events/rolling-four-weeks",
      "sensors/maintenance/duplicate-parts",
      "webshop/orders/largest-line",
      "webshop/sets/exists-correlated-twice",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "a zone whose name is computed cannot be checked when the statement is planned",
    queries: ["sensors/devices/local-install-time"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "dates there end with the year 2299",
    queries: ["bank/windows/lead-default", "cinema/customers/history", "hospital/dates/coalesce-dates"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "decimals whose digits the expression does not tell",
    queries: [
      "bank/loans/amortization",
      "bank/numbers/powers-and-logs",
      "hospital/dates/interval-arithmetic",
      "league/players/bmi",
      "realty/prices/cumulative-reduction",
      "sensors/maintenance/total-planned",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "RE2 does not read it alike, or takes another match",
    queries: ["school/reports/codes-by-pattern"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "its recursion meets rows again, and keeps the digits of its first rows",
    queries: [
      "freight/warehouses/reachable",
      "league/contracts/transfer-routes",
      "realty/agents/team-size",
      "school/structure/ladder-of-levels",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "its frames have no GROUPS, no EXCLUDE, and distances of small numbers",
    queries: [
      "bank/windows/exclude-current",
      "bank/windows/frame-groups",
      "cinema/questions/exclude-current",
      "cinema/questions/groups-frame",
      "sensors/readings/range-window",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "LIMIT takes literals there",
    queries: ["webshop/sets/limit-from-cte"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "no function of its own means the same, and none is made of others",
    queries: [
      "bank/numbers/weighted-percentile",
      "realty/prices/monthly-level",
      "realty/properties/median-area",
      "webshop/text/quoted-quotes",
    ],
  },
];

export const CORPUS_REFUSED_BY_CLICKHOUSE: Refusals = refusedFor(GROUPS);
