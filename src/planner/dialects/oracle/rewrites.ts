/** Rewrites for Oracle: constructs that it lacks, or that mean something else. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Expressions.html */

import { unsupported } from "../../diagnostics.ts";
import { seriesRows } from "../../lowering/arrays/set-returning.ts";
import { rejectUnknownType } from "../../lowering/comparable.ts";
import { likeInLowerCase } from "../../lowering/patterns/like-patterns.ts";
import { refuseAggregatedQueries } from "../../lowering/queries/aggregated-queries.ts";
import { withRecursiveTables } from "../../lowering/queries/declared-recursion.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { isNull, logical, not } from "../../syntax/build.ts";
import type {
  Between,
  Case,
  Expression,
  InList,
  InQuery,
  Is,
  Like,
  NumberLiteral,
  Subscript,
  Window,
} from "../../syntax/tree.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";
import { elementOf } from "./arrays.ts";
import { oracleCasts } from "./casts.ts";
import { isMissing, marked, mayBeEmpty, withoutEmptyTexts } from "./empty-texts.ts";
import { oracleFields } from "./fields.ts";
import { oracleFunctions, TIME_PATTERNS } from "./functions.ts";
import { JSON_READING, jsonTexts } from "./json.ts";
import { ARRAYS, anyDocument } from "./json-arrays.ts";
import { compared, oracleOperators } from "./operators.ts";
import { groupOfMatch, similar } from "./regular-expressions.ts";
import { atTimeZone, literalTime } from "./times.ts";
import { NUMBERED_TIMES } from "./times-of-day.ts";

const MAX_PRECISION = 38;

function number(node: NumberLiteral): undefined {
  const digits = node.text.replace(/[eE].*/s, "").replace(".", "");
  if (digits.length > MAX_PRECISION) throw unsupported(`a number of more than ${MAX_PRECISION} digits`, node.span);
}

/** `(a, b) IS NULL`: all of them are, and all are not. */
function tested(node: Is): Expression | undefined {
  const { operand, negated } = node;
  if (node.test !== "null") return undefined;
  if (operand.kind !== "row") return JSON_READING.isMissing(node) ?? isMissing(operand, negated);
  const parts = operand.elements.map((each) => isMissing(each, negated) ?? isNull(each, negated));
  return logical("and", parts, node);
}

function like(node: Like): Expression {
  if (node.operator === "similar") return similar(node);
  const { pattern } = node;
  const [operand = node.operand, own = pattern] = marked([node.operand, pattern], node) ?? [];
  if (own.kind !== "string")
    throw unsupported("LIKE with a computed pattern", pattern.span, "Use position(… IN …) > 0.");
  return likeInLowerCase({ ...node, operand, pattern: own });
}

function between(node: Between): Expression | undefined {
  const [operand = node.operand, low = node.low, high = node.high] =
    marked([node.operand, node.low, node.high], node) ?? [];
  const same = { ...node, operand, low, high };
  return symmetricAsRanges(same) ?? same;
}

/** A list has at most a thousand values (ORA-01795). */
const MAX_LIST = 1000;

function inList(node: InList): Expression {
  const { negated } = node;
  if (node.operand.kind === "row") return inRows(node);
  rejectUnknownType(node.operand);
  const [operand = node.operand, ...list] = marked([node.operand, ...node.list], node) ?? [node.operand, ...node.list];
  const parts: InList[] = [];
  for (let at = 0; at < list.length; at += MAX_LIST)
    parts.push({ ...node, operand, list: list.slice(at, at + MAX_LIST) });
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : logical(negated ? "and" : "or", parts, node);
}

/** Member by member, which says where the answer is unknown. */
function inRows({ operand, list, negated, span }: InList): Expression {
  const equal = list.map((each) =>
    compared({ kind: "binary", operator: "=", left: operand, right: each, span, type: BOOLEAN }),
  );
  const [only] = equal;
  const any = only !== undefined && equal.length === 1 ? only : logical("or", equal, operand);
  return negated ? not(any) : any;
}

/** Unchanged. */
function inQuery({ operand }: InQuery): undefined {
  for (const each of operand.kind === "row" ? operand.elements : [operand]) rejectUnknownType(each);
}

function caseOf(node: Case): Case | undefined {
  const { operand, branches } = node;
  if (operand === undefined) return typeOrUnknown(node).kind === "array" ? documentOf(node) : undefined;
  rejectUnknownType(operand);
  const [own, ...whens] = marked([operand, ...branches.map((each) => each.when)], node) ?? [];
  if (own === undefined) return undefined;
  return {
    ...node,
    operand: own,
    branches: branches.map((each, index) => ({ ...each, when: whens[index] ?? each.when })),
  };
}

/** A CLOB beside a VARCHAR2 is ORA-00932. */
function documentOf(node: Case): Case {
  const branches = node.branches.map((each) => ({ ...each, then: anyDocument(each.then) }));
  return { ...node, branches, otherwise: node.otherwise && anyDocument(node.otherwise) };
}

function subscript(node: Subscript): Expression {
  const group = groupOfMatch(node.operand, node.index);
  if (group !== undefined) return group;
  return typeOrUnknown(node.operand).kind === "array" ? elementOf(node) : JSON_READING.subscript(node);
}

/** Bound, and not lowered yet: only a DATE has distances in intervals there, and a column of times may be a TIMESTAMP. */
function window(written: Window): Window {
  const { frame, orderBy } = written;
  const hasDistance = [frame?.start, frame?.end].some((bound) => bound !== undefined && "offset" in bound);
  const kinds = orderBy.map(({ expression }) => typeOrUnknown(expression).kind);
  if (frame?.unit === "range" && hasDistance && !kinds.every((kind) => kind === "integer" || kind === "decimal")) {
    throw unsupported("a RANGE frame with a distance in time", frame.span, "Join the table with itself on a range.");
  }
  return written;
}

/** The same; a position, of a constant, is one. */
function toldApart(expression: Expression): Expression {
  if (expression.kind !== "number") rejectUnknownType(expression);
  return expression;
}

/** A NUMBER has all its digits. */
const RECURSION = {
  scaleOf: () => 0,
  lengthsOf: () => [],
  aggregates: new Set("count sum avg min max listagg stddev_samp stddev_pop var_samp var_pop median".split(" ")),
  refusesArrays: true as const,
};

export const oracleRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  numberedTimes: NUMBERED_TIMES,
  timePatterns: TIME_PATTERNS,
  jsonTexts: jsonTexts(mayBeEmpty),
  expressions: expressionRules(
    ["string boolean null column session logical exists row scalar-query bound opaque interval unary array"],
    {
      number,
      between,
      like,
      quantified: ARRAYS.quantified,
      "in-list": inList,
      "in-query": inQuery,
      case: caseOf,
      typed: literalTime,
      collate: { refused: "COLLATE", hint: "Texts are compared and sorted by their bytes." },
      "at-time-zone": atTimeZone,
      is: tested,
      bits: UNSUPPORTED.bitLiterals,
      subscript,
      "array-query": UNSUPPORTED.arrays,
      slice: ARRAYS.slice,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: oracleOperators(),
  casts: oracleCasts(),
  fields: oracleFields(),
  functions: oracleFunctions(),
  rankedAggregates: new Set(["mode", "array_agg"]),
  tableFunctions: new Map([
    ["unnest", ARRAYS.unnest],
    ["generate_series", seriesRows],
  ]),
  window,
  keys: { keyOf: toldApart, sortOf: toldApart },
  statement: (statement, holds) => {
    if (holds(statement).hasSubqueries) refuseAggregatedQueries(statement);
    return withoutEmptyTexts(withRecursiveTables(statement, RECURSION));
  },
});
