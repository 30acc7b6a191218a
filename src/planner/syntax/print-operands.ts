/** Operands that need parentheses for other reasons than precedence. */
import { countStep } from "../plan-budget.ts";
import { LEVEL } from "./precedence.ts";
import type { Printer } from "./printer.ts";
import type { Expression } from "./tree.ts";

export function printInParentheses(printer: Printer, node: Expression): void {
  printer.write("(");
  printer.expression(node);
  printer.write(")");
}

/** Expressions that a subscript may follow without parentheses: names, and subscripts and members of these. */
export function printContainer(printer: Printer, node: Expression): void {
  switch (node.kind) {
    case "column":
    case "bound":
    case "subscript":
    case "slice":
    case "field":
      printer.expression(node);
      break;
    default:
      printInParentheses(printer, node);
  }
}

/**
 * An operand in a position where AND or IN end the expression (`BETWEEN … AND`, `POSITION(… IN …)`). PostgreSQL accepts
 * neither COLLATE nor AT TIME ZONE in that position.
 */
export function printRestricted(printer: Printer, node: Expression): void {
  if (printer.levelOf(node) < LEVEL.operator || showsCollateOrZone(node)) {
    printInParentheses(printer, node);
  } else {
    printer.expression(node);
  }
}

function showsCollateOrZone(node: Expression): boolean {
  countStep();
  let current = node;
  for (;;) {
    switch (current.kind) {
      case "collate":
      case "at-time-zone":
        return true;
      case "unary":
        current = current.operand;
        break;
      case "binary":
        // The right operand contains neither: it is printed in parentheses or binds at least as tightly as COLLATE.
        if (showsCollateOrZone(current.right)) {
          return true;
        }
        current = current.left;
        break;
      default:
        return false;
    }
  }
}

export function isCount(value: Expression): boolean {
  return value.kind === "number" && !value.text.startsWith("-");
}
