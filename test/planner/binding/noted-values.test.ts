/** Binding notes what lowering looks for only where it occurs. A note that is missing would leave something out of a plan. */
import { expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";

const columns = {
  id: "integer",
  name: "text",
  at: "timestamp",
  span: "interval",
  clock: "time",
  tags: "text[]",
};

const model = (name: string, of: readonly (keyof typeof columns)[]) => ({
  name,
  tableReference: { table: name },
  columns: of.map((column) => ({ name: column as string, type: columns[column] })),
});

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    model("plain", ["id", "name", "at"]),
    model("spans", ["id", "span"]),
    model("clocks", ["id", "clock"]),
    model("lists", ["id", "tags"]),
    {
      ...model("late", ["id", "at"]),
      columns: [
        ...model("late", ["id", "at"]).columns,
        { name: "waits", type: "interval", isCalculated: true, expression: "at - timestamp '2024-01-01 00:00:00'" },
      ],
    },
  ],
});

const NOTES = [
  "hasIntervals",
  "hasTimesOfDay",
  "hasArrays",
  "hasSubqueries",
  "hasOuterAggregates",
  "hasSpecialValues",
] as const;

test.each<readonly [sql: string, notes: readonly (typeof NOTES)[number][]]>([
  ["SELECT id, sum(id) AS s FROM plain WHERE name LIKE 'a%' GROUP BY id ORDER BY s", []],
  ["SELECT a.id FROM plain AS a JOIN (SELECT id FROM plain) AS b ON a.id = b.id", []],
  ["SELECT * FROM spans", ["hasIntervals"]],
  ["SELECT waits FROM late", ["hasIntervals"]],
  ["SELECT id FROM late", []],
  ["SELECT at - at AS d FROM plain", ["hasIntervals"]],
  ["SELECT at + INTERVAL '1 day' AS d FROM plain", ["hasIntervals"]],
  ["SELECT CAST(name AS interval) AS d FROM plain", ["hasIntervals"]],
  ["SELECT age(at, at) AS d FROM plain", ["hasIntervals"]],
  ["SELECT * FROM clocks", ["hasTimesOfDay"]],
  ["SELECT count(*) AS n FROM clocks WHERE clock < '10:00'", ["hasTimesOfDay"]],
  ["SELECT CAST(at AS time) AS t FROM plain", ["hasTimesOfDay"]],
  ["SELECT TIME '10:00' AS t", ["hasTimesOfDay"]],
  ["SELECT * FROM lists", ["hasArrays"]],
  ["SELECT string_to_array(name, ' ') AS a FROM plain", ["hasArrays"]],
  ["SELECT id FROM plain WHERE id IN (SELECT id FROM plain)", ["hasSubqueries"]],
  ["SELECT a.id FROM plain AS a CROSS JOIN LATERAL (SELECT a.id AS i) AS b", ["hasSubqueries"]],
  [
    "SELECT (SELECT count(*) FROM plain AS i WHERE i.id < sum(o.id)) AS n FROM plain AS o",
    ["hasSubqueries", "hasOuterAggregates"],
  ],
  ["SELECT (SELECT max(i.id) FROM plain AS i WHERE i.name = o.name) AS n FROM plain AS o", ["hasSubqueries"]],
  ["SELECT rank() OVER (ORDER BY id) AS r FROM plain", ["hasSpecialValues"]],
  ["SELECT count(DISTINCT id) AS n FROM plain", ["hasSpecialValues"]],
  ["SELECT mode() WITHIN GROUP (ORDER BY id) AS m FROM plain", ["hasSpecialValues"]],
  ["SELECT generate_series(1, id) AS g FROM plain", ["hasSpecialValues"]],
  ["SELECT name = ANY ('{a,b}') AS t FROM plain", ["hasSpecialValues"]],
  ["SELECT name = ANY (tags) AS t FROM plain JOIN lists ON plain.id = lists.id", ["hasArrays", "hasSpecialValues"]],
])("%s", (sql, notes) => {
  const { query, context } = boundStatement(sql, manifest);
  expandModels(query, context, targetOf("postgres"));
  expect(NOTES.filter((note) => context[note])).toEqual(notes);
});
