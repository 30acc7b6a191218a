/** How Spark is written. */

import { unsupported } from "../../diagnostics.ts";
import { NUMBER_AS_IT_COMES } from "../../expand/fence.ts";
import { intervalParts } from "../../intervals.ts";
import { BOUND_ONCE, boundOnce } from "../../lowering/bound-operands.ts";
import { LONG_NUMERIC } from "../../lowering/numbers/long-decimals.ts";
import { rowsOfReals } from "../../lowering/numbers/reals.ts";
import { namesItself } from "../../lowering/queries/declared-recursion.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { integer } from "../../syntax/build.ts";
import { COMPARISON_OPERATORS } from "../../syntax/comparisons.ts";
import { LEVEL, type OperatorLevels } from "../../syntax/precedence.ts";
import { EXPRESSION_PRINTERS } from "../../syntax/print-expressions.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import { type Printer, printExpression } from "../../syntax/printer.ts";
import type { Call, Expression, GroupingElement, Query, SortItem } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { defineTargetDialect } from "../input.ts";
import { shiftOf } from "../printers.ts";
import { SORTED } from "./aggregates.ts";
import { JAVA_TEXT } from "./casts.ts";
import { MEMBER } from "./json.ts";
import { SPARK_LEXICAL } from "./lexical.ts";
import { NUMBERED } from "./table-functions.ts";

/** Comparisons bind alike, from left to right, and IS, LIKE and IN as they do. */
const COMPARISON: OperatorLevels = { self: LEVEL.comparison, left: LEVEL.operator, right: LEVEL.operator };

export const SPARK_PRINT = defineTargetDialect({
  name: "spark",
  lexical: SPARK_LEXICAL,
  operators: { "//": "DIV", "#": "^" },
  levels: {
    ...Object.fromEntries(
      [...COMPARISON_OPERATORS, "is distinct from", "is not distinct from"].map((operator) => [operator, COMPARISON]),
    ),
    // The grammar takes no comparison as an operand of a condition.
    exists: { self: LEVEL.not, left: LEVEL.not, right: LEVEL.not },
  },
  types: typeSpellings(
    ["boolean smallint bigint date"],
    {
      integer: "INT",
      numeric: "DECIMAL",
      real: "FLOAT",
      "double precision": "DOUBLE",
      text: "STRING",
      varchar: "STRING",
      char: UNSUPPORTED.castToLength,
      bytea: "BINARY",
      uuid: "STRING",
      json: "STRING",
      jsonb: "STRING",
      interval: UNSUPPORTED.intervals,
      time: UNSUPPORTED.times,
      "time with time zone": UNSUPPORTED.times,
      timestamp: (printer) => printer.write("TIMESTAMP_NTZ"),
      "timestamp with time zone": (printer) => printer.write("TIMESTAMP_LTZ"),
    },
    { [LONG_NUMERIC]: "DECIMAL(38, 18)" },
  ),
  functions: {
    [BOUND_ONCE]: printBoundOnce,
    date_add: shifted,
    datediff: "datediff",
    fail: "raise_error",
    [JAVA_TEXT]: (printer, { arguments: [value] }) => {
      printer.write("CAST(");
      if (value !== undefined) printer.expression(value.value);
      printer.write(" AS STRING)");
    },
    starts_with: "startswith",
    strpos: "instr",
    cardinality: "size",
    contains: "array_contains",
    element_at: "try_element_at",
    split: (printer, { arguments: [value, separator] }) => {
      if (separator?.value.kind !== "string") throw new TypeError("a text is split at a literal");
      const pattern = separator.value.value.replace(/[^\p{L}\p{N}_ ]/gu, "\\$&");
      parted(printer, value?.value, pattern);
    },
    regexp_split: (printer, { arguments: [value, pattern] }) => {
      if (pattern?.value.kind !== "string") throw new TypeError("a text is split by a literal pattern");
      parted(printer, value?.value, pattern.value.value);
    },
    regexp_extract: (printer, node) => {
      const [value, pattern, group] = node.arguments;
      // Without a match it is an empty text there, and `regexp_substr` knows no match that is one.
      called(printer, "CASE WHEN regexp_like(", [value, pattern]);
      called(printer, " THEN regexp_extract(", node.arguments, group === undefined ? ", 0" : "");
      printer.write(" END");
    },
    regexp_extract_all: (printer, node) => {
      called(printer, "regexp_extract_all(", node.arguments, node.arguments.length < 3 ? ", 0" : "");
    },
    sequence: (printer, { arguments: [from, to, step] }) => {
      called(printer, "sequence(", [from, to], ", ", () => {
        if (step?.value.kind === "interval") interval(printer, step.value);
        else if (step !== undefined) printer.expression(step.value);
      });
    },
    [MEMBER]: (_, { span }) => {
      throw unsupported("a member of json as a value", span, "Ask for its text: j ->> 'key'.");
    },
    "last member": (printer, { arguments: [document, schema, steps] }) => {
      if (steps?.value.kind !== "string") throw new TypeError("a member of json has a path");
      const accessors = (JSON.parse(steps.value.value) as readonly (string | number)[]).toReversed();
      for (const each of accessors) printer.write(typeof each === "number" ? "get(" : "");
      called(printer, "from_json(", [document, schema]);
      for (const each of accessors.toReversed()) {
        printer.write(
          typeof each === "number" ? `, ${each})` : `.${printer.quoted(each, document?.value.span ?? NOWHERE)}`,
        );
      }
    },
    [NUMBER_AS_IT_COMES]: "monotonically_increasing_id",
    "rows side by side": (printer, { arguments: list }) => called(printer, "inline(arrays_zip(", list, ")"),
    [NUMBERED]: (printer, { arguments: list }) => {
      called(printer, "inline(transform(", list, ", (_x, _i) -> named_struct('v', _x, 'n', _i + 1L))");
    },
    sortable: (printer, { arguments: [value, ...keys] }) => {
      printer.write("named_struct('v', ");
      if (value !== undefined) printer.expression(value.value);
      keys.forEach((key, index) => {
        printer.write(`, 'k${index}', `);
        printer.expression(key.value);
      });
      printer.write(")");
    },
    [SORTED]: sorted,
  },
  printers: {
    // Whether it is kept is for the optimizer. Only Databricks has tables that name themselves, and Spark 4.0 not even the word.
    with: (printer, node) => {
      const tables = node.tables.map((table) => ({ ...table, materialized: undefined }));
      QUERY_PRINTERS.with(printer, { ...node, recursive: node.recursive && tables.some(namesItself), tables });
    },
    query: (printer, node) => {
      QUERY_PRINTERS.query(printer, { ...node, orderBy: node.orderBy.map((item) => byPosition(item, node, printer)) });
    },
    values: (printer, node) => QUERY_PRINTERS.values(printer, { ...node, rows: rowsOfReals(node.rows) }),
    typed: (printer, { value, type, span, typeName }) => {
      const isZoned = type?.kind === "timestamp" && type.zoned;
      const name = type?.kind === "timestamp" ? `TIMESTAMP_${isZoned ? "L" : "N"}TZ` : typeName.name.toUpperCase();
      printer.write(`${name} `);
      printer.string(isZoned ? `${value}+00:00` : value, span);
    },
    interval,
    bits: (printer, { digits }) => printer.write(`X'${digits}'`),
    array: (printer, { elements }) => {
      printer.write("array(");
      printer.expressions(elements);
      printer.write(")");
    },
    type: (printer, node) => {
      if (node.dimensions === 0) return EXPRESSION_PRINTERS.type(printer, node);
      printer.write("ARRAY<");
      printer.type({ ...node, dimensions: node.dimensions - 1 });
      printer.write(">");
    },
    row: (printer, { elements }) => {
      printer.write("(");
      printer.expressions(elements);
      printer.write(")");
    },
    grouping: (printer, element: GroupingElement) => {
      if (element.kind === "empty") printer.write("GROUPING SETS (())");
      else QUERY_PRINTERS.grouping(printer, element);
    },
  },
});

/** It finds what a subquery in ORDER BY names only where the columns have the subquery, too, and not by itself. */
function byPosition(item: SortItem, { body }: Query, { dialect }: Printer): SortItem {
  if (body.kind !== "select" || item.expression.kind === "bound" || item.expression.kind === "number") return item;
  const key = printExpression(item.expression, dialect);
  const index = body.items.findIndex(
    (each) => each.kind === "item" && printExpression(each.expression, dialect) === key,
  );
  return index < 0 ? item : { ...item, expression: integer(index + 1, item) };
}

const NOWHERE = { start: 0, end: 0 };

function called(
  printer: Printer,
  start: string,
  list: readonly (Call["arguments"][number] | undefined)[],
  rest = "",
  last?: () => void,
): void {
  printer.write(start);
  printer.expressions(list.flatMap((each) => (each === undefined ? [] : [each.value])));
  printer.write(rest);
  last?.();
  printer.write(")");
}

/** An empty part at the end counts too. */
function parted(printer: Printer, value: Expression | undefined, pattern: string): void {
  printer.write("split(");
  if (value !== undefined) printer.expression(value);
  printer.write(", ");
  printer.string(pattern);
  printer.write(", -1)");
}

/** `date_add(d, n)` of a day and days, and otherwise `timestampadd(UNIT, n, x)`. */
function shifted(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  if (unit === "day" && typeOrUnknown(node).kind === "date") {
    printer.write("date_add(");
    printer.expression(base);
    printer.write(typeOrUnknown(value).kind === "integer" && isWide(value) ? ", CAST(" : ", ");
    printer.expression(value);
    printer.write(isWide(value) ? " AS INT))" : ")");
    return;
  }
  printer.write(`timestampadd(${unit.toUpperCase()}, `);
  printer.expression(value);
  printer.write(", ");
  printer.expression(base);
  printer.write(")");
}

const isWide = ({ type }: Expression): boolean => type?.kind === "integer" && type.bits === 64;

/** Months are an interval of another type than days and seconds, and each has its words. */
function interval(printer: Printer, node: Expression & { readonly kind: "interval" }): void {
  const parts = intervalParts(node);
  if (parts === undefined) throw unsupported(UNSUPPORTED.intervals.refused, node.span, UNSUPPORTED.intervals.hint);
  const { months, days, microseconds } = parts;
  if (months !== 0) {
    if (days !== 0 || microseconds !== 0n) throw unsupported("an interval of months and days", node.span);
    printer.write(`INTERVAL '${months}' MONTH`);
    return;
  }
  const total = BigInt(days) * 86_400_000_000n + microseconds;
  const size = total < 0n ? -total : total;
  const seconds = `${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, "0")}`;
  if (days !== 0 && microseconds === 0n) printer.write(`INTERVAL '${days}' DAY`);
  else printer.write(`INTERVAL '${total < 0n ? "-" : ""}${seconds}' SECOND`);
}

/** By a comparison of two members of the list: those that come first are less. */
function sorted(printer: Printer, { arguments: [list, what, order] }: Call): void {
  if (list === undefined || what?.value.kind !== "string" || order?.value.kind !== "string") {
    throw new TypeError("values are sorted in a written order");
  }
  const isPlain = what.value.value === "value";
  const branches = order.value.value.split(",").flatMap((each, index) => {
    const [direction, place] = each.split(" ");
    const [left, right] = isPlain ? ["_l", "_r"] : [`_l.k${index}`, `_r.k${index}`];
    const [less, more] = direction === "desc" ? [">", "<"] : ["<", ">"];
    const [first, last] = place === "first" ? [-1, 1] : [1, -1];
    return [
      `WHEN ${left} IS NULL AND ${right} IS NOT NULL THEN ${first} WHEN ${left} IS NOT NULL AND ${right} IS NULL THEN ${last}`,
      `WHEN ${left} ${less} ${right} THEN -1 WHEN ${left} ${more} ${right} THEN 1`,
    ];
  });
  printer.write("array_sort(");
  printer.expression(list.value);
  printer.write(`, (_l, _r) -> CASE ${branches.join(" ")} ELSE 0 END)${isPlain ? "" : ".v"}`);
}

/** `transform(array(operand), _once1 -> body)[0]` */
function printBoundOnce(printer: Printer, node: Call): void {
  const { operand, variable, body } = boundOnce(node);
  printer.write("transform(array(");
  printer.expression(operand);
  printer.write("), ");
  printer.expression(variable);
  printer.write(" -> ");
  printer.expression(body);
  printer.write(")[0]");
}
