/** Structured queries over a cube whose time dimension is an instant, and what PostgreSQL answers to their SQL in a session of the zone. */
import { manifestOf } from "../support/plan.ts";
import { INSTANTS } from "./session-zones.ts";

/** The dimension `utc_day` is the manifest's own: it stays in UTC. */
export const ZONED_CUBE = manifestOf({
  catalog: "c",
  schema: "s",
  models: [],
  views: [{ name: "events", statement: `SELECT i, t FROM ${INSTANTS}` }],
  cubes: [
    {
      name: "traffic",
      baseObject: "events",
      measures: [{ name: "n", type: "BIGINT", expression: "count(*)" }],
      dimensions: [{ name: "utc_day", type: "DATE", expression: "CAST(t AS date)" }],
      timeDimensions: [{ name: "at", type: "TIMESTAMPTZ", expression: "t" }],
    },
  ],
});

interface ZonedCubeQuery {
  readonly cube: object;
  /** In the session's zone. */
  readonly sql: string;
}

const grouped = (granularity: string, dateRange?: readonly [string, string], where = ""): ZonedCubeQuery => ({
  cube: {
    cube: "traffic",
    measures: ["n"],
    timeDimensions: [{ dimension: "at", granularity, ...(dateRange && { dateRange }) }],
    orderBy: [{ member: "at", direction: "asc" }],
  },
  sql: `SELECT date_trunc('${granularity}', t) AS at__${granularity}, count(*) AS n FROM ${INSTANTS} ${where} GROUP BY 1 ORDER BY 1`,
});

export const ZONED_CUBE_QUERIES: readonly ZonedCubeQuery[] = [
  grouped("hour"),
  grouped("day"),
  grouped("week"),
  grouped("month"),
  grouped("quarter"),
  grouped("year"),
  // An end that is a day includes the day, which may have 23 or 25 hours.
  grouped("day", ["2024-03-31", "2024-10-27"], "WHERE t >= '2024-03-31' AND t < '2024-10-28'"),
  grouped(
    "month",
    ["2024-03-31 01:30:00", "2024-11-03 01:30:00"],
    "WHERE t >= '2024-03-31 01:30:00' AND t < '2024-11-03 01:30:00'",
  ),
  {
    cube: {
      cube: "traffic",
      measures: ["n"],
      dimensions: ["utc_day"],
      orderBy: [{ member: "utc_day", direction: "asc" }],
    },
    sql: `SELECT CAST(t AT TIME ZONE 'UTC' AS date) AS utc_day, count(*) AS n FROM ${INSTANTS} GROUP BY 1 ORDER BY 1`,
  },
];
