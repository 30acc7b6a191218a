/**
 * Queries of the corpus that are refused on MySQL and on MariaDB, by what they ask for. A query that is answered must leave
 * the list.
 */
import type { MySqlFlavor } from "../../support/mysql-server.ts";
import { type Refusals, type RefusedQueries, refusedFor } from "./refusals.ts";

const BY_BOTH: readonly RefusedQueries[] = [
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "arrays are documents of json there, which are not compared; a query is none, and neither are matches of a regular expression",
    queries: [
      "hr/cohorts/array-equality",
      "hr/cohorts/array-remove",
      "hr/cohorts/array-slices",
      "hr/cohorts/array-subquery",
      "realty/clients/wants-sets",
      "saas/plans/exclusive-features",
      "webshop/orderings/order-by-array",
      "hr/projects/all-numbers",
      "sensors/devices/firmware-array",
      "webshop/reviews/word-counts",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "MySQL has no intervals but those beside a date or timestamp and differences of timestamps, and times of a day have other bounds",
    queries: [
      "bank/balances/closing-after-opening",
      "bank/clients/age-on-day",
      "events/windows/range-interval",
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
      "sensors/readings/ohlc",
      "sensors/readings/range-window",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "rows that a function makes, and series that differ for each row",
    queries: [
      "events/users/settings-as-rows",
      "hospital/patients/allergies-split",
      "hr/absences/working-days",
      "saas/accounts/key-types",
      "sensors/maintenance/working-days",
      "webshop/orders/business-days",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "a zone whose name is computed cannot be checked when the statement is planned",
    queries: ["sensors/devices/local-install-time"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "MySQL keeps json parsed and MariaDB as text: its order, texts and numbers differ, and what both say is a member's value",
    queries: [
      "events/reports/build-document",
      "events/reports/json-text-compare",
      "events/reports/json-without-key",
      "events/reports/purchases-json",
      "events/reports/time-on-page",
      "events/traffic/deduplicated-count",
      "events/traffic/exact-duplicates",
      "events/traffic/json-null-or-missing",
      "events/users/last-item",
      "realty/properties/json-null",
      "saas/events/props-text",
      "saas/invoices/json-path",
      "webshop/reports/json-object-agg",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "ICU and PCRE do not read it alike, or one of them does not know it",
    queries: ["school/reports/codes-by-pattern"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "a date format that the engines' own does not have, or only with other filling",
    queries: ["realty/prices/money-format"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "no function of both engines, and none is made of others",
    queries: [
      "realty/viewings/comment-normal",
      "school/reports/age-pyramid",
      "sensors/readings/histogram-bar",
      "webshop/text/split-negative",
      "webshop/text/trim-kinds",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "computed of exact sums, of which doubles have none, and shares and intercepts are not",
    queries: [
      "bank/clients/score-correlation",
      "freight/items/stats",
      "sensors/readings/correlation",
      "sensors/readings/trend",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "a text of a real has six digits on both engines",
    queries: ["sensors/readings/real-text"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "percentiles are taken out of a list in a grouped query, by a literal fraction of numbers",
    queries: ["bank/numbers/weighted-percentile", "realty/properties/median-area"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "neither engine has frames of GROUPS or EXCLUDE",
    queries: [
      "bank/windows/exclude-current",
      "bank/windows/frame-groups",
      "cinema/questions/exclude-current",
      "cinema/questions/groups-frame",
    ],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "MariaDB computes an aggregate of the query around a subquery in the subquery",
    queries: ["realty/viewings/viewings-to-offer"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "MariaDB's lead has no default, and the length of the window is not known by its name",
    queries: ["webshop/orders/previous-order-of-customer"],
  },
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "LIMIT takes literals there",
    queries: ["webshop/sets/limit-from-cte"],
  },
];

const BY_MYSQL_ALONE: readonly RefusedQueries[] = [
  {
    reason: "UNSUPPORTED_ON_SOURCE",
    why: "MySQL 9.6 and later have no md5",
    queries: ["realty/clients/mail-hash", "webshop/text/md5-buckets"],
  },
];

export const CORPUS_REFUSED_BY: Readonly<Record<MySqlFlavor, Refusals>> = {
  mysql: refusedFor([...BY_BOTH, ...BY_MYSQL_ALONE]),
  mariadb: refusedFor(BY_BOTH),
};
