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
import type { Query } from "../../../syntax/tree.ts";
import { walk } from "../../../syntax/walk.ts";

const ON_DISK: readonly SessionSetting[] = [{ name: "big_tables", value: "1" }];

/** The settings that a lowered statement needs besides those of every statement. */
export function sessionOfSharedTables(query: Query): readonly SessionSetting[] {
  const reads = readsByName(query);
  walk(query, (node) => {
    if (node.kind !== "query" || node.with?.recursive !== true) return true;
    // A recursive table's reads of itself are of the rows of its last step.
    for (const table of node.with.tables) {
      const { name } = table.name;
      reads.set(name, (reads.get(name) ?? 0) - (readsByName(table.query).get(name) ?? 0));
    }
    return true;
  });
  return [...reads.values()].some((count) => count > 1) ? ON_DISK : [];
}

function readsByName(query: Query): Map<string, number> {
  const reads = new Map<string, number>();
  walk(query, (node) => {
    if (node.kind === "bound-common") reads.set(node.table.printedName, (reads.get(node.table.printedName) ?? 0) + 1);
    return true;
  });
  return reads;
}
