/** Queries of the corpus that are refused on Trino, by what they ask for. One that is answered must leave the list. */
import { type RefusedQueries, refusedFor } from "./refusals.ts";

const REFUSED: readonly RefusedQueries[] = [
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "Trino keeps months and days in two kinds of interval, and only a difference of timestamps has a number for one",
    queries: [
      "bank/balances/closing-after-opening",
      "bank/clients/age-on-day",
      "freight/stock/count-age",
      "hospital/dates/ages-exact",
      "hospital/dates/interval-arithmetic",
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
      "sensors/maintenance/total-planned",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "JSON is written anew there: only texts, truth and short numbers of its members are as they stand",
    queries: [
      "events/reports/json-text-compare",
      "events/reports/json-without-key",
      "events/reports/time-on-page",
      "events/traffic/deduplicated-count",
      "events/traffic/json-null-or-missing",
      "events/users/last-item",
      "events/users/settings-as-rows",
      "realty/properties/json-null",
      "saas/events/props-text",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "Nothing there gives the same for every value",
    queries: [
      "bank/numbers/weighted-percentile",
      "hr/cohorts/array-subquery",
      "hr/projects/all-numbers",
      "realty/prices/monthly-level",
      "realty/properties/median-area",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "Trino makes joins of subqueries, and knows none for this one",
    queries: [
      "cinema/concessions/division",
      "hr/people/sql-people",
      "realty/questions/wish-fulfilment",
      "webshop/orders/business-days",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "Functions that make rows stand in FROM alone there",
    queries: ["realty/clients/wants-sets", "saas/plans/exclusive-features"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "The text of such a number has other digits there",
    queries: ["sensors/readings/real-text"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "Frames have neither GROUPS nor EXCLUDE there",
    queries: [
      "bank/windows/exclude-current",
      "bank/windows/frame-groups",
      "cinema/questions/exclude-current",
      "cinema/questions/groups-frame",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "A subquery sees the query around it there, and none that is further out",
    queries: ["hr/projects/division", "webshop/sets/exists-correlated-twice"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "A zone whose name is computed cannot be checked when the statement is planned",
    queries: ["sensors/devices/local-install-time"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "A subquery holds no aggregate of the query around it there",
    queries: ["realty/viewings/viewings-to-offer"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "LIMIT and OFFSET are numbers there",
    queries: ["webshop/sets/limit-from-cte"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "Rows with NULLs are compared as whole values there",
    queries: ["freight/stock/no-moves"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "The first row gives a recursive table its types there",
    queries: ["bank/loans/amortization"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "What was found is not looked for again there",
    queries: ["school/reports/codes-by-pattern"],
  },
];

export const CORPUS_REFUSED_BY_TRINO = refusedFor(REFUSED);

/** Queries that only the engine itself can reject: query → the beginning of its error. */
export const BEYOND_TRINO: Readonly<Record<string, string>> = {
  "bank/numbers/compound-with-recursion": "Recursion depth limit exceeded",
  "school/reports/fibonacci": "Recursion depth limit exceeded",
  "sensors/generated/recursive-clock": "Recursion depth limit exceeded",
  "sensors/questions/exponential": "Recursion depth limit exceeded",
  "freight/warehouses/route-paths": "Number of stages in the query",
};
