/**
 * MySQL 9.7 gives wrong groups, wrong DISTINCT rows and a wrong order over a common table that is read twice, if one read compares a column
 * with a value and the other groups, makes distinct or orders by this column. MySQL keeps one temporary table with an index on the column,
 * reads the index instead of sorting, and in memory (`TempTable`) the rows of an index have no order. Seen on 9.7.4; not reported. MariaDB
 * 10.11 is right.
 *
 *     WITH c AS (SELECT 5 AS d UNION ALL SELECT 3 UNION ALL SELECT 5)
 *     SELECT d, count(*) FROM c WHERE NOT EXISTS (SELECT 1 FROM c AS m WHERE m.d = 7) GROUP BY d
 *
 * With `big_tables` the temporary tables of the statement are InnoDB's, whose indexes have an order. A MySQL that answers this statement with
 * two rows needs the setting no more: its row in `test/parity/quirks.ts` fails then.
 */
import type { SessionSetting } from "../../../plan.ts";
import type { BoundCommon, CommonTable, Query } from "../../../syntax/tree.ts";
import { walk } from "../../../syntax/walk.ts";

const ON_DISK: readonly SessionSetting[] = [{ name: "big_tables", value: "1" }];

/** The settings that a lowered statement needs besides those of every statement. */
export function sessionOfSharedTables(query: Query): readonly SessionSetting[] {
  const reads = new Map<string, number>();
  const recursive: CommonTable[] = [];
  walk(query, (node) => {
    if (node.kind === "bound-common") count(reads, node, 1);
    if (node.kind === "query" && node.with?.recursive === true) recursive.push(...node.with.tables);
    return true;
  });
  // A recursive table's reads of itself are of the rows of its last step.
  for (const { name, query: table } of recursive) {
    walk(table, (node) => {
      if (node.kind === "bound-common" && node.table.printedName === name.name) count(reads, node, -1);
      return true;
    });
  }
  return [...reads.values()].some((times) => times > 1) ? ON_DISK : [];
}

function count(reads: Map<string, number>, { table: { printedName } }: BoundCommon, times: number): void {
  reads.set(printedName, (reads.get(printedName) ?? 0) + times);
}
