/** Prints LATERAL as APPLY, after `lowering/queries/applied-tables.ts` has put it behind a join without a condition. */
import { QUERY_PRINTERS } from "./print-queries.ts";
import type { NodePrinters } from "./printer.ts";

export const APPLY_PRINTERS: Pick<NodePrinters, "derived" | "join"> = {
  derived: (printer, node) => QUERY_PRINTERS.derived(printer, { ...node, lateral: false }),
  join: (printer, node) => {
    if (node.right.kind !== "derived" || !node.right.lateral) {
      QUERY_PRINTERS.join(printer, node);
      return;
    }
    printer.table(node.left);
    printer.write(node.join === "left" ? " OUTER APPLY " : " CROSS APPLY ");
    printer.table(node.right);
  },
};
