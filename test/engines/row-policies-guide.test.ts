/** The examples of docs/reference/row-policies.md, by sqlfluff's grammar of each source, and by ClickHouse's own parser. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { customSetting } from "../../src/connectors/clickhouse/settings.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { judgedBy } from "./unexecuted/grammar.ts";
import { hasModule } from "./unexecuted/readers.ts";

const PAGE = readFileSync(new URL("../../docs/reference/row-policies.md", import.meta.url), "utf8");
const EXAMPLES = [...PAGE.matchAll(/<!-- grammar: (\w+) -->\n```sql\n([\s\S]*?)```/g)].map(
  ([, dialect = "", sql = ""]) => ({ dialect, sql }),
);
const SCRIPT = fileURLToPath(new URL("unexecuted/statements.py", import.meta.url));

/** Statements that sqlfluff does not know: the maker's manual alone has them. */
const UNKNOWN: Readonly<Record<string, RegExp>> = {
  redshift: /unparsable section: 'ALTER TABLE shop\.orders ROW LEVEL SECURITY ON;'/,
};

const judge = (dialect: string, texts: readonly string[]): readonly (string | undefined)[] =>
  judgedBy(SCRIPT, (given) => ({ dialect, texts: given }))(texts);

describe.skipIf(!hasModule("sqlfluff"))("sqlfluff", () => {
  test("every source has an example", () => {
    expect(EXAMPLES).toHaveLength(9);
  });

  test.each(EXAMPLES.filter(({ dialect }) => dialect !== "clickhouse"))("$dialect", ({ dialect, sql }) => {
    const [fault] = judge(dialect, [sql]);
    expect(fault ?? "").toMatch(UNKNOWN[dialect] ?? /^$/);
    // It can fail.
    expect(judge(dialect, [sql.replace("CREATE", "CREATE CREATE CREATE")])[0]).toBeDefined();
  });
});

test.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's parser" : WITHOUT_CLICKHOUSE, async () => {
  const database = await startClickHouse();
  const sql =
    EXAMPLES.find(({ dialect }) => dialect === "clickhouse")
      ?.sql.trim()
      .replace(/;$/, "") ?? "";
  expect(await database.query(`EXPLAIN AST ${sql}`)).not.toEqual([]);
  await expect(database.query(`EXPLAIN AST ${sql.replace("USING", "USING USING")}`)).rejects.toThrow(/SYNTAX_ERROR/);
  // The SETTINGS clause that the connector writes is known to the grammar; the engine here has no custom settings.
  const custom = customSetting({ name: "SQL_tenant", value: "o'cid\\", ofCaller: true });
  await expect(database.query(`SELECT 1 AS a UNION ALL SELECT 2\nSETTINGS ${custom}`)).rejects.toThrow(
    /UNKNOWN_SETTING/,
  );
  await database.stop();
});
