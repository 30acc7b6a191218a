import { type EngineRefusals, NO_REFUSALS } from "./refusals.ts";

/** Queries that the planner rejects although PostgreSQL runs their text, or that PostgreSQL rejects as well. */
export const REFUSED_BY_POSTGRES: EngineRefusals = {
  ...NO_REFUSALS,
  originals: [
    "SELECT x::int, x FROM (VALUES ('5'), ('10'), ('7')) AS t(x) ORDER BY x",
    "SELECT x AS y, y::int FROM (VALUES (3, '1'), (2, '2')) t(x, y) ORDER BY y",
    "SELECT count(*), count(x) FROM (VALUES (1), (1), (2)) t(x) GROUP BY x ORDER BY count DESC",
    "SELECT bool FROM (SELECT true) q",
    'SELECT lower(name COLLATE "C") FROM orders',
  ],
};
