/**
 * Windows without keys: beside one, MariaDB gives other windows of the SELECT wrong values. Of
 * `SELECT x, sum(x) OVER (), sum(x) OVER (ORDER BY x), sum(x) OVER (PARTITION BY y) FROM t` the last is `x` alone. Seen on MariaDB
 * 10.11.18; not reported. The key that is written is the same for all rows, and MariaDB does not know it.
 */
import { printWindow } from "../../../syntax/print-calls.ts";
import type { Printer } from "../../../syntax/printer.ts";
import type { Window } from "../../../syntax/tree.ts";

export function printKeyedWindow(printer: Printer, node: Window): void {
  const { base, partitionBy, orderBy, frame } = node;
  const isBare = base === undefined && frame === undefined && partitionBy.length + orderBy.length === 0;
  if (isBare) printer.write("(/*M! PARTITION BY RAND() < 0 */)");
  else printWindow(printer, node);
}
