import type { Random } from "../../support/random-query.ts";
import { type Maker, ordered, rows, some, unordered } from "./maker.ts";

/** Pairs of which several have equal quotients that are no double. */
function pairs(random: Random, alias = "t"): string {
  const decimals = {
    type: "numeric(10,2)",
    values: ["0.30", "0.70", "0.10", "2.10", "0.60", "1", "NULL", "0.05", "3.30"],
  };
  const divisors = { type: "numeric(10,2)", values: ["3", "7", "1", "21", "6", "0.70", "0.3", "11"] };
  return rows(random, alias, { k: { type: "int", values: ["1", "2"] }, a: decimals, b: divisors }, 8);
}

/**
 * Quotients and averages of decimals wherever rows are compared: equal ones stay equal (docs/decisions/0043-quotients.md#decision).
 * Left out: products that undo a division, `a / 3 * 3 = a`, and products beside quotients of other sides, `a / 6 * 2 = b / 3`, which the
 * last digit of PostgreSQL's quotient decides.
 */
export const quotients: Maker = (random) => {
  const q = random.pick([
    "a / b",
    "b / a",
    "a / b - 0.1",
    "a / b * 2",
    "1 - a / b",
    "a / 3",
    "(a + b) / b",
    "abs(a / b)",
  ]);
  const from = pairs(random);
  const descending = random.pick(["", " DESC NULLS LAST", " NULLS FIRST"]);
  const limit = random.chance(0.5) ? ` LIMIT ${1 + random.below(5)}` : "";
  const mean = random.pick([
    "avg(a)",
    "sum(a) - avg(b)",
    "avg(a / b)",
    "sum(a) / sum(b)",
    "avg(a) / 3",
    "sum(a) / count(*)",
  ]);
  return random.pick([
    () => ordered(`SELECT id FROM ${from} ORDER BY ${q}${descending}, id${random.pick(["", " DESC"])}${limit}`),
    () => ordered(`SELECT id, x FROM (SELECT id, ${q} AS x FROM ${from}) s ORDER BY x${descending}, id DESC${limit}`),
    () => unordered(`SELECT ${q} AS x, count(*) AS n FROM ${from} GROUP BY ${random.pick(["1", q, "x"])}`),
    () => ordered(`SELECT DISTINCT ${q} AS x FROM ${from} ORDER BY 1${descending}${limit}`),
    () =>
      ordered(
        `SELECT id, rank() OVER (ORDER BY ${q}) AS r, count(*) OVER (PARTITION BY ${q}) AS n FROM ${from} ORDER BY id`,
      ),
    () => ordered(`SELECT k, ${mean} AS m FROM ${from} GROUP BY k ORDER BY m${descending}, k DESC${limit}`),
    () =>
      ordered(
        `WITH s AS (SELECT id % 4 AS h, ${mean} AS m FROM ${from} GROUP BY 1) SELECT h, m FROM s ORDER BY m${descending}, h${limit}`,
      ),
    () =>
      unordered(
        `SELECT ${q} AS x FROM ${from} ${random.pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])} SELECT 0.1`,
      ),
    () =>
      ordered(
        `SELECT id FROM ${from} WHERE ${q} ${random.pick(["=", ">=", "<", "<>"])} ${random.pick(["0.1", "0.3", "1", "0"])} ORDER BY id`,
      ),
    () =>
      ordered(
        `SELECT id FROM ${from} WHERE ${q.replace(" * 2", "")} IN (SELECT u.a / u.b FROM ${pairs(random, "u")}) ORDER BY id`,
      ),
    () => ordered(`SELECT round(${q}, ${random.below(4)}) AS x, id FROM ${from} ORDER BY 1${descending}, 2${limit}`),
  ])();
};

/** Numbers of 4 bytes that hold sums and products exactly, and others for single operations. */
const SHORT = ["0.5", "1.25", "-0.75", "3", "0", "NULL", "1024", "0.125"];
const LONG = ["1.1", "0.15", "-0.1", "16777217", "1e10", "NULL", "0.3", "33.333333"];

export const reals: Maker = (random) => {
  const single = rows(random, "t", {
    r: { type: "real", values: [...LONG, ...SHORT] },
    n: { type: "int", values: ["1", "3", "-2", "7"] },
    d: { type: "numeric(8,2)", values: ["0.10", "1.25", "3"] },
    f: { type: "float8", values: ["0.1", "2.5", "-1"] },
  });
  const sums = rows(random, "t", { g: { type: "int", values: ["1", "2"] }, r: { type: "real", values: SHORT } }, 7);
  const other = random.pick(["n", "d", "f", "3", "0.5", "1e1", "r", "2::bigint"]);
  const value = random.pick([
    `r ${random.pick(["+", "-", "*"])} ${other}`,
    "r / 3",
    "-r",
    "abs(r)",
    "r::float8",
    "r::numeric(20, 3)",
    "r::text",
    `coalesce(r, ${other})`,
    `greatest(r, ${other})`,
    `CASE WHEN n > 1 THEN r ELSE ${other} END`,
    `r ${random.pick(["=", "<", ">=", "<>"])} ${random.pick(["0.1", "1.1", "d", "f", "n", "0.15"])}`,
    "r IN (0.1, 0.15, 1.1)",
    "concat(r, '|')",
    "round(r::numeric, 2)",
  ]);
  const total = random.pick([
    "sum(r)",
    "avg(r)",
    "min(r)",
    "max(r)",
    "sum(r) * 2",
    "sum(r) / count(*)",
    "sum(DISTINCT r)",
    "sum(r)::text",
    "sum(r) + 1",
  ]);
  return random.pick([
    () => ordered(`SELECT id, ${value} AS x FROM ${single} ORDER BY id`),
    () => unordered(`SELECT ${value} AS x, count(*) AS n FROM ${single} GROUP BY 1`),
    () => ordered(`SELECT g, ${total} AS x FROM ${sums} GROUP BY g ORDER BY g`),
    () => ordered(`SELECT id, sum(r) OVER (ORDER BY id) AS x FROM ${sums} ORDER BY id`),
    () => ordered(`SELECT id, x FROM (SELECT id, r * 2 AS x FROM ${sums}) q ORDER BY x, id`),
  ])();
};

/** Literals with an exponent are exact (docs/decisions/0002-exact-values.md). */
export const exponents: Maker = (random) => {
  const literal = (): string =>
    random.pick(["1", "15", "2.5", ".5", "7.", "0"]) +
    random.pick(["e", "E"]) +
    random.pick(["0", "1", "3", "+2", "-1", "-3", "05"]);
  const operator = random.pick(["+", "-", "*"]);
  const item = random.pick([
    () => `${literal()} ${operator} ${literal()}`,
    () => `n ${operator} ${literal()}`,
    () => `n / ${random.pick(["2e0", "4e1", "1E1", "8e-1"])}`,
    () => `${literal()}::text`,
    () => `-${literal()}`,
    () => `(${literal()})::int`,
    () => `n % 3e0`,
    () => `round(${literal()} + n, 1)`,
    () => `concat(${literal()})`,
    () => `n > ${literal()}`,
    () => `CASE WHEN n > 2 THEN n ELSE ${literal()} END`,
  ]);
  const values = { n: { type: random.pick(["int", "numeric(8,2)", "bigint"]), values: ["1", "3", "7", "-5"] } };
  const items = Array.from({ length: 1 + random.below(3) }, (_, index) => `${item()} AS o${index}`).join(", ");
  return ordered(`SELECT id, ${items} FROM ${rows(random, "t", values)} ORDER BY id${random.pick(["", " LIMIT 2e0"])}`);
};

/** Statements that sort by the names of columns, as PostgreSQL names them (docs/decisions/0003-names-of-columns.md#decision). */
export const names: Maker = (random) => {
  const from = rows(random, "t", {
    x: { type: "text", values: ["'5'", "'10'", "'7'", "'100'", "'9'"] },
    a: { type: "int[]", values: ["ARRAY[1, 5]", "ARRAY[2, 3]", "ARRAY[9]"] },
    ts: { type: "timestamp", values: ["'2024-01-02 10:00'", "'2024-01-02 09:00'", "'2023-12-31 23:00'"] },
    n: { type: "numeric(8,2)", values: ["1.50", "20", "3.25", "100"] },
  });
  const [expression, name] = random.pick([
    ["x::int", "x"],
    ["t.x::int", "x"],
    ["(x::int)::bigint", "x"],
    ["a[1]", "a"],
    ["a[2]", "a"],
    ["ts::date", "ts"],
    ["n::text", "n"],
    ["n::int", "n"],
    ["length(x)", "length"],
    ["upper(x)::int", "upper"],
    ["coalesce(x, '0')", "coalesce"],
    ["CASE WHEN id > 2 THEN '0' ELSE x END", "x"],
    ["CASE WHEN id > 2 THEN 1 ELSE 0 END", "case"],
    ["(SELECT v.x FROM (VALUES (1, 9), (2, 4), (3, 7)) v(id, x) WHERE v.id = t.id)", "x"],
    ["(SELECT max(v) AS n FROM (VALUES (1), (2)) v(v) WHERE v < t.id)", "n"],
    ["extract(day FROM ts)", "extract"],
    ["EXISTS (SELECT 1 FROM (VALUES (1)) v(v) WHERE v = t.id)", "exists"],
    ["greatest(id, 2)", "greatest"],
    ["nullif(id, 2)", "nullif"],
    ["date_trunc('month', ts)::date", "date_trunc"],
    ["substring(x FROM 1 FOR 1)", "substring"],
    ["trim(x)", "btrim"],
    ["abs(n)::int", "abs"],
    ["ARRAY[id]", "array"],
  ] as const);
  const direction = random.pick(["", " DESC NULLS LAST"]);
  const sorted = name === "case" || name === "array" || name === "exists" ? `"${name}"` : name;
  const limit = random.chance(0.4) ? " LIMIT 2" : "";
  return random.pick([
    () => ordered(`SELECT id, ${expression} FROM ${from} ORDER BY ${sorted}${direction}, id${limit}`),
    () => ordered(`SELECT DISTINCT ${expression} FROM ${from} ORDER BY ${sorted}${direction}${limit}`),
    () =>
      ordered(
        `SELECT ${expression} FROM ${from} UNION SELECT ${expression} FROM ${from} ORDER BY ${sorted}${direction}`,
      ),
    () => unordered(`WITH s AS (SELECT ${expression} FROM ${from}) SELECT s."${name}" FROM s`),
    () =>
      unordered(
        `SELECT q."${name}", count(*) AS c FROM (SELECT id, ${expression} FROM ${from}) q GROUP BY q."${name}"`,
      ),
    () =>
      ordered(
        `SELECT id, ${expression}, rank() OVER (ORDER BY ${sorted === "x" || sorted === "n" || sorted === "ts" ? sorted : "x"}) FROM ${from} ORDER BY id`,
      ),
    () => unordered(`SELECT ${expression}, count(*) AS c FROM ${from} GROUP BY ${random.pick(["1", expression])}`),
  ])();
};

/** Sums of a few columns with the rest of a statement's forms around them. */
export const keys: Maker = (random) => {
  const columns = some(
    random,
    ["c.name", "c.city", "c.credit", "c.joined", "upper(c.city) AS up", "c.credit + 1 AS more"],
    1 + random.below(3),
  );
  const aggregates = some(
    random,
    [
      "count(*) AS n",
      "sum(o.total) AS s",
      "max(o.day) AS m",
      "count(DISTINCT o.id) AS k",
      "string_agg(DISTINCT o.name, ',') AS names",
    ],
    1 + random.below(2),
  );
  const join = random.pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
  const having = random.pick([
    "",
    "",
    " HAVING c.city IS NULL OR count(*) > 1",
    " HAVING max(o.total) > 10",
    " HAVING c.credit < 20",
  ]);
  const group = random.pick(["c.id", "c.id, c.city", "c.name, c.id", "c.id, o.ok"]);
  const items = random
    .pick([
      [...columns, ...aggregates],
      ["c.*", ...aggregates],
      ["c.id", ...columns],
    ])
    .join(", ");
  return random.pick([
    () => unordered(`SELECT ${items} FROM orders o ${join} customer c ON o.customer = c.id GROUP BY ${group}${having}`),
    () => unordered(`SELECT * FROM (SELECT ${items} FROM customer c, orders o GROUP BY ${group}${having}) q`),
    () =>
      ordered(
        `WITH w AS (SELECT c.id AS key, ${items.replace("c.*", "c.name")} FROM orders o ${join} customer c ON o.customer = c.id GROUP BY ${group}) SELECT count(*) AS n, sum(key) AS s FROM w`,
      ),
    () =>
      unordered(
        `SELECT i.line, i.product, i.price * i.quantity AS v, count(o.id) AS n FROM item i ${join} orders o ON i.order_id = o.id GROUP BY i.order_id, i.line`,
      ),
    () =>
      ordered(
        `SELECT id, name, city, rank() OVER (ORDER BY credit DESC NULLS LAST, name) AS r FROM customer GROUP BY id ORDER BY id`,
      ),
  ])();
};
