/** The statements of the connectors' contract, planned for a source: rows come of crossed digits, which every source has. */
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { SessionSetting } from "../../../src/planner/plan.ts";
import type { ContractStatements } from "../../connectors/contract.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const DIGITS = "(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))";
const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });

/** Division by zero is no error there, but NULL (shared semantics; MySQL's and Doris' manuals of operators). */
const NULL_BY_ZERO: ReadonlySet<PlannedSource> = new Set(["mysql", "doris"]);

/** Their tasks look for an interruption between rows that come in, and a join that makes no row of any never ends. */
const DEAF_IN_JOINS: ReadonlySet<PlannedSource> = new Set(["spark", "databricks"]);

const crossed = (names: readonly string[]): string =>
  names.map((name) => `${DIGITS} AS ${name}(n)`).join(" CROSS JOIN ");

/** The session settings of plans. */
export const contractSession = (source: PlannedSource): readonly SessionSetting[] =>
  planned("SELECT 1 AS n", WITHOUT_TABLES, { source }).session;

export function contractStatements(source: PlannedSource): ContractStatements {
  const own = (sql: string): string => planned(sql, WITHOUT_TABLES, { source }).sql;
  const number = "a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 1";
  // It is met by no row, and only whoever has seen them all knows.
  const many = [..."abcdefghijklmn"];
  return {
    numbers: (count) =>
      own(`SELECT ${number} AS n FROM ${crossed([..."abcde"])} WHERE ${number} <= ${count} ORDER BY n`),
    endless: own(`SELECT a.n FROM ${crossed([..."abcdefg"])}`),
    stuck: DEAF_IN_JOINS.has(source)
      ? "SELECT count(*) AS n FROM range(0, 1000000000000) AS t"
      : own(`SELECT count(*) AS n FROM ${crossed(many)} WHERE ${many.map((name) => `${name}.n`).join(" + ")} < 0`),
    nulls: own("SELECT 1 AS a, 'a' AS b, CAST(NULL AS integer) AS c, CAST(NULL AS text) AS d"),
    syntaxError: "SELECT 1 FROM WHERE",
    unknownTable: "SELECT 1 FROM missing_thing",
    failsWhenRun: own(
      NULL_BY_ZERO.has(source)
        ? "SELECT CAST(s AS integer) AS q FROM (VALUES ('1'), ('x')) AS t(s)"
        : "SELECT 1 / (n - 1) AS q FROM (VALUES (1), (2)) AS t(n)",
    ),
  };
}
