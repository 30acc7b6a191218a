/** Printers of the input language for queries. Other dialects replace single functions of this table. */
import { exactName } from "./build.ts";
import { LEVEL } from "./precedence.ts";
import type { NodePrinters, Printable, Printer } from "./printer.ts";
import type {
  GroupingElement,
  Join,
  NamedTable,
  PhysicalTable,
  Query,
  QueryBody,
  Select,
  SetOperation,
  TableAlias,
  TableExpression,
} from "./tree.ts";

type QueryPrinters = Pick<
  NodePrinters,
  QueryBody["kind"] | TableExpression["kind"] | "query" | "item" | "star" | "with" | "limit" | "alias" | "grouping"
>;

export const QUERY_PRINTERS: QueryPrinters = {
  query: (printer, node) => {
    if (node.with !== undefined) {
      printer.dispatch("with", node.with);
      printer.write(" ");
    }
    printer.body(node.body);
    printer.orderBy(node.orderBy);
    printer.dispatch("limit", node);
  },
  with: (printer, node) => {
    printer.write(node.recursive ? "WITH RECURSIVE " : "WITH ");
    printer.each(node.tables, (table) => {
      printer.name(table.name);
      if (table.columns.length > 0) {
        printer.nameList(table.columns);
      }
      printer.write(" AS ");
      if (table.materialized !== undefined) {
        printer.write(table.materialized ? "MATERIALIZED " : "NOT MATERIALIZED ");
      }
      printer.subquery(table.query);
    });
  },
  limit: printLimit,
  select: printSelect,
  set: printSetOperation,
  values: (printer, node) => {
    printer.write("VALUES ");
    printer.each(node.rows, (row) => {
      printer.write("(");
      printer.expressions(row);
      printer.write(")");
    });
  },
  nested: (printer, node) => printer.subquery(node.query),
  item: (printer, node) => {
    printer.expression(node.expression);
    if (node.alias !== undefined) {
      printer.write(" AS ");
      printer.name(node.alias);
    }
  },
  star: (printer, node) => {
    for (const name of node.qualifier) {
      printer.name(name);
      printer.write(".");
    }
    printer.write("*");
    if (node.except.length > 0) {
      printer.write(" EXCEPT ");
      printer.nameList(node.except);
    }
    if (node.replace.length > 0) {
      printer.write(" REPLACE (");
      printer.each(node.replace, ({ expression, name }) => {
        printer.expression(expression);
        printer.write(" AS ");
        printer.name(name);
      });
      printer.write(")");
    }
    if (node.rename.length > 0) {
      printer.write(" RENAME (");
      printer.each(node.rename, ({ from, to }) => {
        printer.name(from);
        printer.write(" AS ");
        printer.name(to);
      });
      printer.write(")");
    }
  },
  grouping: printGrouping,
  table: printTable,
  "physical-table": printTable,
  "bound-common": (printer, node) => {
    printer.name(exactName(node.table.printedName, node.span));
    printAlias(printer, node.alias);
  },
  "bound-model": (_, { relation }) => {
    throw new TypeError(`the model behind "${relation.printedAlias}" has no rows before it is lowered`);
  },
  ruled: (_, { model }) => {
    throw new TypeError(`the rules of "${model}" were not applied`);
  },
  derived: (printer, node) => {
    printer.write(node.lateral ? "LATERAL " : "");
    printer.subquery(node.query);
    printAlias(printer, node.alias);
  },
  function: (printer, node) => {
    printer.write(node.lateral ? "LATERAL " : "");
    printer.expression(node.call);
    printer.write(node.ordinality ? " WITH ORDINALITY" : "");
    printAlias(printer, node.alias);
  },
  join: printJoin,
  "aliased-join": (printer, node) => {
    printer.write("(");
    printer.table(node.join);
    printer.write(")");
    printAlias(printer, node.alias);
  },
  "opaque-table": (printer, node) => {
    printer.sourceText(node);
    printAlias(printer, node.alias);
  },
  alias: (printer, node) => {
    printer.write(" AS ");
    printer.name(node.name);
    if (node.columns.length > 0) {
      printer.nameList(node.columns);
    }
  },
};

function printTable(printer: Printer, node: NamedTable | PhysicalTable): void {
  printer.path(node.name);
  printAlias(printer, node.alias);
}

function printAlias(printer: Printer, alias: TableAlias | undefined): void {
  if (alias !== undefined) {
    printer.dispatch("alias", alias);
  }
}

function printLimit(printer: Printer, node: Query): void {
  const { limit, offset } = node;
  if (limit !== undefined && !limit.withTies) {
    printer.write(" LIMIT ");
    printer.expression(limit.count);
  }
  if (offset !== undefined) {
    printer.write(" OFFSET ");
    printer.expression(offset);
  }
  if (limit?.withTies) {
    printer.write(" FETCH FIRST ");
    printer.expression(limit.count, LEVEL.primary);
    printer.write(" ROWS WITH TIES");
  }
}

function printSelect(printer: Printer, node: Select): void {
  printer.write("SELECT ");
  if (node.distinct !== undefined) {
    printer.write("DISTINCT ");
    if (node.distinct.length > 0) {
      printer.write("ON (");
      printer.expressions(node.distinct);
      printer.write(") ");
    }
  }
  if (node.top !== undefined) {
    printer.write("TOP (");
    printer.expression(node.top);
    printer.write(") ");
  }
  printer.each(node.items, (item) => printer.item(item));
  if (node.from.length > 0) {
    printer.write(" FROM ");
    printer.each(node.from, (table) => printer.table(table));
  }
  if (node.where !== undefined) {
    printer.write(" WHERE ");
    printer.expression(node.where);
  }
  if (node.groupBy !== undefined) {
    printer.write(" GROUP BY ");
    printer.each(node.groupBy, (element) => printer.dispatch("grouping", element));
  }
  if (node.having !== undefined) {
    printer.write(" HAVING ");
    printer.expression(node.having);
  }
  if (node.windows.length > 0) {
    printer.write(" WINDOW ");
    printer.each(node.windows, ({ name, window }) => {
      printer.name(name);
      printer.write(" AS ");
      printer.window(window);
    });
  }
  if (node.qualify !== undefined) {
    printer.write(" QUALIFY ");
    printer.expression(node.qualify);
  }
}

/**
 * Set operations from left to right. INTERSECT binds tighter in the standard but not on every source: only a plain
 * chain of one kind is printed without parentheses.
 */
function printSetOperation(printer: Printer, node: SetOperation): void {
  operand(printer, node.left, node.left.kind === "set" && bindsAlike(node.left, node));
  printer.write(` ${node.operator.toUpperCase()}${node.all ? " ALL" : ""} `);
  operand(printer, node.right, false);
}

function bindsAlike(left: SetOperation, node: SetOperation): boolean {
  return (left.operator === "intersect") === (node.operator === "intersect");
}

function operand(printer: Printer, node: QueryBody, chained: boolean): void {
  if (node.kind === "set" && !chained) {
    printer.write("(");
    printer.body(node);
    printer.write(")");
  } else {
    printer.body(node);
  }
}

function printGrouping(printer: Printer, element: Printable["grouping"]): void {
  switch (element.kind) {
    case "expression":
      printKey(printer, element);
      break;
    case "empty":
      printer.write("()");
      break;
    case "keys":
      printer.write("(");
      printer.expressions(element.expressions);
      printer.write(")");
      break;
    case "sets":
      printer.write("GROUPING SETS (");
      printer.each(element.elements, (inner) => {
        if (inner.kind === "expression") {
          printer.write("(");
          printKey(printer, inner);
          printer.write(")");
        } else {
          printer.dispatch("grouping", inner);
        }
      });
      printer.write(")");
      break;
    case "rollup":
    case "cube":
      printer.write(element.kind === "rollup" ? "ROLLUP (" : "CUBE (");
      printer.each(element.elements, (inner) => printer.dispatch("grouping", inner));
      printer.write(")");
      break;
    default:
      element satisfies never;
  }
}

/** A row as a key needs its word: `GROUP BY (a, b)` groups by two keys. */
function printKey(printer: Printer, element: GroupingElement & { readonly kind: "expression" }): void {
  const { expression } = element;
  if (expression.kind === "row") {
    printer.write("ROW(");
    printer.expressions(expression.elements);
    printer.write(")");
  } else {
    printer.expression(expression);
  }
}

const JOIN_WORDS = { inner: "JOIN", left: "LEFT JOIN", right: "RIGHT JOIN", full: "FULL JOIN", cross: "CROSS JOIN" };

function printJoin(printer: Printer, node: Join): void {
  const { left, right, join, natural, on, using } = node;
  printer.table(left);
  // An inner join without a condition can only be written as a cross join.
  const bare = on === undefined && using.length === 0 && !natural;
  printer.write(` ${natural ? "NATURAL " : ""}${JOIN_WORDS[bare && join === "inner" ? "cross" : join]} `);
  if (right.kind === "join") {
    printer.write("(");
    printer.table(right);
    printer.write(")");
  } else {
    printer.table(right);
  }
  if (on !== undefined) {
    printer.write(" ON ");
    printer.expression(on);
  } else if (using.length > 0) {
    printer.write(" USING ");
    printer.nameList(using);
  } else if (bare && join !== "inner" && join !== "cross") {
    printer.write(` ON ${printer.dialect.booleans[1]}`);
  }
}
