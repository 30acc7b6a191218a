/**
 * BIT columns of MySQL and MariaDB, which either server makes bytes of in some expressions and takes for negative in others. Each
 * query is asked of them and of the same numbers in columns of whole numbers: the answers are the same.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Manifest } from "../../src/planner/index.ts";
import { ask } from "../parity/judge.ts";
import { hasMySql, MYSQL_FLAVORS, type MySqlFlavor, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { shareFor } from "../support/share.ts";
import { type OpenedSource, openMySqlWith } from "../support/sources.ts";

const WIDTHS = [1, 7, 8, 40, 63, 64];
const max = (width: number): bigint => 2n ** BigInt(width) - 1n;

/**
 * Possible type names of a column in a manifest: from the service's metadata, from other services' metadata, from the
 * declaration.
 */
const NAMES: readonly ((width: number) => string)[] = [
  (width) => (width < 8 ? "TINYINT" : width < 64 ? "INT64" : "BIGNUMERIC"),
  () => "TINYINT",
  (width) => `BIT(${width})`,
];

/** The type of the same numbers. */
const plain = (type: string): string => ({ TINYINT: "SMALLINT", INT64: "BIGINT" })[type] ?? "DECIMAL(20, 0)";
const numberType = (width: number, type: string): string =>
  type.startsWith("BIT") ? plain(width < 8 ? "TINYINT" : width < 64 ? "INT64" : "BIGNUMERIC") : plain(type);

function manifest(table: string, type: string): Manifest {
  const columns = [
    { name: "id", type: "INTEGER" },
    { name: "g", type: "INTEGER" },
    { name: "b", type },
    { name: "s", type: "BIGINT" },
    { name: "f", type: "DOUBLE" },
  ];
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "t",
        tableReference: { table },
        primaryKey: "id",
        columns: [
          ...columns,
          { name: "chosen", type, isCalculated: true, expression: "CASE WHEN g > 0 THEN b END" },
          { name: "renamed", type, expression: "b" },
          { name: "peers", type: "p", relationship: "same" },
          { name: "most", type, isCalculated: true, expression: "max(peers.b)" },
        ],
      },
      { name: "p", tableReference: { table }, primaryKey: "id", columns },
      {
        name: "ruled",
        tableReference: { table },
        columns,
        rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "b > 0" }],
      },
      { name: "own_sql", refSql: `SELECT id, g, b, s, f FROM ${table}`, columns },
    ],
    relationships: [{ name: "same", models: ["t", "p"], joinType: "ONE_TO_MANY", condition: "t.g = p.g" }],
    views: [{ name: "v", statement: "SELECT g, max(b) AS x, min(b) AS y FROM t GROUP BY g" }],
  });
}

const QUERIES: readonly string[] = [
  "SELECT id, b FROM t ORDER BY id",
  "SELECT id, renamed, chosen, most FROM t ORDER BY id",
  "SELECT b + 1 AS x, b * 2 AS y, b - 1 AS z FROM t WHERE b < 100 ORDER BY b",
  "SELECT id FROM t WHERE b = 49 OR b = 255 ORDER BY id",
  "SELECT id FROM t WHERE b > 300 ORDER BY id",
  "SELECT id FROM t WHERE b <= 300 AND b <> 1 ORDER BY id",
  "SELECT id FROM t WHERE b > -1 ORDER BY id",
  "SELECT id FROM t WHERE b = -1 OR b < -1 ORDER BY id",
  "SELECT id FROM t WHERE b < 48.5 OR b = 49.0 ORDER BY id",
  "SELECT id FROM t WHERE b < 1e30 ORDER BY id",
  "SELECT id FROM t WHERE b = 1e30 ORDER BY id",
  "SELECT id FROM t WHERE b BETWEEN -1 AND 49 ORDER BY id",
  "SELECT id FROM t WHERE b BETWEEN 1 AND 300 ORDER BY id",
  "SELECT id FROM t WHERE b NOT IN (1, 49) ORDER BY id",
  "SELECT id FROM t WHERE b IN (-1, 1, 65536) ORDER BY id",
  "SELECT id FROM t WHERE b IN (s, 49) ORDER BY id",
  "SELECT id FROM t WHERE b = s OR b > s ORDER BY id",
  "SELECT id FROM t WHERE b < f OR b = f ORDER BY id",
  "SELECT id FROM t WHERE b IS NULL OR b IS DISTINCT FROM 1 ORDER BY id",
  "SELECT id FROM t WHERE (b, g) = (49, 1) OR (g, b) IN ((0, 0), (1, 1)) ORDER BY id",
  "SELECT b = 49 AS x, b > f AS y, b IS NULL AS z FROM t ORDER BY id",
  "SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY b",
  "SELECT b, max(id) AS n FROM t GROUP BY b HAVING b > 1 ORDER BY b DESC",
  "SELECT b + 1 AS x, count(*) AS n FROM t WHERE b < 1000 GROUP BY b ORDER BY 1",
  "SELECT DISTINCT b FROM t ORDER BY b",
  "SELECT DISTINCT g, b FROM t ORDER BY g, b",
  "SELECT g, b, sum(id) AS n FROM t GROUP BY ROLLUP (g, b) ORDER BY g, b, n",
  "SELECT id FROM t ORDER BY b DESC, id",
  "SELECT b FROM t ORDER BY b DESC NULLS LAST LIMIT 5",
  "SELECT max(b) AS x, min(b) AS y FROM t",
  "SELECT g, max(b) AS x, min(b) AS y FROM t GROUP BY g ORDER BY g",
  "SELECT g FROM t GROUP BY g HAVING max(b) > 10 ORDER BY max(b), g",
  "SELECT g, max(b) FILTER (WHERE id > 3) AS x FROM t GROUP BY g ORDER BY g",
  "SELECT sum(b) AS x, count(b) AS y, count(DISTINCT b) AS z FROM t",
  "SELECT avg(b) AS x FROM t",
  "SELECT round(stddev_samp(b), -8) AS x FROM t",
  "SELECT string_agg(CAST(b AS text), ',' ORDER BY id) AS x FROM t",
  "SELECT string_agg(b::text, ',' ORDER BY b, id) AS x FROM t",
  "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY b) AS x FROM t",
  "SELECT json_agg(b ORDER BY id) AS x FROM t",
  "SELECT json_build_object('b', b) AS x FROM t WHERE id < 3 ORDER BY id",
  "SELECT CASE WHEN g > 0 THEN b END AS x FROM t ORDER BY id",
  "SELECT CASE WHEN g > 0 THEN b ELSE b END AS x FROM t ORDER BY id",
  "SELECT CASE WHEN g > 0 THEN b ELSE -1 END AS x FROM t ORDER BY id",
  "SELECT CASE b WHEN 0 THEN 'none' WHEN 49 THEN 'one' ELSE 'other' END AS x FROM t ORDER BY id",
  "SELECT sum(CASE WHEN b > 48 THEN b ELSE 0 END) AS x FROM t",
  "SELECT coalesce(b, 0) AS x, coalesce(b, b) AS y FROM t ORDER BY id",
  "SELECT nullif(b, 1) AS x, nullif(49, b) AS y FROM t ORDER BY id",
  "SELECT greatest(b, 49) AS x, least(b, 49) AS y, greatest(b, b) AS z FROM t ORDER BY id",
  "SELECT CAST(b AS text) AS x, b || '!' AS y, concat(b, '-', g) AS z FROM t ORDER BY id",
  "SELECT CAST(b AS numeric(30, 2)) AS x, CAST(b AS double precision) AS y FROM t ORDER BY id",
  "SELECT CAST(b AS bigint) AS x FROM t WHERE b < 9223372036854775807 ORDER BY id",
  "SELECT lpad(CAST(b AS text), 5, '0') AS x FROM t ORDER BY id",
  "SELECT id FROM t WHERE CAST(b AS text) LIKE '4%' ORDER BY id",
  "SELECT repeat('a', CAST(b AS integer)) AS x, DATE '2024-01-01' + CAST(b AS integer) AS y FROM t WHERE b < 256 ORDER BY id",
  "SELECT b / 4 AS x, b % 7 AS y FROM t ORDER BY id",
  "SELECT abs(b) AS x, sign(b) AS y, round(b, -1) AS z FROM t WHERE b < 9223372036854775800 ORDER BY id",
  "SELECT power(b, 2) AS x, sqrt(b) AS y FROM t ORDER BY id",
  "SELECT a.id AS x, c.id AS y FROM t AS a JOIN t AS c ON a.b = c.b ORDER BY 1, 2",
  "SELECT a.id AS x, c.id AS y FROM t AS a JOIN t AS c ON a.b = c.s ORDER BY 1, 2",
  "SELECT a.id AS x, c.id AS y FROM t AS a JOIN t AS c ON a.b > c.s AND a.b = c.id ORDER BY 1, 2",
  "SELECT a.id AS x, c.id AS y FROM t AS a JOIN t AS c ON a.b = c.f WHERE a.b < 1000000 ORDER BY 1, 2",
  "SELECT a.id AS x, c.b AS y FROM t AS a LEFT JOIN t AS c ON a.b = c.b AND c.id < 9 ORDER BY 1, 2",
  "SELECT a.id AS x, c.b AS y FROM t AS a FULL JOIN t AS c ON a.b = c.b AND c.id < 9 ORDER BY 1, 2",
  "SELECT b, count(*) AS n FROM t AS a JOIN p AS c USING (b) GROUP BY b ORDER BY b",
  "SELECT id FROM t WHERE b IN (SELECT s FROM t WHERE id < 12) ORDER BY id",
  "SELECT id FROM t WHERE s IN (SELECT b FROM t WHERE id < 12) ORDER BY id",
  "SELECT id, s IN (SELECT b FROM t WHERE id < 12) AS x FROM t ORDER BY id",
  "SELECT id, b NOT IN (SELECT b FROM t WHERE id < 3) AS x FROM t ORDER BY id",
  "SELECT id FROM t WHERE b > ALL (SELECT b FROM t WHERE id IN (0, 2, 4)) ORDER BY id",
  "SELECT id FROM t WHERE b = (SELECT max(b) FROM t) ORDER BY id",
  "SELECT (SELECT b FROM t WHERE id = 1) AS x",
  "SELECT (SELECT c.b FROM t AS c WHERE c.id = a.id) AS x FROM t AS a ORDER BY a.id",
  "SELECT id FROM t AS a WHERE EXISTS (SELECT b FROM t AS c WHERE c.s = a.b AND c.id < 9) ORDER BY id",
  "SELECT b FROM t UNION SELECT b FROM t ORDER BY b",
  "SELECT b FROM t UNION ALL SELECT -5 ORDER BY b",
  "SELECT b FROM t UNION ALL SELECT NULL ORDER BY b",
  "SELECT g AS x FROM t UNION SELECT b FROM t ORDER BY x",
  "SELECT x FROM (SELECT b AS x FROM t UNION ALL SELECT s FROM t) AS q ORDER BY x",
  "SELECT b FROM t INTERSECT SELECT s FROM t ORDER BY b",
  "SELECT b FROM t EXCEPT SELECT s FROM t WHERE id < 9 ORDER BY b",
  "WITH q AS (SELECT b AS x, id FROM t) SELECT max(x) AS x, sum(x) AS y FROM q",
  "WITH q AS (SELECT b AS x, id FROM t) SELECT a.x, coalesce(c.x, c.x) AS y FROM q AS a JOIN q AS c ON a.id = c.id ORDER BY a.id",
  "SELECT max(x) AS x, min(x) AS y FROM (SELECT b AS x FROM t GROUP BY b) AS q",
  "SELECT max(x) AS x, CAST(min(x) AS text) AS y FROM (SELECT DISTINCT b AS x FROM t) AS q",
  "SELECT max(x) AS x, string_agg(x::text, ',' ORDER BY x) AS y FROM (SELECT b AS x FROM t ORDER BY b DESC NULLS LAST LIMIT 7) AS q",
  "WITH RECURSIVE r AS (SELECT b AS x, id FROM t WHERE id = 1 UNION ALL SELECT t.b, t.id FROM t JOIN r ON t.id = r.id + 1 WHERE t.id < 9) SELECT x FROM r ORDER BY id",
  "SELECT lag(b) OVER (ORDER BY id) AS x, lead(b, 2) OVER (ORDER BY id) AS y FROM t ORDER BY id",
  "SELECT first_value(b) OVER (ORDER BY id) AS x, last_value(b) OVER (PARTITION BY g ORDER BY id) AS y FROM t ORDER BY id",
  "SELECT max(b) OVER (PARTITION BY g) AS x, sum(b) OVER (ORDER BY id) AS y FROM t ORDER BY id",
  "SELECT rank() OVER (ORDER BY b) AS x, count(*) OVER (PARTITION BY b) AS y, b FROM t ORDER BY id",
  "SELECT row_number() OVER w AS x FROM t WINDOW w AS (PARTITION BY g ORDER BY b, id) ORDER BY id",
  "SELECT DISTINCT ON (g) g, b FROM t ORDER BY g, b DESC, id",
  "SELECT id, b FROM t QUALIFY row_number() OVER (PARTITION BY g ORDER BY b DESC NULLS LAST, id) = 1 ORDER BY id",
  "SELECT id, b, CASE WHEN g > 0 THEN b END AS x FROM ruled ORDER BY id",
  "SELECT g, max(b) AS x FROM ruled WHERE b < 300 GROUP BY g ORDER BY g",
  "SELECT max(b) AS x, min(b) AS y, string_agg(b::text, ',' ORDER BY id) AS z FROM own_sql WHERE b <> 1",
  "SELECT g, x, y, x + y AS z FROM v WHERE x < 1000 ORDER BY g",
  "SELECT max(x) AS x FROM v",
  "SELECT id FROM t ORDER BY CASE WHEN g > 0 THEN b END, id",
];

/** Where a column of integers that are booleans is a condition. */
const CONDITIONS: readonly string[] = [
  "SELECT id FROM t WHERE b ORDER BY id",
  "SELECT id FROM t WHERE NOT b ORDER BY id",
  "SELECT id FROM t WHERE b = true OR b IS NULL ORDER BY id",
  "SELECT id FROM t WHERE b IS NOT TRUE ORDER BY id",
  "SELECT id FROM t WHERE b <> (g > 1) ORDER BY id",
  "SELECT id, CASE WHEN b THEN 'yes' ELSE 'no' END AS x FROM t ORDER BY id",
  "SELECT count(*) FILTER (WHERE b) AS x, count(*) FILTER (WHERE NOT b) AS y FROM t",
  "SELECT q.id FROM (SELECT id, b AS c FROM t) AS q WHERE q.c AND q.id > 2 ORDER BY q.id",
  "SELECT a.id FROM t AS a JOIN t AS c ON a.id = c.id AND a.b ORDER BY a.id",
];

/** Zero, the greatest, halves, NULLs, digits that are letters in ASCII, repetitions. */
function values(width: number): (bigint | undefined)[] {
  const most = max(width);
  const some = [
    0n,
    most,
    1n,
    undefined,
    49n,
    most >> 1n,
    most,
    (most >> 1n) + 1n,
    255n,
    256n,
    300n,
    57n,
    9n,
    undefined,
  ];
  const more = Array.from({ length: 16 }, (_, index) => 2_654_435_761n * BigInt(index * index + 3));
  return [...some, ...more].map((value) => (value === undefined ? undefined : value & most));
}

function tables(): string[] {
  return WIDTHS.flatMap((width) =>
    (["bits", "numbers"] as const).flatMap((kind) => {
      const type = kind === "bits" ? `bit(${width})` : width < 64 ? "bigint" : "decimal(20)";
      const rows = values(width).map((value, id) => {
        const signed = id % 5 === 0 ? -1 : value === undefined || value > max(63) ? "NULL" : value;
        return `(${id}, ${id % 3}, ${value ?? "NULL"}, ${signed}, ${value ?? "NULL"})`;
      });
      return [
        `CREATE TABLE ${kind}${width} (id int PRIMARY KEY, g int, b ${type}, s bigint, f double, KEY (b), KEY (g, b), KEY (s))`,
        `INSERT INTO ${kind}${width} VALUES ${rows.join(", ")}`,
      ];
    }),
  );
}

/** Over BIT(1) that a manifest calls BOOLEAN, as it may any number that is 0 or not. */
const FLAGS: readonly string[] = [
  "SELECT id, b FROM t ORDER BY id",
  "SELECT id FROM t WHERE b ORDER BY id",
  "SELECT id FROM t WHERE NOT b AND g > 0 ORDER BY id",
  "SELECT id FROM t WHERE b = TRUE OR b IS NULL ORDER BY id",
  "SELECT id FROM t WHERE b IS NOT TRUE ORDER BY id",
  "SELECT id FROM t WHERE b IN (TRUE, FALSE) ORDER BY id",
  "SELECT b, NOT b AS n, b IS TRUE AS x, b OR g > 1 AS y FROM t ORDER BY id",
  "SELECT CASE WHEN g > 0 THEN b END AS x, CASE WHEN g > 0 THEN b ELSE b END AS y FROM t ORDER BY id",
  "SELECT CASE WHEN g > 0 THEN b ELSE TRUE END AS x, CASE WHEN b THEN 'yes' ELSE 'no' END AS y FROM t ORDER BY id",
  "SELECT coalesce(b, FALSE) AS x, coalesce(b, b) AS y, nullif(b, TRUE) AS z FROM t ORDER BY id",
  "SELECT b::text AS x, b || '!' AS y, b::integer AS z FROM t ORDER BY id",
  "SELECT bool_or(b) AS x, bool_and(b) AS y, count(b) AS n FROM t",
  "SELECT g, bool_and(b) AS x FROM t GROUP BY g HAVING bool_or(b) ORDER BY g",
  "SELECT count(*) FILTER (WHERE b) AS n, sum(CASE WHEN b THEN 1 ELSE 0 END) AS m FROM t",
  "SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY b",
  "SELECT DISTINCT b FROM t ORDER BY b DESC",
  "SELECT string_agg(b::text, ',' ORDER BY id) AS x FROM t",
  "SELECT json_agg(b ORDER BY id) AS x FROM t",
  "SELECT json_build_object('b', b) AS x FROM t ORDER BY id",
  "SELECT a.id AS x, c.id AS y FROM t AS a JOIN t AS c ON a.b = c.b AND a.b AND c.id < 9 ORDER BY 1, 2",
  "SELECT a.id AS x, c.b AS y FROM t AS a LEFT JOIN t AS c ON a.id = c.id + 1 AND c.b ORDER BY 1, 2",
  "SELECT (SELECT b FROM t WHERE id = 1) AS x, EXISTS (SELECT 1 FROM t WHERE b) AS y",
  "SELECT id FROM t WHERE b IN (SELECT b FROM t WHERE id < 3) ORDER BY id",
  "SELECT b FROM t UNION ALL SELECT TRUE ORDER BY b",
  "SELECT b FROM t UNION SELECT g > 0 FROM t ORDER BY b",
  "WITH q AS (SELECT b AS x, id FROM t) SELECT coalesce(x, x) AS y FROM q WHERE x ORDER BY id",
  "SELECT lag(b) OVER (ORDER BY id) AS x, first_value(b) OVER (ORDER BY id) AS y FROM t ORDER BY id",
  "SELECT bool_or(x) AS x FROM (SELECT b AS x FROM t GROUP BY b) AS q",
];

async function answersOf(
  opened: OpenedSource,
  table: string,
  type: string,
  queries: readonly string[] = QUERIES,
): Promise<readonly string[]> {
  const read = manifest(table, type);
  const answers: string[] = [];
  for (const sql of queries) {
    const answer = await ask(sql, read, "mysql", opened);
    answers.push(
      "rows" in answer
        ? `${answer.names} ${answer.rows.map((row) => row.map(shown).join(" | ")).join("; ")}`
        : answer.detail,
    );
  }
  return answers;
}

/** Numbers of whatever type, by their value. */
function shown(cell: unknown): string {
  const text = String(cell);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

const described = (flavor: MySqlFlavor): string => (hasMySql(flavor) ? flavor : withoutMySql(flavor));

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(described(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        for (const sql of tables()) await run(sql);
      });
    });
    afterAll(() => opened?.close());

    const cases = WIDTHS.flatMap((width) => NAMES.map((name) => [width, name(width)] as const));
    test.each(shareFor("mysql", cases))("BIT(%i) as %s", async (width, type) => {
      const bits = await answersOf(opened, `bits${width}`, type);
      const numbers = await answersOf(opened, `numbers${width}`, numberType(width, type));
      const wrong = QUERIES.flatMap((sql, index) =>
        bits[index] === numbers[index] ? [] : [{ sql, bits: bits[index], numbers: numbers[index] }],
      );
      expect(wrong).toEqual([]);
    });

    test.each([
      ["bits1", "BIT(1)"],
      ["bits1", "TINYINT(1)"],
      ["numbers1", "TINYINT(1)"],
    ])("a column of %s as %s is a condition, as a BOOLEAN is", async (table, type) => {
      const expected = await answersOf(opened, "numbers1", "BOOLEAN", CONDITIONS);
      expect(expected.filter((each) => !/^(id|x|id,x|x,y) \d/.test(each))).toEqual([]);
      expect(await answersOf(opened, table, type, CONDITIONS)).toEqual(expected);
    });

    test("BIT(1) as BOOLEAN", async () => {
      const bits = await answersOf(opened, "bits1", "BOOLEAN", FLAGS);
      const numbers = await answersOf(opened, "numbers1", "BOOLEAN", FLAGS);
      const wrong = FLAGS.flatMap((sql, index) =>
        bits[index] === numbers[index] ? [] : [{ sql, bits: bits[index], numbers: numbers[index] }],
      );
      expect(wrong).toEqual([]);
    });
  });
}
