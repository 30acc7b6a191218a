/** Every query listed as rejected exists in a suite: a query that is changed or removed leaves the lists too. */
import { expect, test } from "vitest";
import { QUERY_CASES } from "../../acceptance/cases.ts";
import { ANALYST_QUERIES } from "../analyst.ts";
import { CAST_QUERIES } from "../casts.ts";
import { CONSTRUCTS } from "../constructs.ts";
import { FUNCTION_QUERIES } from "../functions.ts";
import { SUBJECTS } from "../originals/subjects.ts";
import { OVER_TABLES } from "../originals-over-tables.ts";
import { REFUSED_BY_CLICKHOUSE } from "./clickhouse.ts";
import { REFUSED_BY_DUCKDB } from "./duckdb.ts";
import { REFUSED_BY_MARIADB, REFUSED_BY_MYSQL } from "./mysql.ts";
import { REFUSED_BY_POSTGRES } from "./postgres.ts";
import type { EngineRefusals, ReasonedRefusals } from "./refusals.ts";
import { REFUSED_BY_SPARK } from "./spark.ts";
import { REFUSED_BY_TRINO } from "./trino.ts";

const LISTS: Readonly<Record<string, Partial<EngineRefusals> | ReasonedRefusals>> = {
  REFUSED_BY_POSTGRES,
  REFUSED_BY_DUCKDB,
  REFUSED_BY_MYSQL,
  REFUSED_BY_MARIADB,
  REFUSED_BY_CLICKHOUSE,
  REFUSED_BY_TRINO,
  REFUSED_BY_SPARK,
};

/** The corpus's names are looked up where it runs (test/engines/corpus-queries.test.ts). */
const ASKED: Readonly<Record<Exclude<keyof EngineRefusals, "corpus">, ReadonlySet<string>>> = {
  acceptance: new Set(QUERY_CASES.map(({ id }) => id)),
  analyst: new Set(ANALYST_QUERIES.map(({ id }) => id)),
  constructs: new Set(CONSTRUCTS.flatMap(({ queries }) => queries)),
  functions: new Set(FUNCTION_QUERIES),
  originals: new Set([...SUBJECTS, ...OVER_TABLES].flatMap(({ queries }) => queries)),
  casts: new Set(CAST_QUERIES.map(({ cast }) => cast)),
  raisingCasts: new Set(CAST_QUERIES.map(({ cast }) => cast)),
};

type Kind = keyof typeof ASKED;

function textsIn(kind: Kind, list: Readonly<Record<string, string>> | readonly string[] = []): readonly string[] {
  if (Array.isArray(list)) return list;
  if (kind !== "casts" && kind !== "raisingCasts") return Object.keys(list);
  return Object.entries(list).flatMap(([value, types]) => types.split(" ").map((type) => `${value} → ${type}`));
}

test.each(
  Object.entries(LISTS).flatMap(([name, list]) =>
    (Object.keys(ASKED) as Kind[]).map((kind) => ({
      name,
      kind,
      listed: textsIn(kind, (list as Partial<EngineRefusals>)[kind]),
    })),
  ),
)("$name: $kind", ({ kind, listed }) => {
  expect(listed.filter((each) => !ASKED[kind].has(each))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});
