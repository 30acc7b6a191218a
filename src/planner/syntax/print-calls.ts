/** Printers of the input language for calls and their parts: arguments, FILTER, OVER, sort keys, windows. */
import { unsupported } from "../diagnostics.ts";
import { isKeyword, isWord } from "./keywords.ts";
import { isCount, printInParentheses, printRestricted } from "./print-operands.ts";
import type { Printer } from "./printer.ts";
import type { Call, FrameBound, Identifier, SortItem, Window } from "./tree.ts";

/** Functions that are written without parentheses when they have no arguments. */
const NAMELESS = new Set(
  (
    "current_date current_time current_timestamp localtime localtimestamp current_user current_role current_catalog " +
    "current_schema session_user system_user user"
  ).split(" "),
);

/** Prints the whole call; `name` replaces the written name. Dialects use it for calls that differ only in name. */
export function printCall(printer: Printer, node: Call, name?: string): void {
  const only = node.name[0];
  const isUnqualified = node.name.length === 1;
  const said =
    name === undefined && only !== undefined && isUnqualified && !only.quoted
      ? printer.dialect.functions.get(only.name)
      : undefined;
  if (typeof said === "function") {
    said(printer, node);
    return;
  }
  // Lowering makes names with a blank; a dialect without an entry for one does not support it.
  if (name === undefined && said === undefined && only !== undefined && !only.quoted && only.name.includes(" ")) {
    throw unsupported(only.name, node.span);
  }
  const spelling = name ?? said;
  if (spelling !== undefined) {
    printer.write(spelling);
  } else {
    printCallName(printer, node.name);
    const plain = only !== undefined && isUnqualified && !only.quoted && NAMELESS.has(only.name);
    if (plain && node.arguments.length === 0 && !node.star) {
      printTail(printer, node);
      return;
    }
  }
  printer.write("(");
  printArguments(printer, node);
  printer.write(")");
  printTail(printer, node);
}

/** An unquoted function name keeps its spelling; a name that is a keyword of the grammar needs quotes. */
function printCallName(printer: Printer, names: readonly Identifier[]): void {
  names.forEach((name, index) => {
    if (index > 0) {
      printer.write(".");
    }
    const bare = name.quoted
      ? !isKeyword(name.name) && !printer.dialect.needsQuotes(name.name, true)
      : isWord(name.name);
    printer.write(bare ? name.name : printer.quoted(name.name, name.span));
  });
}

/** The arguments between the parentheses of a call. */
function printArguments(printer: Printer, node: Call): void {
  if (node.star) {
    printer.write("*");
    return;
  }
  if (node.distinct) {
    printer.write("DISTINCT ");
  }
  printer.each(node.arguments, (argument) => {
    if (argument.name !== undefined) {
      printer.name(argument.name);
      printer.write(" => ");
    }
    printer.expression(argument.value);
  });
  printer.orderBy(node.orderBy);
  printNullTreatment(printer, node, "inside");
}

function printNullTreatment(printer: Printer, node: Call, place: "inside" | "behind"): void {
  if (node.nulls !== undefined && printer.dialect.nullTreatment === place) {
    printer.write(node.nulls === "ignore" ? " IGNORE NULLS" : " RESPECT NULLS");
  }
}

/** The clauses after the parentheses of a call. */
function printTail(printer: Printer, node: Call): void {
  if (node.withinGroup.length > 0) {
    printer.write(" WITHIN GROUP (");
    printer.orderBy(node.withinGroup, "");
    printer.write(")");
  }
  if (node.filter !== undefined) {
    printer.write(" FILTER (WHERE ");
    printer.expression(node.filter);
    printer.write(")");
  }
  printNullTreatment(printer, node, "behind");
  if (node.over !== undefined) {
    printer.write(" OVER ");
    printer.window(node.over);
  }
}

/** `POSITION(needle IN text)`: the standard has no comma form. */
export function printPosition(printer: Printer, node: Call): void {
  const [needle, text, ...others] = node.arguments;
  if (needle === undefined || text === undefined || others.length > 0) {
    printCall(printer, node, "position");
    return;
  }
  printer.write("position(");
  printRestricted(printer, needle.value);
  printer.write(" IN ");
  printRestricted(printer, text.value);
  printer.write(")");
}

export function printSortItem(printer: Printer, item: SortItem): void {
  printer.expression(item.expression);
  if (item.direction !== undefined) {
    printer.write(item.direction === "asc" ? " ASC" : " DESC");
  }
  if (item.nulls !== undefined) {
    printer.write(item.nulls === "first" ? " NULLS FIRST" : " NULLS LAST");
  }
}

export function printWindow(printer: Printer, window: Window): void {
  if (window.named && window.base !== undefined) {
    printer.name(window.base);
    return;
  }
  let separator = "(";
  const part = (): void => {
    printer.write(separator);
    separator = " ";
  };
  if (window.base !== undefined) {
    part();
    // Without quotes these words begin a clause of the window.
    if (/^(partition|rows|range|groups)$/i.test(window.base.name)) {
      printer.write(printer.quoted(window.base.name, window.base.span));
    } else {
      printer.name(window.base);
    }
  }
  if (window.partitionBy.length > 0) {
    part();
    printer.write("PARTITION BY ");
    printer.expressions(window.partitionBy);
  }
  if (window.orderBy.length > 0) {
    part();
    printer.orderBy(window.orderBy, "");
  }
  if (window.frame !== undefined) {
    part();
    const { unit, start, end, exclude } = window.frame;
    printer.write(end === undefined ? `${unit.toUpperCase()} ` : `${unit.toUpperCase()} BETWEEN `);
    printBound(printer, start);
    if (end !== undefined) {
      printer.write(" AND ");
      printBound(printer, end);
    }
    if (exclude !== undefined) {
      printer.write(` EXCLUDE ${exclude.toUpperCase()}`);
    }
  }
  printer.write(separator === "(" ? "()" : ")");
}

function printBound(printer: Printer, bound: FrameBound): void {
  switch (bound.kind) {
    case "unbounded-preceding":
      printer.write("UNBOUNDED PRECEDING");
      break;
    case "unbounded-following":
      printer.write("UNBOUNDED FOLLOWING");
      break;
    case "current-row":
      printer.write("CURRENT ROW");
      break;
    default:
      // Only literals are printed without parentheses: a column may be called `unbounded`, and an AND would end the
      // bound.
      if (isCount(bound.offset) || bound.offset.kind === "interval" || bound.offset.kind === "typed") {
        printer.expression(bound.offset);
      } else {
        printInParentheses(printer, bound.offset);
      }
      printer.write(bound.kind === "preceding" ? " PRECEDING" : " FOLLOWING");
  }
}
