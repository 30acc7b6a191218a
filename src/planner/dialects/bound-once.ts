/** `BOUND_ONCE` as a scalar subquery over a derived table, for sources without scalar lambdas. */
import { boundOnce } from "../lowering/bound-operands.ts";
import type { Printer } from "../syntax/printer.ts";
import type { Call } from "../syntax/tree.ts";

/**
 * `barrier` is a clause that keeps the source from merging the derived table, which would compute the operand again for each use:
 * `LIMIT 1` on MySQL, `OFFSET 0` on PostgreSQL.
 */
export const boundInDerivedTable =
  (barrier: string) =>
  (printer: Printer, node: Call): void => {
    const { operand, variable, body } = boundOnce(node);
    printer.write("(SELECT ");
    printer.expression(body);
    printer.write(" FROM (SELECT ");
    printer.expression(operand);
    printer.write(" AS ");
    printer.expression(variable);
    printer.write(` ${barrier}) AS `);
    printer.expression(variable);
    printer.write(")");
  };
