/** How BigQuery is written. */

import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { intervalParts } from "../../intervals.ts";
import { BOUND_ONCE, boundOnce } from "../../lowering/bound-operands.ts";
import { refuseHiddenInHaving, sortedBy } from "../../lowering/hidden-tables.ts";
import { LONG_NUMERIC } from "../../lowering/numbers/long-decimals.ts";
import { refuseMixedSides } from "../../lowering/numbers/rounded-reals.ts";
import { withColumnNames } from "../../lowering/queries/column-names.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { exactName, integer, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import { LEVEL, type OperatorLevels } from "../../syntax/precedence.ts";
import { EXPRESSION_PRINTERS } from "../../syntax/print-expressions.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import type { NodePrinter, Printer } from "../../syntax/printer.ts";
import type { Call, Expression, QueryBody, Select, TableExpression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { typeOrUnknown } from "../../types.ts";
import { defineTargetDialect } from "../input.ts";
import { printValuesAsSelects, shiftOf } from "../printers.ts";
import { decimalLiteral, SHORT_NUMERIC } from "./decimals.ts";
import { BIGQUERY_LEXICAL } from "./lexical.ts";
import { ROWS_OF } from "./table-functions.ts";
import { BETWEEN, START_OF, TIME_UNITS } from "./times.ts";

/** Comparisons, IS, LIKE, IN and BETWEEN share one level, and none takes another as its operand. */
const COMPARISON: OperatorLevels = { self: LEVEL.comparison, left: LEVEL.operator, right: LEVEL.operator };
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"];
/** `||` binds as `*` does there, and `&`, `^` and `|` one looser than the other: their operands have parentheses. */
const APART: OperatorLevels = { self: LEVEL.operator, left: LEVEL.power, right: LEVEL.power };

/** The words of a call around its values, which stand where `$1`, `$2` and so on do. */
const worded =
  (words: string): NodePrinter<"call"> =>
  (printer, node) => {
    for (const part of words.split(/(\$\d)/)) {
      const place = /^\$(\d)$/.exec(part)?.[1];
      const value = place === undefined ? undefined : node.arguments[Number(place) - 1]?.value;
      if (value === undefined) printer.write(part);
      else printer.expression(value);
    }
  };

const literalOf = (value: Expression | undefined): string => (value?.kind === "string" ? value.value : "");

const WEEK = "ISOWEEK";
const unitWord = (unit: string): string => (unit === "week" ? WEEK : unit.toUpperCase());

const PARTS = "year quarter month day hour minute second microsecond dayofweek dayofyear isoweek isoyear".split(" ");

/** BigQuery has no scalar lambdas: UNNEST gives the operand a name (https://cloud.google.com/bigquery/docs/arrays). */
function printBoundOnce(printer: Printer, node: Call): void {
  const { operand, variable, body } = boundOnce(node);
  printer.write("(SELECT ");
  printer.expression(body);
  printer.write(" FROM UNNEST([");
  printer.expression(operand);
  printer.write("]) AS ");
  printer.expression(variable);
  printer.write(")");
}

export const BIGQUERY_PRINT = defineTargetDialect({
  name: "bigquery",
  lexical: BIGQUERY_LEXICAL,
  nullTreatment: "inside",
  levels: {
    ...Object.fromEntries(COMPARISONS.map((operator) => [operator, COMPARISON])),
    ...{ "||": APART, "&": APART, "|": APART, "#": APART },
  },
  operators: { "#": "^" },
  types: typeSpellings(
    ["date json"],
    {
      boolean: "BOOL",
      smallint: "INT64",
      integer: "INT64",
      bigint: "INT64",
      real: UNSUPPORTED.reals,
      "double precision": "FLOAT64",
      // A NUMERIC would be rounded to nine digits on its way.
      numeric: (printer, { parameters }) => printer.write(`BIGNUMERIC(${parameters.join(", ")})`),
      text: "STRING",
      varchar: "STRING",
      char: UNSUPPORTED.castToLength,
      bytea: "BYTES",
      uuid: UNSUPPORTED.uuids,
      jsonb: "JSON",
      interval: UNSUPPORTED.intervals,
      time: "TIME",
      "time with time zone": UNSUPPORTED.zonedTimes,
      timestamp: "DATETIME",
      "timestamp with time zone": "TIMESTAMP",
    },
    { [LONG_NUMERIC]: "BIGNUMERIC", [SHORT_NUMERIC]: "NUMERIC" },
  ),
  functions: {
    [BOUND_ONCE]: printBoundOnce,
    ...Object.fromEntries(TIME_UNITS.map((unit) => [START_OF + unit, worded(`DATETIME_TRUNC($1, ${unitWord(unit)})`)])),
    ...Object.fromEntries(
      TIME_UNITS.map((unit) => [BETWEEN + unit, worded(`DATETIME_DIFF($1, $2, ${unitWord(unit)})`)]),
    ),
    ...Object.fromEntries(PARTS.map((part) => [`part: ${part}`, worded(`EXTRACT(${part.toUpperCase()} FROM $1)`)])),
    "datetime in zone": "DATETIME",
    "instant in zone": "TIMESTAMP",
    "current day": worded("CURRENT_DATE('UTC')"),
    "current clock": worded("CURRENT_DATETIME('UTC')"),
    "current instant": worded("CURRENT_TIMESTAMP()"),
    "half turn": worded("ACOS(-1)"),
    turned: (printer, { arguments: [value, by, per] }) => {
      printer.write("(");
      if (value !== undefined) printer.expression(value.value, LEVEL.power);
      printer.write(` * ${literalOf(by?.value)} / ${literalOf(per?.value)})`);
    },
    "digest of": "MD5",
    truncate: "TRUNC",
    fail: "ERROR",
    "format text": "FORMAT",
    regexp_like: worded("REGEXP_CONTAINS($1, $2)"),
    date_format: worded("FORMAT_DATETIME($2, $1)"),
    date_add: shifted,
    datediff: worded("DATE_DIFF($1, $2, DAY)"),
    left: worded("SUBSTR($1, 1, $2)"),
    "element of": (printer, { arguments: [array, place] }) => {
      if (array !== undefined) printer.expression(array.value, LEVEL.primary);
      printer.write("[SAFE_ORDINAL(");
      if (place !== undefined) printer.expression(place.value);
      printer.write(")]");
    },
    "in array": (printer, { arguments: [value, array] }) => {
      printer.write("(");
      if (value !== undefined) printer.expression(value.value, LEVEL.operator);
      printer.write(" IN UNNEST(");
      if (array !== undefined) printer.expression(array.value);
      printer.write("))");
    },
    "parts of": (printer, { arguments: [value, separator] }) => {
      printer.write("IF(");
      if (value === undefined || separator === undefined) throw new TypeError("a text is split by another");
      printer.expression(value.value, LEVEL.operator);
      printer.write(" = '', [], SPLIT(");
      printer.expressions([value.value, separator.value]);
      printer.write("))");
    },
    array_agg: (printer, node) => {
      printer.write(`ARRAY_AGG(${node.distinct ? "DISTINCT " : ""}`);
      printer.expressions(node.arguments.map(({ value }) => value));
      if (node.nulls === "ignore") printer.write(" IGNORE NULLS");
      printer.orderBy(node.orderBy);
      printer.write(")");
    },
    "capitals of": worded(
      "(SELECT STRING_AGG(CONCAT(UPPER(SUBSTR(_w, 1, 1)), SUBSTR(_w, 2)), '' ORDER BY _o) FROM UNNEST(REGEXP_EXTRACT_ALL(LOWER($1), '[\\\\pL\\\\pN]+|[^\\\\pL\\\\pN]+')) AS _w WITH OFFSET AS _o)",
    ),
    "any of": worded("ARRAY_AGG($1 IGNORE NULLS LIMIT 1)[SAFE_ORDINAL(1)]"),
    "greatest of": "GREATEST",
    "least of": "LEAST",
    "first present": "COALESCE",
    "one of": (printer, node) =>
      ofSorted(printer, node, (share, element) =>
        element((count) => {
          printer.write(`GREATEST(CAST(CEIL(${share} * `);
          count();
          printer.write(") AS INT64), 1)");
        }),
      ),
    "between two of": (printer, node) =>
      ofSorted(printer, node, (share, element) => {
        const place = (name: string) => (count: () => void) => {
          printer.write(`CAST(${name}(${share} * (`);
          count();
          printer.write(" - 1)) AS INT64) + 1");
        };
        const [low, high] = [place("FLOOR"), place("CEIL")];
        printer.write("(");
        element(low);
        printer.write(" + (");
        element(high);
        printer.write(" - ");
        element(low);
        printer.write(`) * `);
        rest(printer, node, share);
        printer.write(")");
      }),
    sequence,
    [ROWS_OF]: rowsOf,
  },
  printers: {
    // Rows are chosen, grouped and counted of a table alone.
    select: (printer, node) =>
      QUERY_PRINTERS.select(printer, node.from.length > 0 || isPlain(node) ? node : { ...node, from: [oneRow(node)] }),
    number: (printer, node) => {
      printer.write(typeOrUnknown(node).kind === "decimal" ? decimalLiteral(node.text) : node.text);
    },
    cast: (printer, node) => {
      printer.write(node.safe ? "SAFE_CAST(" : "CAST(");
      printer.expression(node.operand);
      printer.write(" AS ");
      printer.type(node.typeName);
      printer.write(")");
    },
    // A CASE behind BETWEEN may hold an AND, which would be the one between its ends.
    between: (printer, { operand, negated, low, high }) => {
      printer.expression(operand, LEVEL.operator);
      printer.write(negated ? " NOT BETWEEN " : " BETWEEN ");
      apart(printer, low);
      printer.write(" AND ");
      apart(printer, high);
    },
    typed: (printer, { value, type, span, typeName }) => {
      const isInstant = type?.kind === "timestamp" && type.zoned;
      const word = type?.kind === "timestamp" ? (isInstant ? "TIMESTAMP" : "DATETIME") : typeName.name.toUpperCase();
      printer.write(`${word} `);
      printer.string(isInstant ? `${value}+00` : value, span);
    },
    interval: (_, { span }) => {
      throw unsupported(UNSUPPORTED.intervals.refused, span, UNSUPPORTED.intervals.hint);
    },
    bits: (printer, { digits }) => printer.write(`FROM_HEX('${digits}')`),
    type: (printer, node) => {
      if (node.dimensions === 0) return EXPRESSION_PRINTERS.type(printer, node);
      printer.write("ARRAY<");
      printer.type({ ...node, dimensions: node.dimensions - 1 });
      printer.write(">");
    },
    // A common table has the names of its first SELECT.
    with: (printer, node) => {
      const tables = node.tables.map((table) => ({
        ...table,
        query: table.columns.length === 0 ? table.query : withColumnNames(table.query, table.columns),
        columns: [],
        materialized: undefined,
      }));
      QUERY_PRINTERS.with(printer, { ...node, tables });
    },
    // The first row is a SELECT already.
    values: printValuesAsSelects,
    "in-query": (printer, node) => {
      if (node.operand.kind !== "row") return EXPRESSION_PRINTERS["in-query"](printer, node);
      printer.expression(node.operand);
      printer.write(`${node.negated ? " NOT" : ""} IN (SELECT AS STRUCT * FROM `);
      printer.subquery(node.query);
      printer.write(")");
    },
    // Which rows are alike has to be said.
    set: (printer, node) => {
      refuseMixedSides(node);
      setOperand(printer, node.left, node.left.kind === "set" && sameOperation(node.left, node));
      printer.write(` ${node.operator.toUpperCase()} ${node.all ? "ALL" : "DISTINCT"} `);
      setOperand(printer, node.right, false);
    },
    query: (printer, node) => {
      refuseHiddenInHaving(node);
      QUERY_PRINTERS.query(printer, { ...node, orderBy: sortedBy(node, printer.dialect) });
    },
    limit: (printer, node) => {
      const { limit, offset } = node;
      // BigQuery takes OFFSET only after LIMIT.
      if (limit === undefined && offset !== undefined) printer.write(" LIMIT 9223372036854775807");
      QUERY_PRINTERS.limit(printer, node);
    },
  },
});

function apart(printer: Printer, value: Expression): void {
  const { kind } = value.kind === "unary" ? value.operand : value;
  const isShort = ["bound", "number", "string", "typed", "boolean", "null"].includes(kind);
  printer.write(isShort ? "" : "(");
  printer.expression(value);
  printer.write(isShort ? "" : ")");
}

function isPlain({ items, where, groupBy, having, windows, qualify }: Select): boolean {
  if (where !== undefined || groupBy !== undefined || having !== undefined || qualify !== undefined) return false;
  const isOfRows = (each: Expression): boolean =>
    each.kind === "call" && (each.over !== undefined || isAggregateCall(each, findFunction(functionName(each))));
  const isOfOne = items.every((item) => item.kind === "item" && !someExpression(item.expression, isOfRows));
  return windows.length === 0 && isOfOne;
}

const oneRow = (node: Select): TableExpression => ({
  kind: "derived",
  query: queryOf(selectOf({ items: [selectItem(integer(1, node), undefined, node)] }, node)),
  lateral: false,
  alias: { name: exactName("_one", node.span), columns: [] },
  span: node.span,
});

function sameOperation(left: QueryBody, node: QueryBody): boolean {
  if (left.kind !== "set" || node.kind !== "set") return false;
  return left.operator === node.operator && left.all === node.all && node.operator !== "except";
}

function setOperand(printer: Printer, node: QueryBody, chained: boolean): void {
  const isApart = node.kind === "set" && !chained;
  printer.write(isApart ? "(" : "");
  printer.body(node);
  printer.write(isApart ? ")" : "");
}

/** A date is shifted by days, what clocks show by any unit. */
function shifted(printer: Printer, node: Call): void {
  const { base, value, unit } = shiftOf(node);
  printer.write(typeOrUnknown(base).kind === "date" ? "DATE_ADD(" : "DATETIME_ADD(");
  printer.expression(base);
  printer.write(", INTERVAL ");
  printer.expression(value, LEVEL.primary);
  printer.write(` ${unit.toUpperCase()})`);
}

type Element = (place: (count: () => void) => void) => void;

function ofSorted(printer: Printer, node: Call, body: (share: string, element: Element) => void): void {
  const [list, count, share] = node.arguments.map(({ value }) => value);
  if (list === undefined || count === undefined) throw new TypeError("a percentile has values");
  body(literalOf(share), (place) => {
    printer.expression(list);
    printer.write("[SAFE_ORDINAL(");
    place(() => printer.expression(count));
    printer.write(")]");
  });
}

/** How far a place lies behind the element before it. */
function rest(printer: Printer, node: Call, share: string): void {
  const count = node.arguments[1]?.value;
  if (count === undefined) throw new TypeError("a percentile has a count");
  const place = (): void => {
    printer.write(`${share} * (`);
    printer.expression(count);
    printer.write(" - 1)");
  };
  printer.write("(");
  place();
  printer.write(" - FLOOR(");
  place();
  printer.write("))");
}

/** Whole numbers, or times with a step of one unit. */
function sequence(printer: Printer, { arguments: [from, to, step] }: Call): void {
  if (from === undefined || to === undefined || step === undefined) throw new TypeError("a series has three parts");
  if (typeOrUnknown(from.value).kind === "integer") {
    printer.write("GENERATE_ARRAY(");
    printer.expressions([from.value, to.value, step.value]);
    printer.write(")");
    return;
  }
  const parts = step.value.kind === "interval" ? intervalParts(step.value) : undefined;
  if (parts === undefined) throw new TypeError("times are a literal interval apart");
  const { months, days, microseconds } = parts;
  const [size, unit] =
    months !== 0 ? [BigInt(months), "MONTH"] : days !== 0 ? [BigInt(days), "DAY"] : [microseconds, "MICROSECOND"];
  const moment = (): void => {
    printer.write("DATETIME_ADD(");
    printer.expression(from.value);
    printer.write(`, INTERVAL _i * ${size} ${unit})`);
  };
  printer.write("ARRAY(SELECT ");
  moment();
  printer.write(" FROM UNNEST(GENERATE_ARRAY(0, DIV(DATETIME_DIFF(");
  printer.expressions([to.value, from.value]);
  printer.write(`, ${unit}), ${size}))) AS _i WHERE `);
  moment();
  printer.write(size > 0n ? " <= " : " >= ");
  printer.expression(to.value, LEVEL.operator);
  printer.write(" ORDER BY _i)");
}

/** `UNNEST` of structs: a table with named columns, whose rows may depend on tables before it. */
function rowsOf(printer: Printer, { arguments: [array, name, position] }: Call): void {
  if (array === undefined || name === undefined) throw new TypeError("elements have a name");
  const quoted = (value: Expression): string => printer.quoted(literalOf(value), value.span);
  const members = `_e AS ${quoted(name.value)}${position === undefined ? "" : `, _o + 1 AS ${quoted(position.value)}`}`;
  printer.write(`UNNEST(ARRAY(SELECT AS STRUCT ${members} FROM UNNEST(`);
  printer.expression(array.value);
  printer.write(") AS _e WITH OFFSET AS _o ORDER BY _o))");
}
