/** Every question that is listed as rejected exists in a suite: one that is changed or removed leaves the lists too. */
import { describe, expect, test } from "vitest";
import { plan } from "../../../src/planner/index.ts";
import { QUERY_CASES } from "../../acceptance/cases.ts";
import { manifestOf, requestOf } from "../../support/plan.ts";
import { ANALYST_QUERIES } from "../analyst.ts";
import { CAST_QUERIES } from "../casts.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS, ORIGINAL_QUESTIONS, OVER_TABLES_QUESTIONS } from "../questions.ts";
import { REFUSED_BY_CLICKHOUSE } from "./clickhouse.ts";
import { REFUSED_BY_DUCKDB } from "./duckdb.ts";
import { REFUSED, REFUSING_SOURCES } from "./matrix.ts";
import { REFUSED_BY_MARIADB, REFUSED_BY_MYSQL } from "./mysql.ts";
import { NOT_SUPPORTED, NOT_SUPPORTED_ON } from "./reasons.ts";
import type { EngineRefusals, ReasonedRefusals } from "./refusals.ts";
import { isRefusedOn, type ReasonedSource, whatIsRefusedOn } from "./refused-on.ts";
import { REFUSED_BY_SPARK } from "./spark.ts";
import { LACKING_ON_SPARK_3_5 } from "./spark-3-5.ts";
import { REFUSED_BY_TRINO } from "./trino.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });

const LISTS: Readonly<Record<string, Partial<EngineRefusals> | ReasonedRefusals>> = {
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
  casts: new Set(CAST_QUERIES.map(({ cast }) => cast)),
  raisingCasts: new Set(CAST_QUERIES.map(({ cast }) => cast)),
};

type Kind = keyof typeof ASKED;

function textsIn(list: Readonly<Record<string, string>> | readonly string[] = []): readonly string[] {
  if (Array.isArray(list)) return list;
  return Object.entries(list).flatMap(([value, types]) => types.split(" ").map((type) => `${value} → ${type}`));
}

test.each(
  Object.entries(LISTS).flatMap(([name, list]) =>
    (Object.keys(ASKED) as Kind[]).map((kind) => ({
      name,
      kind,
      listed: textsIn((list as Partial<EngineRefusals>)[kind]),
    })),
  ),
)("$name: $kind", ({ kind, listed }) => {
  expect(listed.filter((each) => !ASKED[kind].has(each))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

const PLANNED = [...CONSTRUCT_QUESTIONS, ...FUNCTION_QUESTIONS].map(({ name }) => name);
const NAMES = [...PLANNED, ...[...ORIGINAL_QUESTIONS, ...OVER_TABLES_QUESTIONS].map(({ name }) => name)];

test("a name is that of one question, and its slug is plain", () => {
  expect(new Set(NAMES).size).toBe(NAMES.length);
  expect(NAMES.filter((name) => !/\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
  expect(NAMES.filter((name) => name.length - name.lastIndexOf("/") > 41)).toEqual([]);
});

describe("the matrix", () => {
  test("names questions, in their order", () => {
    expect(Object.keys(REFUSED)).toEqual(NAMES.filter((name) => Object.hasOwn(REFUSED, name)));
  });

  test("names sources in their order, each once", () => {
    const inOrder = (sources: string): string =>
      REFUSING_SOURCES.filter((source) => sources.split(" ").includes(source)).join(" ");
    expect(REFUSED).toEqual(
      Object.fromEntries(Object.entries(REFUSED).map(([name, sources]) => [name, inOrder(sources) || "no source"])),
    );
  });

  test.each(Object.keys(NOT_SUPPORTED_ON) as ReasonedSource[])("has a reason for all that %s refuses", (source) => {
    const refused = PLANNED.filter((name) => isRefusedOn(source, name));
    expect(refused.filter((name) => whatIsRefusedOn(source, name) === undefined)).toEqual([]);
    expect(Object.keys(NOT_SUPPORTED_ON[source]).filter((name) => !refused.includes(name))).toEqual([]);
  });

  test.each(REFUSING_SOURCES.filter((source) => source !== "mysql-alone"))("is what %s refuses", (source) => {
    const questions = [...CONSTRUCT_QUESTIONS, ...FUNCTION_QUESTIONS];
    const settings = requestOf(withoutTables, { source, options: { unknownFunctions: "refuse" } });
    const refused = questions.filter(({ sql }) => !plan({ sql, ...settings }).ok).map(({ name }) => name);
    expect(refused).toEqual(questions.map(({ name }) => name).filter((name) => isRefusedOn(source, name)));
  });

  test("has no reason that none gives", () => {
    const isGiven = (name: string): boolean =>
      (Object.keys(NOT_SUPPORTED_ON) as ReasonedSource[]).some(
        (source) => isRefusedOn(source, name) && !Object.hasOwn(NOT_SUPPORTED_ON[source], name),
      );
    expect(Object.keys(NOT_SUPPORTED).filter((name) => !isGiven(name))).toEqual([]);
  });
});

test("what Spark 3.5 lacks is asked", () => {
  const asked = new Set([...ANALYST_QUERIES.map(({ id }) => id), ...PLANNED]);
  expect(Object.keys(LACKING_ON_SPARK_3_5).filter((name) => !asked.has(name))).toEqual([]);
});
