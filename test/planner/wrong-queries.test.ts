/** Errors for wrong queries: reason, position, message, near names and hint, without hidden names. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { WRONG_QUERIES } from "./wrong-queries.ts";

const HIDDEN = "c_taxnumber";

interface Columns {
  readonly models: readonly { readonly name: string; readonly columns: object[] }[];
}

const json = structuredClone(plainManifest("postgres")) as Columns;
json.models.find(({ name }) => name === "customer")?.columns.push({ name: HIDDEN, type: "VARCHAR", isHidden: true });
const manifest = manifestOf(json);

function errorOf(sql: string): PlannerError {
  try {
    planned(sql, manifest, { source: "postgres", options: { unknownFunctions: "refuse" } });
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error(`planned: ${sql}`);
}

describe.each(WRONG_QUERIES)("%s", (_topic, queries) => {
  test.each(queries)("$mistake", ({ sql: marked, reason, message, hint, suggestions }) => {
    const start = marked.indexOf("«");
    const end = marked.indexOf("»") - 1;
    const sql = marked.replace("«", "").replace("»", "");
    const error = errorOf(sql);
    expect({
      reason: error.reason,
      span: error.span,
      message: error.message,
      hint: error.hint,
      suggestions: error.suggestions,
    }).toEqual({ reason, span: { start, end }, message, hint, suggestions: suggestions ?? [] });
    if (!sql.includes(HIDDEN)) {
      expect([error.message, error.hint, ...error.suggestions].join("\n")).not.toContain(HIDDEN);
    }
  });
});

test("the hidden column is suggested to nobody, and nobody learns where it is", () => {
  const told = (sql: string): string => {
    const { message, hint, suggestions } = errorOf(sql);
    return [message, hint, ...suggestions].join("\n");
  };
  for (const near of ["c_taxnumbe", "c_taxnumberr", "taxnumber", "c_tax", "c.c_taxnumbr", '"c_taxnumbers"']) {
    expect(told(`SELECT ${near} FROM customer c`).replaceAll("c_taxnumbers", "")).not.toMatch(/c_taxnumber\b/);
  }
  const absent = told("SELECT c_taxnumber FROM orders").replaceAll("c_taxnumber", "c_nothing");
  expect(absent).toBe(told("SELECT c_nothing FROM orders"));
});

test("there are sixty mistakes and more, each another", () => {
  const queries = WRONG_QUERIES.flatMap(([, rows]) => rows.map((row) => row.sql));
  expect(queries.length).toBeGreaterThanOrEqual(60);
  expect(new Set(queries).size).toBe(queries.length);
});
