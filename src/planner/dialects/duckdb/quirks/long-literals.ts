/**
 * Literals of many digits beside doubles. DuckDB divides the digits of a decimal by a power of ten, and beyond 2^53 the quotient is
 * another double than the nearest: `0.015095650969126519` ends with 52. Seen on 1.4.4; reported for 1.5.3 as
 * https://github.com/duckdb/duckdb/issues/22837, mended after that by https://github.com/duckdb/duckdb/pull/22874. With an exponent it
 * is read as a double.
 */
import { rowsOfReals } from "../../../lowering/numbers/reals.ts";
import { type ChildMapper, mapBody, mapExpression, mapQuery, mapTable } from "../../../syntax/rewrite.ts";
import type { Case, Expression, NumberLiteral, Query, Values } from "../../../syntax/tree.ts";
import { DOUBLE, type SqlType } from "../../../types.ts";

/** All integers of so many digits are below 2^53. */
const SURE_DIGITS = 15;

const isFloat = (type: SqlType | undefined): boolean => type?.kind === "float";

/** For a statement with a long number. */
export const withDoubles = (statement: Query): Query => MAPPER.query(statement);

const MAPPER: ChildMapper = {
  expression: (node) => meeting(mapExpression(node, MAPPER)),
  query: (node) => mapQuery(node, MAPPER),
  body: (node) => {
    const mapped = mapBody(node, MAPPER);
    return mapped.kind === "values" ? ofColumns(mapped) : mapped;
  },
  table: (node) => mapTable(node, MAPPER),
  item: (node) => (node.kind === "item" ? { ...node, expression: MAPPER.expression(node.expression) } : node),
};

/** Operands of one expression become doubles if one of them is a double. */
function meeting(node: Expression): Expression {
  switch (node.kind) {
    case "binary":
      return isFloat(node.left.type) || isFloat(node.right.type) ? ofDoubles(node) : node;
    case "between":
      return [node.operand, node.low, node.high].some(({ type }) => isFloat(type)) ? ofDoubles(node) : node;
    case "in-list":
      return [node.operand, ...node.list].some(({ type }) => isFloat(type)) ? ofDoubles(node) : node;
    case "cast":
    case "call":
      return isFloat(node.type) ? ofDoubles(node) : node;
    case "array":
      return node.type?.kind === "array" && isFloat(node.type.element) ? ofDoubles(node) : node;
    case "case":
      return ofResults(node);
    default:
      return node;
  }
}

const ofDoubles = (node: Expression): Expression => mapExpression(node, { ...MAPPER, expression: asDouble });

function ofResults(node: Case): Case {
  const [own, compared] = [isFloat(node.type), isFloat(node.operand?.type)];
  if (!own && !compared) return node;
  const branches = node.branches.map((branch) => ({
    when: compared ? asDouble(branch.when) : branch.when,
    then: own ? asDouble(branch.then) : branch.then,
  }));
  return { ...node, branches, otherwise: own && node.otherwise ? asDouble(node.otherwise) : node.otherwise };
}

function ofColumns(node: Values): Values {
  const areFloats = (node.rows[0] ?? []).map((_, index) => node.rows.some((row) => isFloat(row[index]?.type)));
  if (!areFloats.includes(true)) return node;
  const rows = rowsOfReals(node.rows);
  return { ...node, rows: rows.map((row) => row.map((value, index) => (areFloats[index] ? asDouble(value) : value))) };
}

function asDouble(node: Expression): Expression {
  if (node.kind === "unary") return { ...node, operand: asDouble(node.operand) };
  if (node.kind !== "number" || !isLongNumber(node)) return node;
  return { ...node, text: `${node.text}e0`, type: DOUBLE };
}

export function isLongNumber({ text }: NumberLiteral): boolean {
  return (
    text.length > SURE_DIGITS && /^[\d.]+$/.test(text) && text.replace(".", "").replace(/^0+/, "").length > SURE_DIGITS
  );
}
