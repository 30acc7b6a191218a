/** A function that the planner knows is listed, and one that is listed is planned: on every source, each in a call of its own. */
import { describe, expect, test } from "vitest";
import { FUNCTION_TEXTS } from "../../../src/planner/describe/function-texts.ts";
import { describedFunctions } from "../../../src/planner/describe/functions.ts";
import { LISTED_OTHERWISE } from "../../../src/planner/describe/listed-otherwise.ts";
import { SYNONYM_TEXTS } from "../../../src/planner/describe/synonym-texts.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { functionNames } from "../../../src/planner/functions/catalogue.ts";
import { RENAMED, REWRITES } from "../../../src/planner/functions/synonyms.ts";
import type { DataSource, Plan } from "../../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../../src/service/data-sources.ts";
import { planned } from "../../support/plan.ts";
import { ordersOn } from "./orders.ts";

const SOURCES = ["postgres", "duckdb", "local_file"] as const satisfies readonly DataSource[];

const TEXTS = { functions: FUNCTION_TEXTS, synonyms: SYNONYM_TEXTS, otherwise: LISTED_OTHERWISE };
const listed = (source: DataSource) => describedFunctions(source, TEXTS);

/** Every name that means something to the planner; a `format` and an `extract` have no row in a table. */
const KNOWN = new Set([...functionNames(), ...RENAMED.keys(), ...REWRITES.keys(), "format", "extract"]);

/** Calls of the functions that a source has no word for. */
const NOT_SAID: Readonly<Record<string, string>> = {
  product: "product(quantity)",
  skewness: "skewness(price)",
  kurtosis: "kurtosis(price)",
  clock_timestamp: "clock_timestamp()",
};

function plan(example: string, source: DataSource): Plan {
  const sql = example.startsWith("FROM ") ? `SELECT 1 AS n ${example}` : `SELECT ${example} FROM orders`;
  const grouped = example.startsWith("grouping(") ? `${sql} GROUP BY ROLLUP (city)` : sql;
  return planned(grouped, ordersOn(source), { source, options: { unknownFunctions: "refuse" } });
}

describe.each(SOURCES)("%s", (source) => {
  const described = listed(source);
  const names = new Set(described.map(({ name }) => name));

  test.each(described)("$name: $example", ({ name, example, records }) => {
    const isCalled = new RegExp(`(?:^|[^a-z_])${name}(?![a-z_0-9])`, "i");
    expect(example).toMatch(isCalled);
    expect(plan(example, source).warnings.filter(({ code }) => code === "UNKNOWN_FUNCTION")).toEqual([]);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      expect(record).toEqual({
        function_type: expect.stringMatching(/^(?:scalar|aggregate|window)$/),
        name,
        return_type: expect.stringMatching(/./),
        param_names: null,
        param_types: record.param_types === null ? null : expect.stringMatching(/^[a-zA-Z]/),
        description: expect.stringMatching(/^.{10}/),
      });
    }
  });

  test("each once, in order", () => {
    expect([...names]).toEqual([...names].toSorted());
    expect(described).toHaveLength(names.size);
  });

  test("nothing else is known, and what is not listed is refused", () => {
    const missing = [...KNOWN].filter((name) => !names.has(name));
    const refused = missing.filter((name) => name in NOT_SAID);
    expect(refused).toEqual(missing);
    expect([...names].filter((name) => !KNOWN.has(name))).toEqual([]);
    for (const name of refused) expect(() => plan(NOT_SAID[name]!, source), name).toThrow("not supported on");
  });

  test("no name that means different things is listed, nor one that reads outside", () => {
    for (const name of ["dayofweek", "weekday", "timestampdiff", "str_to_date", "last", "pg_sleep", "read_csv"]) {
      expect(names.has(name), name).toBe(false);
      expect(() => plan(`${name}(day, day)`, source), name).toThrow();
    }
  });
});

test("every function has its text, and no text is of none", () => {
  expect(Object.keys(FUNCTION_TEXTS).toSorted()).toEqual([...functionNames()].toSorted());
  const forms = [...REWRITES.keys(), "format", "extract"].filter(
    (name) => !(functionNames() as readonly string[]).includes(name) && !RENAMED.has(name),
  );
  expect(Object.keys(SYNONYM_TEXTS).toSorted()).toEqual([...new Set(forms)].toSorted());
});

test("one entry for each number of arguments", () => {
  const described = listed("postgres");
  const typesOf = (name: string) =>
    described.find((each) => each.name === name)?.records.map((record) => [record.param_types, record.return_type]);
  expect(typesOf("round")).toEqual([
    ["numeric", "numeric"],
    ["numeric,numeric", "numeric"],
  ]);
  expect(typesOf("concat_ws")).toEqual([["text,any...", "text"]]);
  expect(typesOf("pi")).toEqual([[null, "double precision"]]);
  expect(typesOf("string_to_array")).toEqual([["text,text", "text[]"]]);
  expect(typesOf("row_number")).toEqual([[null, "bigint"]]);
});

test("files have the functions of their engine, wherever they are kept", () => {
  expect(listed("s3_file")).toEqual(listed("local_file"));
});

describe.each(Object.entries(LISTED_OTHERWISE))("%s", (name, otherwise) => {
  const source = name as DataSource;
  const refused = (examples: readonly { readonly name: string; readonly example: string }[]): readonly string[] =>
    examples.filter(({ example }) => !isPlanned(example, source)).map((each) => each.name);

  test("lists what it plans, by an example that it plans", () => {
    expect(refused(listed(source))).toEqual([]);
  });

  test("leaves out, and counts elements of, what it does not plan, and nothing else", () => {
    const all = describedFunctions(source, { ...TEXTS, otherwise: {} });
    expect(refused(all)).toEqual([...otherwise.absent, ...(otherwise.counted ?? [])].toSorted());
    const absent = all.filter((each) => otherwise.absent.includes(each.name));
    const inside = absent.filter(({ example }) => !example.startsWith("FROM "));
    expect(inside.filter(({ example }) => isPlanned(`cardinality(${example})`, source))).toEqual([]);
  });
});

test("every other source has the functions of one of these", () => {
  const held = new Set<string>([...SOURCES, ...Object.keys(LISTED_OTHERWISE)]);
  expect(DATA_SOURCES.filter((source) => !held.has(source)).toSorted()).toEqual(["gcs_file", "minio_file", "s3_file"]);
});

function isPlanned(example: string, source: DataSource): boolean {
  try {
    plan(example, source);
    return true;
  } catch (error) {
    if (error instanceof PlannerError) return false;
    throw error;
  }
}
