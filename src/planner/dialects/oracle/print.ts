/** How Oracle is written: https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html */

import { unsupported } from "../../diagnostics.ts";
import { NUMBER_AS_IT_COMES } from "../../expand/fence.ts";
import { MEMBER, MEMBER_AS_VALUE } from "../../lowering/json/json-steps.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { binary, call, cases, exactName, integer, isNull, logical, typed, values } from "../../syntax/build.ts";
import { APPLY_PRINTERS } from "../../syntax/print-apply.ts";
import { EXPRESSION_PRINTERS } from "../../syntax/print-expressions.ts";
import { QUERY_PRINTERS } from "../../syntax/print-queries.ts";
import type { NodePrinter } from "../../syntax/printer.ts";
import type { Call, Expression, PhysicalTable, Span } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, TEXT } from "../../types.ts";
import { defineTargetDialect } from "../input.ts";
import { bytesOf } from "./bytes.ts";
import { ELEMENTS_TEXT, JOINED, missing, OR_EMPTY } from "./empty-texts.ts";
import { ORACLE_LEXICAL } from "./lexical.ts";
import { ARRAY_FUNCTIONS, ARRAY_PRINTERS } from "./print-arrays.ts";
import { paddedText } from "./texts.ts";
import { dayOf, epochOf, monthsBetween, moved, part } from "./times.ts";

/** One value in place of a call, in parentheses where it needs them. */
const said =
  (say: (parts: readonly Expression[], node: Call) => Expression): NodePrinter<"call"> =>
  (printer, node) => {
    const value = say(values(node), node);
    const isPrimary = ["call", "cast", "case", "extract", "typed", "number"].includes(value.kind);
    if (!isPrimary) printer.write("(");
    printer.expression(value);
    if (!isPrimary) printer.write(")");
  };

const ends = (say: (from: Expression, to: Expression) => Expression): NodePrinter<"call"> =>
  said(([from, to], node) => (from === undefined || to === undefined ? node : say(from, to)));

/** `a || b` where both are there; a literal beside a column needs no type. */
const joined: NodePrinter<"call"> = (printer, node) => {
  const parts = values(node);
  const conditions = [...new Map(parts.flatMap(missing).map((each) => [keyOf(each), each])).values()];
  const chain = (): void =>
    parts.forEach((each, index) => {
      if (index > 0) printer.write(" || ");
      if (each.kind === "string" && each.value !== "" && parts.length > 1) printer.string(each.value, each.span);
      else printer.expression(each, printer.operatorLevels("||").right);
    });
  const wanted = conditions.map((each) => isNull(each, true));
  const [first] = wanted;
  if (first === undefined) {
    printer.write("(");
    chain();
    printer.write(")");
    return;
  }
  printer.write("CASE WHEN ");
  printer.expression(wanted.length === 1 ? first : logical("and", wanted, node));
  printer.write(" THEN ");
  chain();
  printer.write(" END");
};

/** The same column is asked once whether it is there. */
const keyOf = (each: Expression): unknown => (each.kind === "bound" ? each.column : each);

/** Parts of one character between; see `partOfText`. */
function partOf([value, separator, number]: readonly Expression[], node: Call): Expression {
  const index = number && countOf(number);
  if (value === undefined || separator === undefined || index === undefined)
    throw new TypeError("a part by its number");
  const at = typed(INTEGER, node);
  const whole = call(JOINED, [call(OR_EMPTY, [value], typed(TEXT, node)), separator], typed(TEXT, node));
  const found = (count: number): Expression =>
    call("instr", [whole, separator, integer(1, node), integer(count, node)], at);
  const start = index === 1 ? integer(1, node) : binary(found(index - 1), "+", integer(1, node), at);
  const part = call("substr", [value, start, binary(found(index), "-", start, at)], typed(TEXT, node));
  // Behind the last separator there is no other.
  return cases(
    [{ when: binary(found(index), ">", integer(0, node), { span: node.span, type: { kind: "boolean" } }), then: part }],
    undefined,
    typed(TEXT, node),
  );
}

const dual = (span: Span): PhysicalTable => ({
  kind: "physical-table",
  name: [exactName("SYS", span), exactName("DUAL", span)],
  alias: undefined,
  span,
});

const regexp =
  (options: string): NodePrinter<"binary"> =>
  (printer, { left, right }) => {
    printer.write("REGEXP_LIKE(");
    printer.expression(left);
    printer.write(", ");
    printer.expression(right);
    printer.write(`, '${options}')`);
  };

export const ORACLE_PRINT = defineTargetDialect({
  name: "oracle",
  lexical: ORACLE_LEXICAL,
  // Where they stand as values they are numbers (`lowering/queries/conditions.ts`).
  booleans: ["1 = 0", "1 = 1"],
  operators: { "~": regexp("cn"), "~*": regexp("in") },
  types: typeSpellings(["date"], {
    text: "VARCHAR2(4000)",
    boolean: "NUMBER(1)",
    smallint: "INTEGER",
    integer: "INTEGER",
    bigint: "INTEGER",
    numeric: "NUMBER",
    real: "BINARY_FLOAT",
    "double precision": "BINARY_DOUBLE",
    timestamp: "TIMESTAMP(6)",
    "timestamp with time zone": "TIMESTAMP(6) WITH TIME ZONE",
    varchar: "VARCHAR2",
    char: "CHAR",
    uuid: UNSUPPORTED.valueOfType,
    bytea: UNSUPPORTED.valueOfType,
    json: UNSUPPORTED.valueOfType,
    jsonb: UNSUPPORTED.valueOfType,
    interval: UNSUPPORTED.valueOfType,
    time: UNSUPPORTED.valueOfType,
    "time with time zone": UNSUPPORTED.valueOfType,
  }),
  functions: {
    ...ARRAY_FUNCTIONS,
    substring: "SUBSTR",
    position: said(([needle, value], node) =>
      call("instr", needle && value ? [value, needle] : [], typed(INTEGER, node)),
    ),
    btrim: "TRIM",
    now: (printer) => printer.write("SYSTIMESTAMP"),
    [NUMBER_AS_IT_COMES]: (printer) => printer.write("ROWNUM"),
    split_part: said(partOf),
    lpad: said(paddedText),
    rpad: said(paddedText),
    [MEMBER]: (_, { span }) => {
      throw unsupported(MEMBER_AS_VALUE.refused, span, MEMBER_AS_VALUE.hint);
    },
    [JOINED]: joined,
    [OR_EMPTY]: said(([value], node) => value ?? node),
    [ELEMENTS_TEXT]: said(([value], node) => value ?? node),
    "present text": said(([value], node) => value ?? node),
    "last of": said(([value, count], node) => {
      const length = count && countOf(count);
      return call("substr", value && length ? [value, integer(-length, node)] : [], typed(TEXT, node));
    }),
    date_format: "TO_CHAR",
    listagg: (printer, node) => {
      const [value, separator] = values(node);
      printer.write(`LISTAGG(${node.distinct ? "DISTINCT " : ""}`);
      if (value !== undefined) printer.expression(value);
      if (separator?.kind === "string") {
        printer.write(", ");
        printer.string(separator.value, separator.span);
      }
      printer.write(") WITHIN GROUP (");
      printer.orderBy(node.withinGroup, "");
      printer.write(")");
    },
    date_add: said((_, node) => moved(node)),
    datediff: said(([to, from], node) =>
      to === undefined || from === undefined ? node : binary(dayOf(to), "-", dayOf(from), typed(INTEGER, node)),
    ),
    "day of": said(([value], node) => (value === undefined ? node : part("day", value))),
    "months between": ends(monthsBetween),
    "microseconds between": ends((from, to) => {
      const seconds = binary(epochOf(to), "-", epochOf(from), typed(BIGINT, to));
      return binary(seconds, "*", integer(1_000_000, to), typed(BIGINT, to));
    }),
  },
  printers: {
    string: (printer, { value, span }) => {
      if (value === "") {
        throw unsupported("the empty text", span, "Oracle has none: write IS NULL, or a text of your own.");
      }
      // A literal is a CHAR, and blanks at the end of two of these are none.
      if (!value.endsWith(" ")) {
        printer.string(value, span);
        return;
      }
      printer.write("CAST(");
      printer.string(value, span);
      printer.write(` AS VARCHAR2(${bytesOf(value)}))`);
    },
    typed: (printer, { typeName, value, span }) => {
      printer.write(typeName.name === "date" ? "DATE " : "TIMESTAMP ");
      printer.string(value, span);
    },
    // Its own cast keeps the time of day.
    cast: (printer, node) => {
      if (node.typeName.name === "date" && node.operand.kind !== "null") printer.expression(dayOf(node.operand));
      else EXPRESSION_PRINTERS.cast(printer, node);
    },
    interval: (_, { span }) => {
      throw unsupported("an interval as a value", span, "Add it to a date or a timestamp.");
    },
    ...ARRAY_PRINTERS,
    row: (printer, node) => {
      if (node.elements.length < 2) throw unsupported("a row of one value", node.span);
      EXPRESSION_PRINTERS.row(printer, node);
    },
    ...APPLY_PRINTERS,
    with: (printer, node) => QUERY_PRINTERS.with(printer, { ...node, recursive: false }),
    select: (printer, node) =>
      QUERY_PRINTERS.select(printer, node.from.length > 0 ? node : { ...node, from: [dual(node.span)] }),
    set: (printer, node) => {
      const minus = node.operator === "except" ? { ...node, operator: "minus" as "except" } : node;
      QUERY_PRINTERS.set(printer, minus);
    },
    alias: (printer, { name }) => {
      printer.write(" ");
      printer.name(name);
    },
    limit: (printer, { limit, offset }) => {
      if (offset !== undefined) {
        printer.write(" OFFSET ");
        printer.expression(offset);
        printer.write(" ROWS");
      }
      if (limit === undefined) return;
      printer.write(offset === undefined ? " FETCH FIRST " : " FETCH NEXT ");
      printer.expression(limit.count);
      printer.write(limit.withTies ? " ROWS WITH TIES" : " ROWS ONLY");
    },
    values: (printer, node) => {
      node.rows.forEach((row, index) => {
        printer.write(index === 0 ? "SELECT " : " UNION ALL SELECT ");
        printer.expressions(row);
        printer.write(" FROM ");
        printer.table(dual(node.span));
      });
    },
  },
});
