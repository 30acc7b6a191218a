/** Printers of the input language for expressions. Other dialects replace single functions of this table. */
import { PlannerError } from "../diagnostics.ts";
import { chains, LEVEL } from "./precedence.ts";
import { printCall, printSortItem, printWindow } from "./print-calls.ts";
import { isCount, printContainer, printInParentheses, printRestricted } from "./print-operands.ts";
import { printSpelled } from "./print-spelled.ts";
import { entryOf, type NodePrinters, type Printer } from "./printer.ts";
import type { Binary, Expression, InList, IntervalLiteral, Quantified, TypeName } from "./tree.ts";

type ExpressionPrinters = Pick<NodePrinters, Expression["kind"] | "sort" | "window" | "type">;

export const EXPRESSION_PRINTERS: ExpressionPrinters = {
  number: (printer, node) => printer.write(node.text),
  string: (printer, node) => printer.string(node.value, node.span),
  boolean: (printer, node) => printer.write(printer.dialect.booleans[node.value ? 1 : 0]),
  null: (printer) => printer.write("NULL"),
  bits: (printer, node) => printer.write(`${node.base === 2 ? "B" : "X"}'${node.digits}'`),
  typed: (printer, node) => {
    printer.type(node.typeName);
    printer.write(" ");
    printer.string(node.value, node.span);
  },
  interval: printInterval,
  column: (printer, node) => {
    printer.path(node.parts);
    if (node.wholeRow === true) printer.write(".*");
  },
  bound: (printer, node) => {
    const { relation, printedName } = node.column;
    printer.exactName(relation.printedAlias, node.span);
    printer.write(".");
    printer.exactName(printedName, node.span);
  },
  spelled: (printer, node) => printSpelled(printer, node),
  session: (printer, node) => printer.write(`@${node.name}`),
  unary: (printer, node) => {
    switch (node.operator) {
      case "not":
        printer.write("NOT ");
        printer.expression(node.operand, node.operand.kind === "exists" ? LEVEL.not : LEVEL.operator);
        break;
      case "~":
        // Printed with a blank: `~-1` would be one operator.
        printer.write("~ ");
        printer.expression(node.operand, LEVEL.atTimeZone);
        break;
      default:
        // In the input language a sign binds tighter than ^, in other dialects looser; two minus signs in a row would
        // begin a comment.
        printer.write(node.operator);
        printer.expression(node.operand, LEVEL.cast);
    }
  },
  binary: printBinary,
  logical: (printer, node) => {
    const level = node.operator === "or" ? LEVEL.or : LEVEL.and;
    const sign = node.operator === "or" ? " OR " : " AND ";
    node.operands.forEach((operand, index) => {
      if (index > 0) {
        printer.write(sign);
      }
      printer.expression(operand, level + 1);
    });
  },
  like: (printer, node) => {
    printer.expression(node.operand, LEVEL.operator);
    const operator = node.operator === "similar" ? "SIMILAR TO" : node.operator === "ilike" ? "ILIKE" : "LIKE";
    printer.write(` ${node.negated ? "NOT " : ""}${operator} `);
    printer.expression(node.pattern, LEVEL.operator);
    if (node.escape !== undefined) {
      printer.write(" ESCAPE ");
      printer.expression(node.escape, LEVEL.operator);
    }
  },
  between: (printer, node) => {
    printer.expression(node.operand, LEVEL.operator);
    printer.write(`${node.negated ? " NOT" : ""} BETWEEN ${node.symmetric ? "SYMMETRIC " : ""}`);
    printRestricted(printer, node.low);
    printer.write(" AND ");
    printer.expression(node.high, LEVEL.operator);
  },
  "in-list": printInList,
  "in-query": (printer, node) => {
    printer.expression(node.operand, LEVEL.operator);
    printer.write(node.negated ? " NOT IN " : " IN ");
    printer.subquery(node.query);
  },
  quantified: printQuantified,
  exists: (printer, node) => {
    printer.write("EXISTS ");
    printer.subquery(node.query);
  },
  is: (printer, node) => {
    printer.expression(node.operand, LEVEL.operator);
    printer.write(` IS ${node.negated ? "NOT " : ""}${node.test.toUpperCase()}`);
  },
  case: (printer, node) => {
    printer.write("CASE");
    if (node.operand !== undefined) {
      printer.write(" ");
      printer.expression(node.operand);
    }
    for (const branch of node.branches) {
      printer.write(" WHEN ");
      printer.expression(branch.when);
      printer.write(" THEN ");
      printer.expression(branch.then);
    }
    if (node.otherwise !== undefined) {
      printer.write(" ELSE ");
      printer.expression(node.otherwise);
    }
    printer.write(" END");
  },
  cast: (printer, node) => {
    printer.write(node.safe ? "TRY_CAST(" : "CAST(");
    printer.expression(node.operand);
    printer.write(" AS ");
    printer.type(node.typeName);
    printer.write(")");
  },
  extract: (printer, node) => {
    printer.write("EXTRACT(");
    if (/^[a-z_]\w*$/.test(node.field)) {
      printer.write(node.field.toUpperCase());
    } else {
      printer.string(node.field, node.span);
    }
    printer.write(" FROM ");
    printer.expression(node.operand);
    printer.write(")");
  },
  call: (printer, node) => printCall(printer, node),
  array: (printer, node) => {
    printer.write("ARRAY[");
    printer.expressions(node.elements);
    printer.write("]");
  },
  "array-query": (printer, node) => {
    printer.write("ARRAY");
    printer.subquery(node.query);
  },
  subscript: (printer, node) => {
    printContainer(printer, node.operand);
    printer.write("[");
    printer.expression(node.index);
    printer.write("]");
  },
  slice: (printer, node) => {
    printContainer(printer, node.operand);
    printer.write("[");
    if (node.from !== undefined) {
      printer.expression(node.from);
    }
    printer.write(":");
    if (node.to !== undefined) {
      printer.expression(node.to);
    }
    printer.write("]");
  },
  field: (printer, node) => {
    if (node.operand.kind === "field" || node.operand.kind === "subscript" || node.operand.kind === "slice") {
      printer.expression(node.operand);
    } else {
      printInParentheses(printer, node.operand);
    }
    printer.write(".");
    printer.name(node.field);
  },
  row: (printer, node) => {
    // A single expression in parentheses is not a row.
    printer.write(node.elements.length < 2 ? "ROW(" : "(");
    printer.expressions(node.elements);
    printer.write(")");
  },
  "scalar-query": (printer, node) => printer.subquery(node.query),
  collate: (printer, node) => {
    printer.expression(node.operand, LEVEL.collate);
    printer.write(" COLLATE ");
    printer.path(node.collation);
  },
  "at-time-zone": (printer, node) => {
    printer.expression(node.operand, LEVEL.atTimeZone);
    printer.write(" AT TIME ZONE ");
    printer.expression(node.zone, LEVEL.collate);
  },
  opaque: (printer, node) => printer.sourceText(node),
  sort: printSortItem,
  window: printWindow,
  type: printType,
};

function printBinary(printer: Printer, node: Binary): void {
  const said = printer.dialect.operators[node.operator];
  if (typeof said === "function") {
    said(printer, node);
    return;
  }
  const levels = printer.operatorLevels(node.operator);
  const { left } = node;
  const chained =
    left.kind === "binary" &&
    chains(left.operator, node.operator) &&
    printer.operatorLevels(left.operator).self === levels.self;
  printer.expression(left, chained ? levels.self : levels.left);
  printer.write(` ${said ?? node.operator.toUpperCase()} `);
  printer.expression(node.right, levels.right);
}

function printInList(printer: Printer, node: InList): void {
  const [only, ...others] = node.list;
  printer.expression(node.operand, LEVEL.operator);
  if (only?.kind === "scalar-query" && others.length === 0) {
    // `IN ((SELECT …))` would compare with the query's rows; this list holds one value.
    printer.write(node.negated ? " <> " : " = ");
    printer.expression(only);
    return;
  }
  printer.write(node.negated ? " NOT IN (" : " IN (");
  printer.expressions(node.list);
  printer.write(")");
}

function printQuantified(printer: Printer, node: Quantified): void {
  printer.expression(node.operand, LEVEL.operator);
  printer.write(` ${node.operator.toUpperCase()} ${node.quantifier.toUpperCase()} `);
  if (node.query !== undefined) {
    printer.subquery(node.query);
  } else if (node.array === undefined || node.array.kind === "scalar-query") {
    // `ANY ((SELECT …))` would compare with the query's rows, not with the array in its single row.
    throw new PlannerError("INVALID_QUERY", "a subquery that returns an array is not allowed under ANY or ALL", {
      span: node.span,
      hint: "Select the elements instead: ANY (SELECT unnest(…)).",
    });
  } else {
    printInParentheses(printer, node.array);
  }
}

function printInterval(printer: Printer, node: IntervalLiteral): void {
  printer.write("INTERVAL ");
  const { value, unit, toUnit } = node;
  const bare =
    value.kind === "string" ? unit === undefined || isPlainCount(value.value) || isStandard(unit) : isCount(value);
  if (bare) {
    printer.expression(value);
  } else {
    printInParentheses(printer, value);
  }
  if (unit !== undefined) {
    printer.write(` ${unit.toUpperCase()}`);
  }
  if (toUnit !== undefined) {
    printer.write(` TO ${toUnit.toUpperCase()}`);
  }
}

/** Units that PostgreSQL lacks are read as units only after a bare number. */
function isPlainCount(text: string): boolean {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text);
}

function isStandard(unit: string): boolean {
  return /^(year|month|day|hour|minute|second)$/.test(unit);
}

function printType(printer: Printer, type: TypeName): void {
  const said = entryOf(printer.dialect.types, type.name);
  if (typeof said === "function") {
    said(printer, type);
    return;
  }
  const spelling = said ?? type.name.toUpperCase();
  // Parameters follow the first word of a type with a zone: TIMESTAMP(3) WITH TIME ZONE.
  const zone = spelling.includes(" ") ? spelling.search(/ WITH(OUT)? /) : -1;
  const head = zone < 0 ? spelling : spelling.slice(0, zone);
  printer.write(head);
  if (type.parameters.length > 0) {
    printer.write(`(${type.parameters.join(", ")})`);
  }
  if (zone >= 0) {
    printer.write(spelling.slice(zone));
  }
  if (type.members.length > 0) {
    printer.write("<");
    printer.each(type.members, (member) => {
      if (member.name !== undefined) {
        printer.name(member.name);
        printer.write(" ");
      }
      printer.type(member.type);
    });
    printer.write(">");
  }
  printer.write("[]".repeat(type.dimensions));
}
