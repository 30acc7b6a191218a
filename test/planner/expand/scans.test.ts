import { describe, expect, it } from "vitest";
import { type Scan, statementOf } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const RULED = { name: "r", requiredProperties: [], condition: "secret = 'a'" };
const column = (name: string, type: string, more: object = {}): object => ({ name, type, ...more });
const SHOP = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "sale",
      tableReference: { table: "Sale.parquet" },
      primaryKey: "id",
      columns: [
        column("id", "bigint"),
        column("buyer", "bigint"),
        column("day", "date"),
        column("at", "timestamptz"),
        column("amount", "decimal(12,2)"),
        column("paid", "boolean"),
        column("city", "varchar"),
        column("twice", "decimal(12,2)", { isCalculated: true, expression: "amount * 2" }),
        column("loud", "varchar", { expression: "upper(city)" }),
        column("placed", "bigint", { expression: "#1 + 1" }),
        column("counted", "bigint", { expression: '(SELECT count(*) FROM "Sale.parquet")' }),
      ],
    },
    {
      name: "buyer",
      tableReference: { table: "buyers/*.parquet" },
      primaryKey: "id",
      columns: [column("id", "bigint"), column("name", "varchar"), column("secret", "varchar")],
      rowLevelAccessControls: [RULED],
    },
    { name: "free", refSql: "SELECT * FROM 'x.parquet'", columns: [column("id", "bigint")] },
  ],
});

/** `id >= 5`, each scan's columns and filters on a line. */
function shown(sql: string, table = "Sale.parquet"): readonly string[] {
  const { reads } = statementOf(planned(sql, SHOP, { source: "local_file" }));
  return (reads.find(({ physical }) => physical?.table === table)?.scans ?? []).map(textOf);
}

function textOf({ columns, filters }: Scan): string {
  const conditions = filters.map(({ column: name, operator, values }) => {
    const texts = values.map((value) => (value.kind === "boolean" ? String(value.value) : value.text));
    return `${name} ${operator} ${texts.join("|")}`;
  });
  return `${columns === undefined ? "*" : [...columns].sort().join(",")}: ${conditions.join(" and ")}`;
}

describe("the columns and the conditions of a scan", () => {
  const cases: readonly (readonly [sql: string, ...scans: string[]])[] = [
    ["SELECT count(*) FROM sale", ": "],
    ["SELECT id FROM sale WHERE id > 5 AND 7 >= amount", "amount,id: id > 5 and amount <= 7"],
    ["SELECT id FROM sale WHERE amount = -1.5", "amount,id: amount = -1.5"],
    [
      "SELECT id FROM sale WHERE day BETWEEN DATE '2024-01-01' AND '2024-02-01'",
      "day,id: day >= 2024-01-01 and day <= 2024-02-01",
    ],
    ["SELECT id FROM sale WHERE day NOT BETWEEN DATE '2024-01-01' AND '2024-02-01'", "day,id: "],
    ["SELECT id FROM sale WHERE at < '2024-01-01 10:00'", "at,id: at < 2024-01-01 10:00:00"],
    ["SELECT id FROM sale WHERE at < '2024-01-01 10:00+02'", "at,id: "],
    ["SELECT id FROM sale WHERE city IN ('a', 'b')", "city,id: city = a|b"],
    ["SELECT id FROM sale WHERE city IN ('a', NULL)", "city,id: "],
    ["SELECT id FROM sale WHERE city NOT IN ('a', 'b')", "city,id: "],
    ["SELECT id FROM sale WHERE city <> 'a'", "city,id: "],
    ["SELECT id FROM sale WHERE paid AND id = 1", "id,paid: paid = true and id = 1"],
    ["SELECT id FROM sale WHERE NOT paid", "id,paid: paid = false"],
    ["SELECT id FROM sale WHERE id = 1 OR id = 2", "id: "],
    ["SELECT id FROM sale WHERE NOT (id = 1)", "id: "],
    ["SELECT id FROM sale WHERE (id = 1) IS NULL", "id: "],
    ["SELECT id FROM sale WHERE id + 1 = 2", "id: "],
    ["SELECT id FROM sale WHERE id = buyer", "buyer,id: "],
    // Through what is computed of the rows.
    ["SELECT twice FROM sale WHERE id = 1 AND twice > 3", "amount,id: id = 1"],
    ["SELECT loud FROM sale WHERE id = 1", "city,id,upper: id = 1"],
    ["SELECT * FROM (SELECT id, amount AS a FROM sale) x WHERE a = 1", "amount,id: amount = 1"],
    ["SELECT * FROM (SELECT id, amount AS a FROM sale LIMIT 5) x WHERE a = 1", "amount,id: "],
    ["SELECT * FROM (SELECT id, amount AS a FROM sale OFFSET 5) x WHERE a = 1", "amount,id: "],
    ["SELECT * FROM (SELECT DISTINCT id FROM sale) x WHERE id = 1", "id: id = 1"],
    ["SELECT * FROM (SELECT DISTINCT ON (buyer) id FROM sale ORDER BY buyer, id) x WHERE id = 1", "buyer,id: "],
    [
      "SELECT * FROM (SELECT buyer, sum(amount) AS s FROM sale GROUP BY buyer) x WHERE buyer = 1 AND s = 2",
      "amount,buyer: buyer = 1",
    ],
    [
      "SELECT * FROM (SELECT buyer, city, sum(amount) AS s FROM sale GROUP BY GROUPING SETS (buyer, city)) x WHERE buyer = 1",
      "amount,buyer,city: ",
    ],
    ["SELECT * FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM sale) x WHERE id = 1", "id: "],
    ["SELECT * FROM (SELECT id FROM sale UNION ALL SELECT buyer FROM sale) x WHERE id = 1", "buyer,id: ", "buyer,id: "],
    ["WITH w AS (SELECT id FROM sale) SELECT id FROM w WHERE id = 1", "id: id = 1"],
    ["WITH w AS (SELECT id FROM sale) SELECT a.id FROM w a JOIN w b ON b.id = a.id WHERE a.id = 1", "id: "],
    ["WITH w AS (SELECT id FROM sale), v AS (SELECT * FROM w LIMIT 1) SELECT id FROM v WHERE id = 1", "id: "],
    // Joins: of a side whose rows may be missing, conditions of the join hold, and those of WHERE hold of all.
    [
      "SELECT a.id FROM sale a JOIN sale b ON b.id = a.id AND b.amount = 1 WHERE a.buyer = 2",
      "buyer,id: buyer = 2",
      "amount,id: amount = 1",
    ],
    [
      "SELECT a.id FROM sale a LEFT JOIN sale b ON b.id = a.id AND b.amount = 1 AND a.amount = 2",
      "amount,id: ",
      "amount,id: amount = 1",
    ],
    [
      "SELECT a.id FROM sale a RIGHT JOIN sale b ON b.id = a.id AND b.amount = 1 AND a.amount = 2",
      "amount,id: amount = 2",
      "amount,id: ",
    ],
    ["SELECT a.id FROM sale a FULL JOIN sale b ON b.id = a.id AND b.amount = 1", "id: ", "amount,id: "],
    ["SELECT a.id FROM sale a FULL JOIN sale b ON b.id = a.id WHERE b.amount = 1", "id: ", "amount,id: amount = 1"],
    // Queries in expressions stand for themselves.
    [
      "SELECT id FROM sale WHERE id = 1 AND EXISTS (SELECT 1 FROM sale WHERE city = 'x')",
      "id: id = 1",
      "city: city = x",
    ],
    [
      "SELECT (SELECT max(amount) FROM sale WHERE city = 'x') AS m FROM sale s WHERE s.id = 1",
      "id: id = 1",
      "amount,city: city = x",
    ],
    // The modeller's own queries may read anything in any way.
    ["SELECT counted FROM sale WHERE id = 1", "*: "],
    ["SELECT placed FROM sale WHERE id = 1", "*: "],
    ["SELECT s.id FROM sale s JOIN free f ON f.id = s.id WHERE s.id = 1", "*: "],
  ];
  it.each(cases)("%s", (sql, ...scans) => {
    expect([...shown(sql)].sort()).toEqual([...scans].sort());
  });

  it("holds what a rule needs, and tells it to no caller", () => {
    const plan = planned("SELECT name FROM buyer WHERE id = 1", SHOP, { source: "local_file" });
    expect(plan.scans().get("buyers/*.parquet")?.map(textOf)).toEqual(["id,name,secret: secret = a and id = 1"]);
    expect(JSON.stringify(plan.reads())).not.toContain("scans");
  });

  it("is of sources of files alone", () => {
    const { reads } = statementOf(planned("SELECT id FROM sale", SHOP, { source: "postgres" }));
    expect(reads.map((read) => "scans" in read)).toEqual([false]);
  });
});

describe("the filters of a row rule alone", () => {
  const ruleFilters = (sql: string): readonly string[] => {
    const { reads } = statementOf(planned(sql, SHOP, { source: "local_file" }));
    const scans = reads.find(({ physical }) => physical?.table === "buyers/*.parquet")?.scans ?? [];
    return scans.map((scan) =>
      scan.ruleFilters ? textOf({ ...scan, columns: [], filters: scan.ruleFilters }) : "none",
    );
  };

  it.each<[sql: string, ...filters: string[]]>([
    ["SELECT id FROM buyer", ": secret = a"],
    ["SELECT id FROM buyer WHERE id = 7 AND name > 'b'", ": secret = a"],
    ["SELECT id FROM buyer WHERE secret = 'a'", ": secret = a"],
    ["SELECT id::int / 2 FROM buyer WHERE id = 7 AND name = 'x'", ": secret = a"],
    ["SELECT s.id FROM sale s JOIN buyer b ON b.id = s.buyer AND b.id = 5 WHERE b.name < 'x'", ": secret = a"],
    ["SELECT s.id FROM sale s LEFT JOIN buyer b ON b.id = s.buyer WHERE b.name = 'x'", ": secret = a"],
    ["SELECT id FROM (SELECT * FROM buyer) q WHERE id < 3", ": secret = a"],
    ["WITH q AS (SELECT * FROM buyer) SELECT id FROM q WHERE id < 3", ": secret = a"],
    ["SELECT a.id FROM buyer a, buyer b WHERE a.id = 1 AND b.id = 2", ": secret = a", ": secret = a"],
  ])("%s", (sql, ...expected) => {
    expect(ruleFilters(sql)).toEqual(expected);
  });

  it("are of tables with rules alone", () => {
    const { reads } = statementOf(
      planned("SELECT s.id FROM sale s JOIN buyer b ON b.id = s.buyer", SHOP, { source: "local_file" }),
    );
    expect(reads.find(({ physical }) => physical?.table === "Sale.parquet")?.scans?.[0]).not.toHaveProperty(
      "ruleFilters",
    );
  });
});
