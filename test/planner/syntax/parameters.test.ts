import { describe, expect, it } from "vitest";
import { type CubeRequest, type Outcome, plan, planCube } from "../../../src/planner/index.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { manifestOf, requestOf } from "../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "price", type: "DECIMAL(20,2)" },
        { name: "name", type: "VARCHAR" },
        { name: "day", type: "DATE" },
        { name: "bytes", type: "BYTEA" },
      ],
    },
  ],
  views: [{ name: "v", statement: "SELECT id FROM t WHERE id = $1" }],
  cubes: [
    {
      name: "k",
      baseObject: "t",
      measures: [{ name: "total", expression: "sum(price)", type: "DECIMAL(20,2)" }],
      dimensions: [{ name: "name", expression: "name", type: "VARCHAR" }],
    },
  ],
});

const plannedWith = (sql: string, parameters?: readonly unknown[], more: object = {}): Outcome<Plan> =>
  plan({ sql, ...requestOf(manifest, { source: "postgres" }), ...more, ...(parameters && { parameters }) });
const sqlOf = (outcome: Outcome<Plan>): string => (outcome.ok ? outcome.value.sql : String(outcome.error));

describe("a parameter is planned as the literal that it stands for", () => {
  it.each<[string, readonly unknown[], string]>([
    ["SELECT id FROM t WHERE id = $1", [5], "SELECT id FROM t WHERE id = 5"],
    ["SELECT id FROM t WHERE id = $1", [-5], "SELECT id FROM t WHERE id = -5"],
    ["SELECT id FROM t WHERE id = $1", ["5"], "SELECT id FROM t WHERE id = '5'"],
    ["SELECT id FROM t WHERE price > $1", [12.5], "SELECT id FROM t WHERE price > 12.5"],
    ["SELECT id FROM t WHERE price > $1", [1e21], "SELECT id FROM t WHERE price > 1000000000000000000000"],
    ["SELECT id FROM t WHERE name = $1", ["o'neil"], "SELECT id FROM t WHERE name = 'o''neil'"],
    ["SELECT id FROM t WHERE name = $1", ["x' OR true --"], "SELECT id FROM t WHERE name = 'x'' OR true --'"],
    ["SELECT id FROM t WHERE name = $1", ["$1"], "SELECT id FROM t WHERE name = '$1'"],
    ["SELECT id FROM t WHERE day = $1", ["2026-01-31"], "SELECT id FROM t WHERE day = '2026-01-31'"],
    [
      "SELECT id FROM t WHERE day > $2 AND id = $1",
      [1, "2026-01-31"],
      "SELECT id FROM t WHERE day > '2026-01-31' AND id = 1",
    ],
    ["SELECT id FROM t WHERE (id = 1) = $1", [true], "SELECT id FROM t WHERE (id = 1) = true"],
    ["SELECT id FROM t WHERE name LIKE $1 || '%'", ["a"], "SELECT id FROM t WHERE name LIKE 'a' || '%'"],
    ["SELECT id FROM t WHERE id IN ($1, $2)", [1, 2], "SELECT id FROM t WHERE id IN (1, 2)"],
    ["SELECT id FROM t WHERE id = ANY ($1)", [[1, 2]], "SELECT id FROM t WHERE id = ANY (ARRAY[1, 2])"],
    [
      "SELECT id FROM t WHERE day > $1",
      [{ type: "date", value: "2026-01-31" }],
      "SELECT id FROM t WHERE day > DATE '2026-01-31'",
    ],
    [
      "SELECT id FROM t WHERE price > $1",
      [{ type: "decimal(20,2)", value: "12345678901234567.89" }],
      "SELECT id FROM t WHERE price > CAST(12345678901234567.89 AS decimal(20,2))",
    ],
    [
      "SELECT id FROM t WHERE bytes = $1",
      [{ type: "bytea", value: "\\x00fF27" }],
      "SELECT id FROM t WHERE bytes = X'00fF27'",
    ],
    ["SELECT id FROM t WHERE bytes = $1", [{ type: "bytea", value: "\\x" }], "SELECT id FROM t WHERE bytes = X''"],
    [
      "SELECT id FROM t WHERE bytes = ANY ($1)",
      [{ type: "bytea[]", value: ["\\x00", null] }],
      "SELECT id FROM t WHERE bytes = ANY (CAST(ARRAY[X'00', NULL] AS bytea[]))",
    ],
    ["SELECT coalesce(name, $1) AS n FROM t", [null], "SELECT coalesce(name, NULL) AS n FROM t"],
    ["SELECT id FROM t LIMIT $1", [3], "SELECT id FROM t LIMIT 3"],
    ["SELECT id FROM t LIMIT $1 OFFSET $2", [3, 4], "SELECT id FROM t LIMIT 3 OFFSET 4"],
    ["SELECT id FROM t FETCH FIRST $1 ROWS ONLY", [3], "SELECT id FROM t LIMIT 3"],
    [
      "SELECT count(*) AS n FROM t GROUP BY id + $1 HAVING id + $1 > 3",
      [2],
      "SELECT count(*) AS n FROM t GROUP BY id + 2 HAVING id + 2 > 3",
    ],
    ["SELECT id FROM t WHERE name = '$1' AND id = $1", [1], "SELECT id FROM t WHERE name = '$1' AND id = 1"],
  ])("%s with %j", (sql, parameters, literal) => {
    // The plan is that of the statement with the literal, and no other.
    expect(sqlOf(plannedWith(sql, parameters))).toBe(sqlOf(plannedWith(literal)));
    expect(plannedWith(literal).ok).toBe(true);
  });

  it("has a column name that does not depend on the value", () => {
    const outcome = plannedWith("SELECT $1, id + $2, upper($3) FROM t", [1, 2, "x"]);
    expect(outcome.ok && outcome.value.columns.map(({ name }) => name)).toEqual(["$1", "id + $2", "upper($3)"]);
  });

  it.each([[null], [true], ["100"], [-1], [1.5], [[1]], [{ type: "text", value: "1" }]])(
    "%j is no number of rows",
    (value) => {
      for (const sql of [
        "SELECT id FROM t LIMIT $1",
        "SELECT id FROM t OFFSET $1",
        "SELECT id FROM t FETCH FIRST $1 ROWS ONLY",
      ]) {
        expect(plannedWith(sql, [value])).toMatchObject({ ok: false, error: { reason: "PARAMETER_INVALID" } });
      }
    },
  );

  it("takes a number of rows with its type", () => {
    expect(sqlOf(plannedWith("SELECT id FROM t LIMIT $1", [{ type: "bigint", value: "3" }]))).toBe(
      sqlOf(plannedWith("SELECT id FROM t LIMIT 3")),
    );
  });

  it("obeys caps on rows", () => {
    const outcome = plannedWith("SELECT id FROM t LIMIT $1", [1000], { mostRows: 10 });
    expect([sqlOf(outcome), outcome.ok && outcome.value.warnings.map(({ code }) => code)]).toEqual([
      sqlOf(plannedWith("SELECT id FROM t LIMIT 10")),
      ["LIMIT_APPLIED"],
    ]);
    expect(sqlOf(plannedWith("SELECT id FROM t LIMIT $1", [1000], { limit: 7 }))).toBe(
      sqlOf(plannedWith("SELECT id FROM t LIMIT 7")),
    );
  });
});

describe("a parameter that cannot be planned is refused", () => {
  it.each<[string, string, readonly unknown[] | undefined, string, string]>([
    [
      "missing",
      "SELECT id FROM t WHERE id = $2",
      [1],
      "PARAMETER_INVALID",
      "the query uses $2, and the request has 1 parameter",
    ],
    [
      "missing, without any",
      "SELECT id FROM t WHERE id = $1",
      undefined,
      "PARAMETER_INVALID",
      "the query uses $1, and the request has no parameters",
    ],
    ["unused", "SELECT id FROM t", [1], "PARAMETER_INVALID", "the query does not use $1"],
    [
      "unused, behind a used one",
      "SELECT id FROM t WHERE id = $1",
      [1, 2],
      "PARAMETER_INVALID",
      "the query does not use $2",
    ],
    ["only in a string", "SELECT id FROM t WHERE name = '$1'", [1], "PARAMETER_INVALID", "does not use $1"],
    ["only in a comment", "SELECT id FROM t -- $1", [1], "PARAMETER_INVALID", "does not use $1"],
    [
      "17 digits",
      "SELECT id FROM t WHERE id = $1",
      [Number("0.12345678901234567")],
      "PARAMETER_INVALID",
      "more than 15 digits",
    ],
    [
      "an integer that JSON rounds",
      "SELECT id FROM t WHERE id = $1",
      [Number("12345678901234567890")],
      "PARAMETER_INVALID",
      "more than 15 digits",
    ],
    ["an object", "SELECT id FROM t WHERE id = $1", [{ a: 1 }], "PARAMETER_INVALID", "parameters[0] is an object"],
    [
      "an object with more",
      "SELECT id FROM t WHERE id = $1",
      [{ type: "int", value: 1, x: 1 }],
      "PARAMETER_INVALID",
      "is an object",
    ],
    ["nested lists", "SELECT id FROM t WHERE id = ANY($1)", [[[1]]], "PARAMETER_INVALID", "is not a value"],
    ["an empty list", "SELECT id FROM t WHERE id = ANY($1)", [[]], "PARAMETER_INVALID", "empty list without a type"],
    [
      "a type that is none",
      "SELECT id FROM t WHERE id = $1",
      [{ type: "int; DROP TABLE t", value: 1 }],
      "PARAMETER_INVALID",
      "not one of the language",
    ],
    [
      "a type of the catalogue",
      "SELECT id FROM t WHERE name = $1",
      [{ type: "regclass", value: "pg_class" }],
      "PARAMETER_INVALID",
      "not one of the language",
    ],
    [
      "an unknown type",
      "SELECT id FROM t WHERE id = $1",
      [{ type: "intger", value: 1 }],
      "PARAMETER_INVALID",
      'the type "intger"',
    ],
    [
      "a type of another JSON type",
      "SELECT id FROM t WHERE id = $1",
      [{ type: 5, value: 1 }],
      "PARAMETER_INVALID",
      "type that is not a text",
    ],
    [
      "no number",
      "SELECT id FROM t WHERE id = $1",
      [{ type: "integer", value: "1 OR true" }],
      "PARAMETER_INVALID",
      "is not a number",
    ],
    [
      "a number for a date",
      "SELECT id FROM t WHERE day = $1",
      [{ type: "date", value: 5 }],
      "PARAMETER_INVALID",
      "not a value of its type",
    ],
    ...["616263", "\\x0", "\\x0g", "\\x00'", 5].map((value): [string, string, readonly unknown[], string, string] => [
      `the bytes ${value}`,
      "SELECT id FROM t WHERE bytes = $1",
      [{ type: "bytea", value }],
      "PARAMETER_INVALID",
      typeof value === "string" ? "is not a binary value" : "not a value of its type",
    ]),
    ["NUL", "SELECT id FROM t WHERE name = $1", ["a\0b"], "PARAMETER_INVALID", "NUL"],
    [
      "half a surrogate pair",
      "SELECT id FROM t WHERE name = $1",
      ["\ud800"],
      "PARAMETER_INVALID",
      "half a surrogate pair",
    ],
    ["a position", "SELECT id FROM t ORDER BY $1", [1], "INVALID_QUERY", "a constant cannot be a key"],
    ["a position to group by", "SELECT id FROM t GROUP BY $1", [1], "INVALID_QUERY", "a constant cannot be a key"],
    ["a table", "SELECT id FROM $1", ["t"], "SYNTAX", "expected"],
    ["a column", "SELECT t.$1 FROM t", ["id"], "SYNTAX", "expected"],
    ["a type", "SELECT id::$1 FROM t", ["text"], "SYNTAX", "expected"],
    ["$0", "SELECT id FROM t WHERE id = $0", [1], "SYNTAX", "expected an expression"],
    ["$01", "SELECT id FROM t WHERE id = $01", [1], "SYNTAX", "expected an expression"],
    ["$ alone", "SELECT id FROM t WHERE id = $", [1], "SYNTAX", "expected an expression"],
    ["a name behind it", "SELECT $1x FROM t", [1], "SYNTAX", "expected an expression"],
    ["a text that is not a number", "SELECT id FROM t WHERE id = $1", ["x"], "", ""],
    ["in a view of the manifest", "SELECT id FROM v", undefined, "MANIFEST_EXPRESSION", ""],
    ["in a view, with parameters", "SELECT id FROM v WHERE id = $1", [1], "MANIFEST_EXPRESSION", ""],
  ])("%s: %s", (_, sql, parameters, reason, message) => {
    const outcome = plannedWith(sql, parameters);
    expect(outcome.ok).toBe(false);
    if (outcome.ok || reason === "") return;
    expect([outcome.error.reason, outcome.error.message]).toEqual([reason, expect.stringContaining(message)]);
  });

  it("too many of them, and texts that are too long together", () => {
    const many = Array.from({ length: 1001 }, (_, index) => index);
    expect(sqlOf(plannedWith("SELECT 1", many))).toContain("more than 1000 parameters");
    expect(
      sqlOf(plannedWith("SELECT id FROM t WHERE name IN ($1, $2)", ["x".repeat(600_000), "y".repeat(600_000)])),
    ).toContain("longer than 1048576 characters together");
    expect(sqlOf(plannedWith("SELECT id FROM t WHERE id = ANY($1)", [Array(10_001).fill(1)]))).toContain(
      "more than 10000 elements",
    );
  });

  it("with the position of its use", () => {
    const outcome = plannedWith("SELECT id FROM t WHERE id = $1", [{ a: 1 }]);
    expect(outcome.ok ? undefined : outcome.error.span).toEqual({ start: 28, end: 30 });
  });
});

describe("parameters of a structured query", () => {
  const cube = (filter: unknown, parameters?: readonly unknown[]): Outcome<Plan> => {
    const request: CubeRequest = {
      cube: { cube: "k", measures: ["total"], filters: [{ dimension: "name", operator: "eq", value: filter }] },
      ...requestOf(manifest, { source: "postgres" }),
      ...(parameters && { parameters }),
    };
    return planCube(request);
  };
  it("stand for values", () => {
    expect(sqlOf(cube({ parameter: 1 }, ["x'y"]))).toBe(sqlOf(cube("x'y")));
    expect(cube("x'y").ok).toBe(true);
  });
  it.each<[string, unknown, readonly unknown[] | undefined]>([
    ["missing", { parameter: 2 }, [1]],
    ["unused", "x", [1]],
    ["odd", { parameter: "1" }, [1]],
  ])("%s ones are refused", (_, filter, parameters) => {
    const outcome = cube(filter, parameters);
    expect(outcome.ok ? undefined : outcome.error.reason).toBe("PARAMETER_INVALID");
  });
});
