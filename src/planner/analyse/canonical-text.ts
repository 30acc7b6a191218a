/**
 * Expressions in the form that clients of the analysis compare: every operator between parentheses
 * (docs/spec/contract.md#analysis-of-sql).
 */
import { defineDialect, INPUT_LANGUAGE } from "../dialects/input.ts";
import { type Printer, printExpression } from "../syntax/printer.ts";
import type { Expression, Identifier } from "../syntax/tree.ts";

/** The text around the operands; they bring their own parentheses, so that none depend on precedence. */
function inParentheses(printer: Printer, write: () => void): void {
  printer.write("(");
  write();
  printer.write(")");
}

const CANONICAL = defineDialect({
  name: "analysis",
  booleans: ["false", "true"],
  needsQuotes: (_name, wasQuoted) => wasQuoted,
  functions: { if: "IF" },
  printers: {
    null: (printer) => printer.write("null"),
    unary: (printer, { operator, operand }) => {
      if (operator === "not") {
        inParentheses(printer, () => {
          printer.write("NOT ");
          printer.expression(operand);
        });
        return;
      }
      const doubled = operand.kind === "unary" && operand.operator === operator;
      printer.write(doubled ? `${operator} ` : operator);
      printer.expression(operand);
    },
    binary: (printer, { operator, left, right }) =>
      inParentheses(printer, () => {
        printer.expression(left);
        printer.write(` ${operator.toUpperCase()} `);
        printer.expression(right);
      }),
    logical: (printer, { operator, operands }) => {
      printer.write("(".repeat(operands.length - 1));
      operands.forEach((operand, index) => {
        if (index > 0) printer.write(` ${operator.toUpperCase()} `);
        printer.expression(operand);
        if (index > 0) printer.write(")");
      });
    },
    like: (printer, { operator, negated, operand, pattern, escape }) =>
      inParentheses(printer, () => {
        printer.expression(operand);
        printer.write(`${negated ? " NOT" : ""} ${operator === "similar" ? "SIMILAR TO" : operator.toUpperCase()} `);
        printer.expression(pattern);
        if (escape !== undefined) {
          printer.write(" ESCAPE ");
          printer.expression(escape);
        }
      }),
    between: (printer, { negated, symmetric, operand, low, high }) =>
      inParentheses(printer, () => {
        printer.expression(operand);
        printer.write(`${negated ? " NOT" : ""} BETWEEN ${symmetric ? "SYMMETRIC " : ""}`);
        printer.expression(low);
        printer.write(" AND ");
        printer.expression(high);
      }),
    "in-list": (printer, { negated, operand, list }) =>
      inParentheses(printer, () => {
        printer.expression(operand);
        printer.write(negated ? " NOT IN (" : " IN (");
        printer.expressions(list);
        printer.write(")");
      }),
    "in-query": (printer, { negated, operand, query }) =>
      inParentheses(printer, () => {
        printer.expression(operand);
        printer.write(negated ? " NOT IN " : " IN ");
        printer.subquery(query);
      }),
    quantified: (printer, { operator, quantifier, operand, query, array }) =>
      inParentheses(printer, () => {
        printer.expression(operand);
        printer.write(` ${operator} ${quantifier.toUpperCase()} `);
        if (query !== undefined) printer.subquery(query);
        else if (array !== undefined) inParentheses(printer, () => printer.expression(array));
      }),
    exists: (printer, { query }) =>
      inParentheses(printer, () => {
        printer.write("EXISTS ");
        printer.subquery(query);
      }),
    is: (printer, { negated, operand, test }) =>
      inParentheses(printer, () => {
        printer.expression(operand);
        printer.write(` IS ${negated ? "NOT " : ""}${test.toUpperCase()}`);
      }),
    case: (printer, node) => inParentheses(printer, () => INPUT_LANGUAGE.printers.case(printer, node)),
    collate: (printer, { operand, collation }) => {
      printer.expression(operand);
      printer.write(" COLLATE ");
      printer.path(collation);
    },
    "at-time-zone": (printer, { operand, zone }) => {
      printer.expression(operand);
      printer.write(" AT TIME ZONE ");
      printer.expression(zone);
    },
  },
});

/** @throws PlannerError LIMIT_DEPTH, UNSUPPORTED_ON_SOURCE */
export function canonicalText(expression: Expression): string {
  return printExpression(expression, CANONICAL);
}

/** `c.custkey`, quoted where it was written so. */
export function writtenPath(parts: readonly Identifier[]): string {
  return parts.map(({ name, quoted }) => (quoted ? `"${name.replaceAll('"', '""')}"` : name)).join(".");
}
