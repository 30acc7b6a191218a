import { describe, expect, it, test } from "vitest";
import { LEXICAL_RULES } from "../../../src/planner/dialects/lexical.ts";
import { originOf } from "../../../src/planner/index.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { expanded, type Settings, substituted } from "./substituting.ts";

const BOTH = { catalog: "test", schema: "public" };

describe("bytes that clients of the retired service compare", () => {
  test.each<[sql: string, settings: Settings, expected: string]>([
    ['SELECT * FROM "test"."public"."orders"', {}, 'SELECT * FROM $O AS "orders"'],
    ['SELECT * FROM "orders"', BOTH, 'SELECT * FROM $O AS "orders"'],
    ['SELECT * FROM "public"."orders"', { catalog: "test" }, 'SELECT * FROM $O AS "orders"'],
    [
      `
        WITH orders_cte AS (
            SELECT * FROM "test"."public"."orders"
        )
        SELECT * FROM orders_cte;
      `,
      {},
      'WITH orders_cte AS (SELECT * FROM $O AS "orders") SELECT * FROM orders_cte',
    ],
    [
      `SELECT *
       FROM (
         SELECT * FROM "test"."public"."orders"
       ) AS orders_subquery;`,
      {},
      'SELECT * FROM (SELECT * FROM $O AS "orders") AS orders_subquery',
    ],
  ])("%s", (sql, settings, expected) => expect(substituted(sql, settings).sql).toBe(expanded(expected)));
});

describe("which model a table is", () => {
  test.each<[sql: string, settings: Settings, model: string | undefined]>([
    ["orders", BOTH, "Orders"],
    ["orders", { catalog: "test" }, undefined],
    ["public.orders", { catalog: "test" }, "Orders"],
    ["orders", { schema: "public" }, undefined],
    ["lines", { schema: "public" }, "Lines"],
    ["lines", BOTH, undefined],
    ["bare", {}, "Bare"],
    ["bare", { catalog: "test" }, "Bare"],
    ["public.bare", {}, undefined],
    ["LINES", { schema: "PUBLIC" }, "Lines"],
    ['"Lines"', { schema: "public" }, "Lines"],
    ["ORDERS", { schema: "system", source: "oracle" }, "Upper"],
    ['public."Twice"', {}, "Twice1"],
    ['public."TWICE"', {}, "Twice2"],
    ["test..orders", { source: "mssql", schema: "public" }, "Orders"],
    ["[test].[public].[orders]", { source: "mssql" }, "Orders"],
    ["`my-project.sales.orders_2024`", { source: "bigquery" }, "Dashed"],
    ["my-project.sales.orders_2024", { source: "bigquery" }, "Dashed"],
    ["`my-project`.sales.`orders_2024`", { source: "bigquery" }, "Dashed"],
    ["'data/facts.parquet'", { source: "local_file", schema: "main" }, "File"],
    ['"data/facts.parquet"', { source: "duckdb" }, "File"],
    ["srv.test.public.orders", {}, undefined],
    ["written", {}, undefined],
  ])("%s with %j is %s", (table, settings, model) => {
    const read = (): string => substituted(`SELECT 1 FROM ${table} AS x`, settings).sql;
    if (model === undefined) expect(read).toThrow(`Model not found: ${table}`);
    else expect(read()).toBe(`SELECT 1 FROM "my_catalog"."my_schema"."${model}" AS "x"`);
  });

  test.each(["public.twice", "public.same", 'public."same"'])("%s is ambiguous", (table) => {
    expect(() => substituted(`SELECT 1 FROM ${table}`)).toThrow(`Ambiguous model: found multiple matches for ${table}`);
  });

  it("names the table as it is written, without its alias, and where it stands", () => {
    expect(() => substituted('SELECT *\nFROM public . "Nation" n')).toThrowError(
      expect.objectContaining({
        reason: "MODEL_NOT_FOUND",
        message: 'Model not found: public."Nation"',
        span: { start: 14, end: 20 },
      }),
    );
  });

  it("suggests tables of nearly the same name", () => {
    expect(() => substituted("SELECT * FROM ordrs_2024")).toThrowError(
      expect.objectContaining({ suggestions: ["my-project.sales.orders_2024"] }),
    );
  });
});

const L = { schema: "public" };

describe("where tables stand", () => {
  test.each<[sql: string, expected: string]>([
    ["SELECT 1", "SELECT 1"],
    ["SELECT lines.id FROM lines", 'SELECT lines.id FROM $L AS "lines"'],
    ["SELECT * FROM lines l, public.lines AS m", 'SELECT * FROM $L AS "l", $L AS "m"'],
    ["SELECT * FROM lines JOIN lines l USING (id)", 'SELECT * FROM $L AS "lines" JOIN $L AS "l" USING (id)'],
    ["SELECT * FROM lines NATURAL LEFT JOIN lines b", 'SELECT * FROM $L AS "lines" NATURAL LEFT JOIN $L AS "b"'],
    ["SELECT * FROM (lines a CROSS JOIN lines b)", 'SELECT * FROM ($L AS "a" CROSS JOIN $L AS "b")'],
    [
      "SELECT * FROM ((lines a JOIN lines b ON true), lines c)",
      'SELECT * FROM (($L AS "a" JOIN $L AS "b" ON true), $L AS "c")',
    ],
    ["SELECT * FROM lines l(a, b)", 'SELECT * FROM $L AS "l"(a, b)'],
    [
      "(SELECT id FROM lines) UNION ALL (SELECT id FROM lines x)",
      '(SELECT id FROM $L AS "lines") UNION ALL (SELECT id FROM $L AS "x")',
    ],
    [
      "SELECT 1 FROM lines EXCEPT SELECT 2 FROM lines",
      'SELECT 1 FROM $L AS "lines" EXCEPT SELECT 2 FROM $L AS "lines"',
    ],
    [
      "SELECT * FROM ((SELECT 1) UNION SELECT id FROM lines) t",
      'SELECT * FROM ((SELECT 1) UNION SELECT id FROM $L AS "lines") t',
    ],
    ["SELECT (SELECT max(id) FROM lines) FROM lines", 'SELECT (SELECT max(id) FROM $L AS "lines") FROM $L AS "lines"'],
    [
      "SELECT 1 FROM lines WHERE id IN (SELECT id FROM lines) ORDER BY a, b",
      'SELECT 1 FROM $L AS "lines" WHERE id IN (SELECT id FROM $L AS "lines") ORDER BY a, b',
    ],
    [
      "SELECT * FROM lines l, LATERAL (SELECT l.id FROM lines) x",
      'SELECT * FROM $L AS "l", LATERAL (SELECT l.id FROM $L AS "lines") x',
    ],
    ["SELECT extract(year FROM lines) FROM lines", 'SELECT extract(year FROM lines) FROM $L AS "lines"'],
    [
      "SELECT substring(a FROM 2), trim(both 'x' FROM a) FROM lines",
      "SELECT substring(a FROM 2), trim(both 'x' FROM a) FROM $L AS \"lines\"",
    ],
    [
      "SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b FROM lines",
      'SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b FROM $L AS "lines"',
    ],
    ["SELECT * FROM lines WHERE a IS DISTINCT FROM b", 'SELECT * FROM $L AS "lines" WHERE a IS DISTINCT FROM b'],
    [
      "SELECT * FROM unnest(ARRAY[1, 2]) u, lines, generate_series(1, 3)",
      'SELECT * FROM unnest(ARRAY[1, 2]) u, $L AS "lines", generate_series(1, 3)',
    ],
    [
      "SELECT * FROM unnest(x) WITH ORDINALITY AS u, lines",
      'SELECT * FROM unnest(x) WITH ORDINALITY AS u, $L AS "lines"',
    ],
    ["SELECT t.from, t.join FROM lines t", 'SELECT t.from, t.join FROM $L AS "t"'],
    ['SELECT "from" FROM lines', 'SELECT "from" FROM $L AS "lines"'],
    ["SELECT 1 FROM lines ORDER BY id LIMIT 3 OFFSET 1", 'SELECT 1 FROM $L AS "lines" ORDER BY id LIMIT 3 OFFSET 1'],
    [
      "SELECT 1 FROM lines a JOIN lines b ON start = b.id JOIN lines c ON true",
      'SELECT 1 FROM $L AS "a" JOIN $L AS "b" ON start = b.id JOIN $L AS "c" ON true',
    ],
    ["TABLE lines", 'SELECT * FROM $L AS "lines"'],
    ["VALUES (1), ((SELECT id FROM lines))", 'VALUES (1), ((SELECT id FROM $L AS "lines"))'],
    [
      "SELECT CASE WHEN EXISTS (SELECT 1 FROM lines) THEN 1 END",
      'SELECT CASE WHEN EXISTS (SELECT 1 FROM $L AS "lines") THEN 1 END',
    ],
    ["SELECT 1 FROM lines TABLESAMPLE system (10)", 'SELECT 1 FROM $L AS "lines" TABLESAMPLE system (10)'],
    [
      "SELECT count(*) FILTER (WHERE a > 1) FROM lines FOR UPDATE",
      'SELECT count(*) FILTER (WHERE a > 1) FROM $L AS "lines" FOR UPDATE',
    ],
  ])("%s", (sql, expected) => expect(substituted(sql, L).sql).toBe(expanded(expected)));
});

describe("common tables", () => {
  test.each<[sql: string, expected: string, source?: DataSource]>([
    ["WITH lines AS (SELECT 1) SELECT * FROM lines", "WITH lines AS (SELECT 1) SELECT * FROM lines"],
    // Not recursive: inside its own definition the name is the table's.
    [
      "WITH lines AS (SELECT * FROM lines) SELECT * FROM lines",
      'WITH lines AS (SELECT * FROM $L AS "lines") SELECT * FROM lines',
    ],
    [
      "WITH RECURSIVE lines AS (SELECT * FROM lines) SELECT 1",
      "WITH RECURSIVE lines AS (SELECT * FROM lines) SELECT 1",
    ],
    ["WITH lines AS (SELECT * FROM lines) SELECT 1", "WITH lines AS (SELECT * FROM lines) SELECT 1", "mssql"],
    [
      "WITH a AS (SELECT * FROM lines), lines AS (SELECT * FROM a) SELECT * FROM lines, a",
      'WITH a AS (SELECT * FROM $L AS "lines"), lines AS (SELECT * FROM a) SELECT * FROM lines, a',
    ],
    [
      "WITH RECURSIVE a AS (SELECT * FROM lines), lines(x) AS (SELECT 1) SELECT 1",
      "WITH RECURSIVE a AS (SELECT * FROM lines), lines(x) AS (SELECT 1) SELECT 1",
    ],
    [
      "WITH lines(a, b) AS NOT MATERIALIZED (SELECT 1) SELECT * FROM lines",
      "WITH lines(a, b) AS NOT MATERIALIZED (SELECT 1) SELECT * FROM lines",
    ],
    [
      "SELECT * FROM (WITH lines AS (SELECT 1) SELECT * FROM lines) x, lines",
      'SELECT * FROM (WITH lines AS (SELECT 1) SELECT * FROM lines) x, $L AS "lines"',
    ],
    [
      "WITH lines AS (SELECT 1) SELECT (SELECT 1 FROM lines) FROM public.lines",
      'WITH lines AS (SELECT 1) SELECT (SELECT 1 FROM lines) FROM $L AS "lines"',
    ],
    ["WITH LINES AS (SELECT 1) SELECT * FROM lines", "WITH LINES AS (SELECT 1) SELECT * FROM lines"],
    ['WITH "LINES" AS (SELECT 1) SELECT * FROM lines', 'WITH "LINES" AS (SELECT 1) SELECT * FROM $L AS "lines"'],
    ['WITH "LINES" AS (SELECT 1) SELECT * FROM lines', 'WITH "LINES" AS (SELECT 1) SELECT * FROM lines', "snowflake"],
    ['WITH "LINES" AS (SELECT 1) SELECT * FROM lines', 'WITH "LINES" AS (SELECT 1) SELECT * FROM lines', "duckdb"],
    [
      "WITH LINES AS (SELECT 1) SELECT * FROM lines",
      'WITH LINES AS (SELECT 1) SELECT * FROM $L AS "lines"',
      "clickhouse",
    ],
    [
      "WITH 1 AS one, (SELECT max(id) FROM lines) AS m SELECT one FROM lines",
      'WITH 1 AS one, (SELECT max(id) FROM $L AS "lines") AS m SELECT one FROM $L AS "lines"',
      "clickhouse",
    ],
    [
      "WITH RECURSIVE t AS (SELECT 1 AS n) SEARCH DEPTH FIRST BY n SET o CYCLE n SET c USING p, u AS (SELECT 2) SELECT * FROM u, lines",
      'WITH RECURSIVE t AS (SELECT 1 AS n) SEARCH DEPTH FIRST BY n SET o CYCLE n SET c USING p, u AS (SELECT 2) SELECT * FROM u, $L AS "lines"',
    ],
  ])("%s", (sql, expected, source = "postgres") => {
    expect(substituted(sql, { ...L, source }).sql).toBe(expanded(expected));
  });
});

describe("each source's own notation", () => {
  test.each<[source: DataSource, sql: string, expected: string]>([
    [
      "mysql",
      "SELECT `a``b`, \"it's\", 'x\\'y' FROM `lines` AS `l`",
      "SELECT \"a`b\", 'it''s', 'x''y' FROM $L AS \"l\"",
    ],
    ["mysql", 'SELECT 1 FROM "public"."lines"', 'SELECT 1 FROM $L AS "lines"'],
    ["mysql", "SELECT 5--1 # FROM a\nFROM lines -- FROM b\n", 'SELECT 5- -1 -- FROM a\nFROM $L AS "lines" -- FROM b'],
    [
      "mysql",
      "SELECT 1 FROM lines l USE INDEX FOR JOIN (i, j) IGNORE KEY (k) WHERE a LIKE '5\\%'",
      "SELECT 1 FROM $L AS \"l\" WHERE a LIKE '5\\%'",
    ],
    ["mysql", "SELECT 1 /* a /* b */ FROM lines", 'SELECT 1 /* a / * b */ FROM $L AS "lines"'],
    ["mysql", "SELECT 'a' 'b', \"c\"'d' FROM lines", "SELECT 'a' 'b', 'c' 'd' FROM $L AS \"lines\""],
    ["doris", "SELECT `a` FROM `lines`", 'SELECT "a" FROM $L AS "lines"'],
    [
      "bigquery",
      "SELECT * EXCEPT (a), r'\\d', '''it's \"x\"''' FROM `public.lines`",
      "SELECT * EXCEPT (a), '\\d', 'it''s \"x\"' FROM $L AS \"lines\"",
    ],
    [
      "bigquery",
      "SELECT 1 FROM public.lines l, l.items i, UNNEST(x) WITH OFFSET AS o, bare",
      'SELECT 1 FROM $L AS "l", l.items i, UNNEST(x) WITH OFFSET AS o, $B AS "bare"',
    ],
    [
      "databricks",
      "SELECT \"a\", r'\\n' FROM lines LATERAL VIEW explode(x) e AS k, v WHERE `b` = 1",
      "SELECT 'a', '\\n' FROM $L AS \"lines\" LATERAL VIEW explode(x) e AS k, v WHERE \"b\" = 1",
    ],
    [
      "spark",
      "SELECT /*+ BROADCAST(l) /* x */ */ 1 FROM lines l LEFT ANTI JOIN `lines` ON a",
      'SELECT /*+ BROADCAST(l) /* x */ */ 1 FROM $L AS "l" LEFT ANTI JOIN $L AS "lines" ON a',
    ],
    [
      "mssql",
      "SELECT TOP 5 [a]]b], N'é' FROM [public].[lines] l WITH (NOLOCK) CROSS APPLY (SELECT * FROM lines) x",
      'SELECT TOP 5 "a]b", \'é\' FROM $L AS "l" CROSS APPLY (SELECT * FROM $L AS "lines") x',
    ],
    ["mssql", "SELECT [a][b], [c] FROM lines (NOLOCK)", 'SELECT "a" "b", "c" FROM $L AS "lines"'],
    [
      "clickhouse",
      "SELECT `a`, $$x'y$$ FROM lines ARRAY JOIN tags AS t, more AS m GLOBAL ANY LEFT JOIN lines b ON 1 SETTINGS x = 1",
      'SELECT "a", $$x\'y$$ FROM $L AS "lines" ARRAY JOIN tags AS t, more AS m GLOBAL ANY LEFT JOIN $L AS "b" ON 1 SETTINGS x = 1',
    ],
    [
      "snowflake",
      "SELECT 'a\\'b', $$c'd$$ // FROM x\nFROM lines, TABLE(flatten(input => lines.v))",
      "SELECT 'a''b', $$c'd$$ -- FROM x\nFROM $L AS \"lines\", TABLE(flatten(input => lines.v))",
    ],
    [
      "oracle",
      "SELECT q'[it's FROM x]', nq'!a!' FROM lines WHERE a = 'b' MINUS SELECT 1, 2 FROM lines",
      "SELECT 'it''s FROM x', 'a' FROM $L AS \"lines\" WHERE a = 'b' MINUS SELECT 1, 2 FROM $L AS \"lines\"",
    ],
    [
      "trino",
      "SELECT U&'\\00e9', 'a\\' FROM lines TABLESAMPLE BERNOULLI (10)",
      "SELECT U&'\\00e9', 'a\\' FROM $L AS \"lines\" TABLESAMPLE BERNOULLI (10)",
    ],
    ["athena", 'SELECT "a""b" FROM lines', 'SELECT "a""b" FROM $L AS "lines"'],
    ["canner", "SELECT 1 FROM lines", 'SELECT 1 FROM $L AS "lines"'],
    ["redshift", "SELECT 'a\\'b' FROM public.lines l, l.items", "SELECT 'a''b' FROM $L AS \"l\", l.items"],
    [
      "postgres",
      "SELECT E'a\\'b', $t$ FROM x $t$, 'a\\', U&\"x\" /* FROM a /* b */ */ FROM lines",
      "SELECT E'a\\'b', $t$ FROM x $t$, 'a\\', U&\"x\" /* FROM a /* b */ */ FROM $L AS \"lines\"",
    ],
    [
      "duckdb",
      "FROM lines SELECT trim(FROM x) WHERE a IN (FROM lines)",
      'FROM $L AS "lines" SELECT trim(FROM x) WHERE a IN (FROM $L AS "lines")',
    ],
    [
      "duckdb",
      "SELECT 7 // 2, [x for x in y] FROM lines ASOF JOIN lines b USING (id)",
      'SELECT 7 // 2, [x for x in y] FROM $L AS "lines" ASOF JOIN $L AS "b" USING (id)',
    ],
    [
      "local_file",
      "SELECT facts.id FROM 'data/facts.parquet'",
      'SELECT facts.id FROM "my_catalog"."my_schema"."File" AS "facts"',
    ],
    ["s3_file", "SELECT 1 FROM 'data/facts.parquet' f", 'SELECT 1 FROM "my_catalog"."my_schema"."File" AS "f"'],
    ["minio_file", 'SELECT 1 FROM "data/facts.parquet" f', 'SELECT 1 FROM "my_catalog"."my_schema"."File" AS "f"'],
    ["gcs_file", "SELECT 1 FROM lines", 'SELECT 1 FROM $L AS "lines"'],
  ])("%s: %s", (source, sql, expected) => {
    expect(substituted(sql, { source, ...(source === "bigquery" ? {} : { schema: "public" }) }).sql).toBe(
      expanded(expected),
    );
  });

  it.each(Object.keys(LEXICAL_RULES) as DataSource[])(
    "%s has rules, and reads a quoted name, a string, a comment",
    (source) => {
      const { nameQuotes, quoteInString } = LEXICAL_RULES[source];
      const [[open, close]] = nameQuotes;
      const quote = quoteInString === "doubled" ? "''" : "\\'";
      const sql = `SELECT ${open}a b${close}, 'it${quote}s FROM' /* FROM x */ FROM ${open}lines${close} -- FROM y\nWHERE 1 = 1`;
      expect(substituted(sql, { source, schema: "public" }).sql).toBe(
        expanded(`SELECT "a b", 'it''s FROM' /* FROM x */ FROM $L AS "lines" -- FROM y\nWHERE 1 = 1`),
      );
    },
  );
});

describe("columns that repeat the path of their table", () => {
  test.each<[sql: string, expected: string]>([
    ["SELECT public.lines.id, public.lines.* FROM public.lines", 'SELECT "lines".id, "lines".* FROM $L AS "lines"'],
    ["SELECT PUBLIC.Lines.id FROM public.lines", 'SELECT "lines".id FROM $L AS "lines"'],
    ["SELECT public.lines.id FROM public.lines l", 'SELECT public.lines.id FROM $L AS "l"'],
    ["SELECT a.b.c FROM public.lines", 'SELECT a.b.c FROM $L AS "lines"'],
    [
      "SELECT 1 FROM public.lines WHERE EXISTS (SELECT public.lines.id)",
      'SELECT 1 FROM $L AS "lines" WHERE EXISTS (SELECT "lines".id)',
    ],
    [
      "SELECT public.orders.id, test.public.orders.id FROM test.public.orders",
      'SELECT "orders".id, "orders".id FROM $O AS "orders"',
    ],
    ["SELECT public.lines.f(1) FROM public.lines", 'SELECT public.lines.f(1) FROM $L AS "lines"'],
  ])("%s", (sql, expected) => expect(substituted(sql).sql).toBe(expanded(expected)));
});

describe("what is refused", () => {
  test.each<[sql: string, reason: string, source?: DataSource]>([
    ["", "SYNTAX"],
    ["  -- nothing", "SYNTAX"],
    ["SELEC 1", "SYNTAX"],
    ["SELECT 'a FROM lines", "SYNTAX"],
    ['SELECT "a FROM lines', "SYNTAX"],
    ["SELECT `a FROM lines", "SYNTAX", "mysql"],
    ["SELECT [a FROM lines", "SYNTAX", "mssql"],
    ["SELECT '''a'' FROM lines", "SYNTAX", "bigquery"],
    ["SELECT q'[a' FROM lines", "SYNTAX", "oracle"],
    ["SELECT $x$ a FROM lines", "SYNTAX"],
    ["SELECT 1 /* /* */ FROM lines", "SYNTAX"],
    ["SELECT (1 FROM lines", "SYNTAX"],
    ["SELECT 1) FROM lines", "SYNTAX"],
    ["SELECT (1] FROM lines", "SYNTAX"],
    ["SELECT 1 FROM", "SYNTAX"],
    ["SELECT 1 FROM lines,", "SYNTAX"],
    ["SELECT (SELECT 1 FROM) FROM lines", "SYNTAX"],
    ["SELECT 1 FROM 'lines'", "SYNTAX"],
    ["SELECT 1 FROM lines AS", "SYNTAX"],
    ["SELECT 1 FROM public.", "SYNTAX"],
    ["SELECT 1 FROM ?", "SYNTAX"],
    ["SELECT a\0b FROM lines", "SYNTAX"],
    ["SELECT '\ud800' FROM lines", "SYNTAX"],
    ["SELECT 'a'\n'b' FROM lines", "SYNTAX"],
    ["SELECT '\\x41' FROM lines", "SYNTAX", "mysql"],
    ["SELECT b'a' FROM lines", "SYNTAX", "bigquery"],
    ["SELECT 'it''s' FROM lines", "SYNTAX", "bigquery"],
    ["SELECT 'it''s' FROM lines", "SYNTAX", "spark"],
    ['SELECT "a""b" FROM lines', "SYNTAX", "databricks"],
    ["SELECT 'a\\\nb' FROM lines", "SYNTAX", "mssql"],
    ["SELECT N'a\\\r\nb' FROM lines", "SYNTAX", "mssql"],
    ["SELECT `a\\n` FROM lines", "SYNTAX", "bigquery"],
    ["SELECT 1 /*! FROM a */ FROM lines", "SYNTAX", "mysql"],
    ["WITH a SELECT 1", "SYNTAX"],
    ["SELECT 1 FROM lines; SELECT 2", "SEVERAL_STATEMENTS"],
    ["INSERT INTO lines SELECT 1", "UNSUPPORTED_STATEMENT"],
    ["DROP TABLE lines", "UNSUPPORTED_STATEMENT"],
    ["WITH a AS (DELETE FROM lines RETURNING id) SELECT * FROM a", "UNSUPPORTED_STATEMENT"],
    ["WITH a AS (SELECT 1) UPDATE lines SET id = 1", "UNSUPPORTED_STATEMENT"],
    ["SELECT 1 INTO x FROM lines", "UNSUPPORTED_STATEMENT"],
    ["SELECT 1 FROM ONLY lines", "UNSUPPORTED_STATEMENT"],
    ["SELECT 1 FROM lines FINAL", "UNSUPPORTED_STATEMENT", "clickhouse"],
    ["SELECT 1 FROM lines FOR SYSTEM_TIME AS OF x", "UNSUPPORTED_STATEMENT", "bigquery"],
    ["SELECT 1 FROM lines AT (OFFSET => -60)", "UNSUPPORTED_STATEMENT", "snowflake"],
    ["SELECT 1 FROM lines l TIMESTAMP AS OF '2024-01-01'", "UNSUPPORTED_STATEMENT", "databricks"],
    ["SELECT 1 FROM lines PARTITION (p0)", "UNSUPPORTED_STATEMENT", "mysql"],
    ["SELECT 1 FROM lines@remote", "UNSUPPORTED_STATEMENT", "oracle"],
  ])("%s: %s", (sql, reason, source = "postgres") => {
    expect(() => substituted(sql, { ...L, source })).toThrowError(
      expect.objectContaining({ name: "PlannerError", reason }),
    );
  });

  test.each<[name: string, sql: string, limits: NonNullable<Settings["limits"]>, reason: string]>([
    ["text past the limit", `SELECT ${"1".repeat(100)}`, { sqlLength: 100 }, "LIMIT_SIZE"],
    ["tokens past the limit", "SELECT 1, 2, 3, 4, 5", { tokens: 5 }, "LIMIT_SIZE"],
    ["brackets past the limit", `SELECT ${"(".repeat(501)}1${")".repeat(501)}`, {}, "LIMIT_DEPTH"],
    ["brackets by the hundred thousand", "(".repeat(400_000), {}, "LIMIT_DEPTH"],
    ["queries past the limit", `${"SELECT * FROM (".repeat(501)}SELECT 1${")".repeat(501)}`, {}, "LIMIT_DEPTH"],
    ["closing brackets by the hundred thousand", `SELECT ${")".repeat(400_000)}`, {}, "SYNTAX"],
  ])("%s", (_name, sql, limits, reason) => {
    expect(() => substituted(sql, { limits })).toThrowError(expect.objectContaining({ name: "PlannerError", reason }));
  });
});

describe("large texts", () => {
  const many = (part: string, separator: string, size: number): string =>
    Array.from({ length: Math.floor(size / (part.length + separator.length)) }, () => part).join(separator);

  test.each<[name: string, sql: string]>([
    ["columns", `SELECT ${many("public.lines.id", ", ", 900_000)} FROM public.lines`],
    ["tables", `SELECT 1 FROM ${many("public.lines l", ", ", 900_000)}`],
    ["comments", `SELECT 1 ${many("/* FROM x */", "\n", 900_000)} FROM public.lines`],
    ["one string", `SELECT '${"''".repeat(450_000)}' FROM public.lines`],
    ["common tables", `WITH ${many("lines AS (SELECT 1)", ", ", 900_000)} SELECT 1 FROM public.lines`],
    ["blanks", `SELECT ${" \n".repeat(450_000)} 1 FROM public.lines`],
  ])("of %s are read whole", (_name, sql) => {
    expect(substituted(sql).sql).toContain(expanded("FROM $L AS"));
  });

  // With so many parts, recording each end of the path took seconds and a gigabyte, or the whole stack.
  describe("a name of many parts", () => {
    const dotted = many("a", ".", 100_000);

    test.each<[name: string, sql: string, source: DataSource]>([
      ["bare", `SELECT 1 FROM ${dotted}`, "duckdb"],
      ["inside of quotes", `SELECT 1 FROM \`${many("a", ".", 900_000)}\``, "bigquery"],
    ])("%s names no table", (_name, sql, source) => {
      expect(() => substituted(sql, { source })).toThrowError(
        expect.objectContaining({
          reason: "MODEL_NOT_FOUND",
          message: expect.stringMatching(/^Model not found: .{1,300}…$/),
        }),
      );
    });

    it("is carried over where it is a column", () => {
      const inner = `${"(SELECT 1 WHERE ".repeat(400)}${dotted} = 1${")".repeat(400)}`;
      expect(substituted(`SELECT ${inner} FROM public.lines`).sql).toContain(`${dotted} = 1`);
    });
  });

  it("nests to the limit", () => {
    const sql = `${"SELECT * FROM (".repeat(499)}SELECT 1 FROM public.lines${") x".repeat(499)}`;
    expect(substituted(sql).sql).toContain(expanded('FROM $L AS "lines")'));
  });
});

it("tells where each piece of the result comes from", () => {
  const sql = "SELECT\n  nosuch,  l.id FROM\tpublic.lines   l";
  const result = substituted(sql);
  const at = (piece: string): string => {
    const span = originOf(result, result.sql.indexOf(piece));
    return span === undefined ? "" : sql.slice(span.start, span.end);
  };
  expect(["nosuch", "id", "my_schema"].map(at)).toEqual(["nosuch", "id", "public.lines   l"]);
});
