/**
 * Names that the functions of other services have (docs/decisions/0039-names-of-other-engines.md): each call answers on both
 * engines what PostgreSQL answers to the words of its own that stand beside it, and what has no certain meaning is refused.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const SOURCES = ["postgres", "local_file"] as const;

let database: TestDatabase;
let sources: Readonly<Record<(typeof SOURCES)[number], OpenedSource>>;

beforeAll(async () => {
  database = await startPostgres();
  sources = {
    postgres: await openPostgresDatabase(database),
    local_file: await openDuckDbFiles(fileURLToPath(new URL("../../examples", import.meta.url))),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(sources).map((source) => source.close()));
  await database.stop();
});

const TIMES = `(VALUES (1, timestamp '2024-02-29 13:04:05.678901', 86461, 'Größe', '2024-02-29'), (2, timestamp '2021-01-03 00:00:00', 0, '', '2021-01-03'),
  (3, NULL, NULL, NULL, NULL)) AS v(id, t, n, s, day)`;
const ARRAYS = "(VALUES (1, ARRAY[1, 2, 3]), (2, ARRAY[2]), (3, ARRAY[]::int[]), (4, NULL)) AS v(id, a)";

/** The call, and PostgreSQL's words for it. */
const OF_TIMES: readonly (readonly [string, string])[] = [
  ["date_format(t, '%Y-%m-%d %H:%M:%S')", "to_char(t, 'YYYY-MM-DD HH24:MI:SS')"],
  ["date_format(t, '%d.%m.%y')", "to_char(t, 'DD.MM.YY')"],
  ["date_format(t, '%b %-d, %Y')", "to_char(t, 'Mon FMDD, YYYY')"],
  ["date_format(t, '%A, %B')", "to_char(t, 'FMDay, FMMonth')"],
  ["date_format(t, '%I %p')", "to_char(t, 'HH12 AM')"],
  ["date_format(t, '%j')", "to_char(t, 'DDD')"],
  ["date_format(t, 'week %V of %G')", 'to_char(t, \'"week "IW" of "IYYY\')'],
  ["date_format(t, '%F %T 100%%')", "to_char(t, 'YYYY-MM-DD HH24:MI:SS \"100\"%')"],
  ["strftime(t, '%Y-%m')", "to_char(t, 'YYYY-MM')"],
  ["strftime('%Y-%m', t)", "to_char(t, 'YYYY-MM')"],
  ["date_format(t, 'yyyy-MM-dd HH:mm:ss')", "to_char(t, 'YYYY-MM-DD HH24:MI:SS')"],
  ["date_format(t, 'yyyy-MM-dd''T''HH:mm:ss.SSS')", "to_char(t, 'YYYY-MM-DD\"T\"HH24:MI:SS.MS')"],
  ["date_format(t, 'EEE d MMM yy h:mm a')", "to_char(t, 'Dy FMDD Mon YY FMHH12:MI AM')"],
  ["date_format(t, 'MMMM')", "to_char(t, 'FMMonth')"],
  ["date_parse(day, '%Y-%m-%d')", "to_timestamp(day, 'YYYY-MM-DD')::timestamp"],
  ["date_add('day', 1, t)", "t + interval '1 day'"],
  ["date_add('month', n, t)", "t + make_interval(months => n)"],
  ["date_sub('hour', 3, t)", "t - interval '3 hours'"],
  ["from_unixtime(n)", "to_timestamp(n)::timestamp"],
  ["to_unixtime(t)", "extract(epoch FROM t)"],
  ["last_day_of_month(t)", "(date_trunc('month', t) + interval '1 month - 1 day')::date"],
  ["signum(n)", "sign(n)"],
  ["extract('year', t)", "extract(year FROM t)"],
  ["coalesce(n)", "coalesce(n)"],
  ["encode(s, 'hex')", "encode(convert_to(s, 'UTF8'), 'hex')"],
  ["encode(s, 'base64')", "encode(convert_to(s, 'UTF8'), 'base64')"],
  ["contains(s, 'öß')", "strpos(s, 'öß') > 0"],
];

const OF_ARRAYS: readonly (readonly [string, string])[] = [
  ["make_array(id, 7)", "ARRAY[id, 7]"],
  ["array_join(a, ',')", "array_to_string(a, ',')"],
  ["list_to_string(a, '-')", "array_to_string(a, '-')"],
  ["array_concat(a, make_array(9))", "a || ARRAY[9]"],
  ["list_concat(a, a)", "a || a"],
  ["array_concat(a, nullif(a, a), a)", "a || nullif(a, a) || a"],
  ["array_element(a, 2)", "a[2]"],
  ["list_extract(a, 1)", "a[1]"],
  ["element_at(a, 3)", "a[3]"],
  ["array_has_all(a, make_array(2))", "a @> ARRAY[2]"],
  ["list_has_any(a, make_array(3, 9))", "a && ARRAY[3, 9]"],
  ["array_push_back(a, 4)", "array_append(a, 4)"],
  ["list_prepend(0, a)", "array_prepend(0, a)"],
  ["contains(a, 2)", "2 = ANY (a)"],
  ["list_length(a)", "cardinality(a)"],
  ["list_indexof(a, 2)", "array_position(a, 2)"],
  ["sequence(1, id)", "ARRAY(SELECT generate_series(1, id))"],
  ["sequence(5, 1, -2)", "ARRAY(SELECT generate_series(5, 1, -2))"],
];

describe.each([
  ["of times and texts", OF_TIMES, TIMES],
  ["of arrays", OF_ARRAYS, ARRAYS],
] as const)("%s", (_what, cases, rows) => {
  test.each(cases)("%s", async (called, written) => {
    const original = await askAsWritten(`SELECT id, ${written} AS x FROM ${rows} ORDER BY id`, sources.postgres);
    if ("outcome" in original) throw new Error(`as written: ${original.detail}`);
    for (const source of SOURCES) {
      const answer = await ask(`SELECT id, ${called} AS x FROM ${rows} ORDER BY id`, manifest, source, sources[source]);
      const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer);
      expect(verdict, source).toEqual({ outcome: "right" });
    }
  });
});

test.each([
  // MySQL's minutes and seconds, a number of nanoseconds or microseconds, Java's week year and day of the year
  "date_format(t, '%Y-%m-%d %i:%s')",
  "strftime(t, '%f')",
  "date_format(t, 'YYYY-MM-DD')",
  "date_format(t, 'yyyy-DD')",
  "date_format(t, s)",
  "strftime(s, s)",
  "date_format(t, '%')",
  "date_format(t, 'yyyy''')",
  "list_element(a, -1)",
  "element_at(a, id)",
  "sequence(DATE '2024-01-01', DATE '2024-02-01', INTERVAL '1 day')",
])("%s has no certain meaning", (expression) => {
  const sql = `SELECT ${expression} AS x FROM ${TIMES} CROSS JOIN (VALUES (ARRAY[1])) AS w(a)`;
  expect(() => planned(sql, manifest, { source: "postgres" })).toThrow(PlannerError);
});
