/** Prints ClickHouse SQL (https://clickhouse.com/docs/sql-reference). Function names are case-sensitive. */
import { unsupported } from "../../diagnostics.ts";
import { COPY_OF_VALUE } from "../../expand/fence.ts";
import { BOUND_ONCE, boundOnce, isLarge } from "../../lowering/bound-operands.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { exactName } from "../../syntax/build.ts";
import { printCall } from "../../syntax/print-calls.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import type { NodePrinter, Printer } from "../../syntax/printer.ts";
import type { Call, Expression, QueryBody, SetOperation } from "../../syntax/tree.ts";
import type { SyntaxNode } from "../../syntax/walk.ts";
import { defineTargetDialect } from "../input.ts";
import { CAPITALS } from "./capitals.ts";
import { JSON_SPELLINGS } from "./json-spellings.ts";
import { CLICKHOUSE_LEXICAL } from "./lexical.ts";
import { SPELLINGS } from "./spellings.ts";

function written(printer: Printer, head: string, parts: readonly (Expression | undefined)[], tail = ")"): void {
  printer.write(head);
  parts.forEach((part, index) => {
    if (index > 0) printer.write(", ");
    if (part !== undefined) printer.expression(part);
  });
  printer.write(tail);
}

/**
 * A text in which `$1` is the first argument. A large argument that occurs more than once is bound by a lambda, unless the text
 * contains other lambdas: they may evaluate it for some rows only, or contain expressions that a lambda cannot.
 */
const template = (text: string): NodePrinter<"call"> => {
  const pieces = text.split(/(\$\d)/);
  const repeated = [...new Set(pieces.filter((piece, at) => /^\$\d$/.test(piece) && pieces.indexOf(piece) !== at))];
  return (printer, { arguments: parts }) => {
    const argument = (piece: string): Expression | undefined =>
      /^\$\d$/.test(piece) ? parts[Number(piece.slice(1)) - 1]?.value : undefined;
    const isBound = (piece: string): boolean => {
      const value = argument(piece);
      return value !== undefined && isLarge(value, repeatsItsParts);
    };
    const isWritten = (piece: string): boolean => repeated.includes(piece) || isConstant(argument(piece));
    const bound = pieces.every(isWritten) ? repeated.filter(isBound) : [];
    const names = bound.map((piece) => `_part${piece.slice(1)}`);
    if (bound.length > 0) printer.write(`arrayMap((${names.join(", ")}) -> `);
    for (const piece of pieces) {
      const value = argument(piece);
      const name = names[bound.indexOf(piece)];
      if (name !== undefined) printer.write(name);
      else if (value === undefined) printer.write(piece);
      else printer.expression(value);
    }
    if (bound.length > 0) {
      for (const piece of bound) written(printer, ", [", [argument(piece)], "]");
      printer.write(")[1]");
    }
  };
};

const isConstant = (value: Expression | undefined): boolean =>
  value === undefined || value.kind === "number" || value.kind === "string";

const repeatsItsParts = (node: SyntaxNode): boolean => node.kind === "call" && REPEATING.has(node.name[0]?.name ?? "");

const REPEATING: ReadonlySet<string> = new Set([
  "within digits",
  ...Object.entries({ ...SPELLINGS, ...JSON_SPELLINGS, ...CAPITALS }).flatMap(([name, text]) =>
    /(\$\d).*\1/s.test(text) ? [name] : [],
  ),
]);

const BITS = [8, 16, 32, 64];

/** Raises if the value does not fit, or returns NULL (`OrNull`). */
const accurate = (head: string, name: string) =>
  Object.fromEntries(BITS.map((bits) => [`${head} ${bits} bits`, template(`${name}($1, 'Int${bits}')`)]));

const ADDED: Readonly<Record<string, string>> = {
  microsecond: "addMicroseconds",
  second: "addSeconds",
  minute: "addMinutes",
  hour: "addHours",
  day: "addDays",
  week: "addWeeks",
  month: "addMonths",
  quarter: "addQuarters",
  year: "addYears",
};

function shifted(printer: Printer, { arguments: [base, step], span }: Call): void {
  if (base === undefined || step?.value.kind !== "interval") throw new TypeError("a time is shifted by an interval");
  const { value, unit = "day" } = step.value;
  const name = ADDED[unit];
  if (name === undefined) throw unsupported(`an interval of ${unit}s`, span);
  // The result of a `Date`, which has the range 1970 to 2149, would be a `Date` too.
  const isDay = base.value.type?.kind === "date";
  printer.write(`${name}(`);
  if (isDay) printer.write("toDate32(");
  printer.expression(base.value);
  printer.write(isDay ? "), " : ", ");
  printer.expression(value);
  printer.write(")");
}

const isOneSelect = (body: QueryBody): boolean =>
  body.kind === "select" || (body.kind === "values" && body.rows.length === 1);

/** EXCEPT and INTERSECT bind tighter than UNION; equal operators are left-associative. */
const isChained = ({ left, operator, all }: SetOperation): boolean =>
  left.kind === "set" && left.operator === operator && left.all === all;

function operand(printer: Printer, body: QueryBody, isBare = isOneSelect(body) || body.kind === "nested"): void {
  if (!isBare) printer.write("(");
  printer.body(body);
  if (!isBare) printer.write(")");
}

function beginsInParentheses(body: QueryBody): boolean {
  if (body.kind !== "set") return body.kind === "nested";
  return isOneSelect(body.left) ? false : !isChained(body) || beginsInParentheses(body.left);
}

/** Sorts rows by their first members and returns their last member. */
const inOrder =
  (name: string): NodePrinter<"call"> =>
  (printer, { arguments: [rows, place] }) => {
    written(printer, "arrayMap(_t -> tupleElement(_t, ", [place?.value], `), ${name}(`);
    written(printer, "", [rows?.value], "))");
  };

const NO_TYPE = { refused: "a value of this type" };
const START = "second minute hour day month quarter year".split(" ");
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const SPELLED = Object.fromEntries(
  Object.entries({ ...SPELLINGS, ...JSON_SPELLINGS, ...CAPITALS }).map(([name, text]) => [name, template(text)]),
);

export const CLICKHOUSE_PRINT = defineTargetDialect({
  name: "clickhouse",
  lexical: CLICKHOUSE_LEXICAL,
  types: typeSpellings([], {
    text: "String",
    boolean: "Bool",
    smallint: "Int16",
    integer: "Int32",
    bigint: "Int64",
    numeric: (printer, { parameters }) => printer.write(`Decimal(${parameters.join(", ")})`),
    "double precision": "Float64",
    real: "Float32",
    date: "Date32",
    timestamp: "DateTime64(6)",
    "timestamp with time zone": "DateTime64(6, 'UTC')",
    uuid: "UUID",
    time: "Time64(6)",
    bytea: NO_TYPE,
    varchar: NO_TYPE,
    char: NO_TYPE,
    json: NO_TYPE,
    jsonb: NO_TYPE,
    interval: NO_TYPE,
    "time with time zone": NO_TYPE,
  }),
  functions: {
    [BOUND_ONCE]: printBoundOnce,
    ...accurate("in", "accurateCast"),
    ...accurate("tried in", "accurateCastOrNull"),
    "in 128 bits": "toInt128",
    "in 256 bits": "toDecimal256",
    "count in 64 bits": "toInt64",
    "whole quotient": "intDiv",
    // A cast checks the bits of a type, and not its digits.
    "within digits": (printer, node) => {
      const whole = node.arguments[1];
      const limit = whole?.value.kind === "number" ? `1${"0".repeat(Number(whole.value.text))}` : "";
      const outside = `ifNull(abs($1) >= toDecimal256('${limit}', 0), 0)`;
      const checked = template(`($1 + toDecimal128(throwIf(${outside}, 'numeric field overflow'), 0))`);
      checked(printer, node);
    },
    "of this row": (printer, { arguments: parts }) => {
      const list = parts.map(({ value }) => value);
      written(printer, "tupleElement(tuple(", list, "), 1)");
    },
    "groups of a match": (_, { span }) => {
      throw unsupported("all groups of a match", span, "Take one of them: (regexp_match(x, pattern))[1].");
    },
    "exact quantile": (printer, node) => {
      const [fraction, ...others] = node.arguments;
      if (fraction?.value.kind !== "number") throw new TypeError("a fraction is a number");
      printCall(printer, { ...node, arguments: others }, `quantileExactInclusive(${fraction.value.text})`);
    },
    ...SPELLED,
    "in order": inOrder("arraySort"),
    "in reverse order": inOrder("arrayReverseSort"),
    "joined texts": "concat",
    tonullable: "toNullable",
    ifnull: "ifNull",
    nullif: "nullIf",
    datediff: (printer, { arguments: parts }) => {
      const [first, second, third] = parts.map(({ value }) => value);
      // Days from the later to the earlier date.
      if (third === undefined) written(printer, "dateDiff('day', ", [second, first]);
      else written(printer, "dateDiff(", [first, second, third]);
    },
    date_add: shifted,
    "current moment": (printer) => printer.write("now64(6, 'UTC')"),
    ...Object.fromEntries(START.map((unit) => [`start of ${unit}`, `toStartOf${capital(unit)}`])),
    "start of week": template("toStartOfWeek($1, 1)"),
    "start of millisecond": template("toStartOfMillisecond($1)"),
    "year of": "toYear",
    "quarter of": "toQuarter",
    "month of": "toMonth",
    "day of": "toDayOfMonth",
    "hour of": "toHour",
    "minute of": "toMinute",
    "day of year": "toDayOfYear",
    "day of week": "toDayOfWeek",
    "day after sunday": template("modulo(toDayOfWeek($1), 7)"),
    "week of": "toISOWeek",
    "year of week": "toISOYear",
    upper: "upperUTF8",
    lower: "lowerUTF8",
    reverse: "reverseUTF8",
    length: "lengthUTF8",
    substring: "substringUTF8",
    position: template("toInt64(positionUTF8($2, $1))"),
    replaceall: "replaceAll",
    startswith: "startsWith",
    left: "leftUTF8",
    right: "rightUTF8",
    leftpad: "leftPadUTF8",
    rightpad: "rightPadUTF8",
    "part of text": template("if(isNull($1), NULL, arrayElement(splitByString($2, $1), $3))"),
    any_value: "any",
    [COPY_OF_VALUE]: "any",
  },
  printers: {
    // After WITH, ClickHouse does not accept a parenthesis.
    query: (printer, node) => {
      const isApart = node.with !== undefined && beginsInParentheses(node.body);
      if (!isApart) return QUERY_PRINTERS.query(printer, node);
      printer.dispatch("with", node.with);
      printer.write(" SELECT * FROM ");
      printer.subquery({ ...node, with: undefined });
    },
    set: (printer, node) => {
      const { left, right, operator, all } = node;
      operand(printer, left, isOneSelect(left) || left.kind === "nested" || isChained(node));
      printer.write(` ${operator.toUpperCase()}${all ? " ALL" : ""} `);
      operand(printer, right);
    },
    // Without an alias, a column that several tables have would get a qualified name.
    select: (printer, node) => {
      const isOne = node.from.length < 2 && node.from[0]?.kind !== "join";
      const items = node.items.map((item) =>
        item.kind === "item" && item.alias === undefined && item.expression.kind === "bound" && !isOne
          ? { ...item, alias: exactName(item.expression.column.printedName, item.span) }
          : item,
      );
      QUERY_PRINTERS.select(printer, { ...node, items });
    },
    with: (printer, node) =>
      QUERY_PRINTERS.with(printer, {
        ...node,
        tables: node.tables.map((table) => ({ ...table, materialized: undefined })),
      }),
    // On ClickHouse, a row of VALUES is not a query.
    values: (printer, node) => {
      node.rows.forEach((row, index) => {
        printer.write(index === 0 ? "SELECT " : " UNION ALL SELECT ");
        printer.expressions(row);
      });
    },
    typed: (printer, node) => {
      const { name } = node.typeName;
      printer.write(name === "date" ? "toDate32(" : name === "time" ? "toTime64(" : "toDateTime64(");
      printer.string(node.value, node.span);
      printer.write(name === "date" ? ")" : ", 6)");
    },
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    array: (printer, { elements }) => {
      printer.write("[");
      printer.expressions(elements);
      printer.write("]");
    },
    row: (_, { span }) => {
      throw unsupported("a row as a value", span);
    },
  },
});

/** `arrayMap(_once1 -> body, [operand])[1]` */
function printBoundOnce(printer: Printer, node: Call): void {
  const { operand, variable, body } = boundOnce(node);
  printer.write("arrayMap(");
  printer.expression(variable);
  printer.write(" -> ");
  printer.expression(body);
  printer.write(", [");
  printer.expression(operand);
  printer.write("])[1]");
}
