/**
 * Expressions that can be computed for all values without an error. Only these may run before a row rule has filtered
 * the rows: an error over an excluded row reveals it (docs/decisions/0020-row-rules.md, docs/reference/access-rules.md).
 *
 * `harmless.ts` holds measured facts per kind of value. This file decides the rest: common types, literals, queries. An
 * expression not known to be harmless is taken to raise, because a fence costs less than a leak. Aggregates and windows
 * count as their arguments: they only see rows that passed the rule.
 */

import { findFunction } from "../functions/catalogue.ts";
import { COMPARISON_OPERATORS } from "../syntax/comparisons.ts";
import type { Call, Cast, Expression, PrintableColumn, Query, QueryBody, Window } from "../syntax/tree.ts";
import { type SyntaxNode, someChild } from "../syntax/walk.ts";
import type { SqlType } from "../types.ts";
import { haveCommonType, shareCollation } from "./common-types.ts";
import { type Harmless, isComputed } from "./harmless.ts";
import { isLiteral, isReadable, isWellFormedPattern } from "./literals.ts";

export interface RaisingFacts {
  /** `undefined`: the engine was not measured, and everything may raise. */
  readonly engine: Harmless | undefined;
  /** Whether the expression of a column cannot raise: true for a physical column, else to be found out. */
  readonly column: (column: PrintableColumn) => boolean;
}

/** Whether a bound expression, or any expression in a bound query, can never make the engine raise an error. */
export function cannotRaise(node: SyntaxNode, facts: RaisingFacts): boolean {
  return firstRaising(node, facts) === undefined;
}

/** The first part of `node` that may raise, in the order of the text; `undefined`: nothing does. */
export function firstRaising(node: SyntaxNode, facts: RaisingFacts): SyntaxNode | undefined {
  const { engine } = facts;
  if (engine === undefined) return node;
  const known = { ...facts, engine };
  let found: SyntaxNode | undefined;
  const mayRaise = (each: SyntaxNode): boolean => {
    if (isHarmless(each, known)) return someChild(each, mayRaise);
    found = each;
    return true;
  };
  mayRaise(node);
  return found;
}

/** Judges the node itself; its children are judged separately. */
function isHarmless(node: SyntaxNode, facts: RaisingFacts & { readonly engine: Harmless }): boolean {
  const { engine } = facts;
  switch (node.kind) {
    case "number":
      // Longer numbers exceed the range of some engine; an exponent makes a double.
      return /^\d{1,38}(?:\.\d{1,38})?$/.test(node.text) && node.text.length <= 39;
    case "string":
    case "boolean":
    case "null":
    case "session":
      return true;
    case "typed":
      return node.typeName.parameters.length === 0 && isReadable(node.typeName.name, node.value);
    case "bound":
      return facts.column(node.column);
    case "unary":
      return (
        node.operator === "not" ||
        isLiteral(node) ||
        (node.operator === "-" && computes(engine, "negate", node.operand))
      );
    case "binary":
      return COMPARISONS.has(node.operator)
        ? haveOneType(engine, node.left, node.right)
        : computes(engine, node.operator, node.left, node.right);
    case "logical":
    case "exists":
      return true;
    case "like":
      return (
        node.operator !== "similar" &&
        computes(engine, node.operator, node.operand) &&
        haveOneType(engine, node.operand, node.pattern) &&
        node.pattern.kind === "string" &&
        (node.escape === undefined || node.escape.kind === "string") &&
        isWellFormedPattern(node.pattern.value, node.escape?.value ?? "\\")
      );
    case "between":
      return haveOneType(engine, node.operand, node.low, node.high);
    case "in-list":
      return haveOneType(engine, node.operand, ...node.list);
    case "in-query":
      return columnsHaveCommonType([[node.operand], ...(rowsOf(node.query.body) ?? [[]])], engine);
    case "is":
      return node.test === "null" || node.operand.type?.kind === "boolean";
    case "case":
      return (
        (node.operand === undefined || haveOneType(engine, node.operand, ...node.branches.map(({ when }) => when))) &&
        haveOneType(
          engine,
          ...node.branches.map(({ then }) => then),
          ...(node.otherwise === undefined ? [] : [node.otherwise]),
        )
      );
    case "extract":
      return computes(engine, `extract ${node.field}`, node.operand);
    case "column":
      // The expansion of a model reads a physical column by its name.
      return engine.listed !== undefined;
    case "cast":
      if (engine.listed?.source === "databricks" && isTextOfColumn(node)) return true;
      return isPlainCast(node) && computes(engine, `cast ${kindNameOf(node.type)}`, node.operand);
    case "call":
      return isHarmlessCall(node, engine);
    case "query":
      if (engine.listed !== undefined && node.with?.recursive === true) return false;
      return isPlainLimit(node.limit?.count) && isPlainLimit(node.offset);
    case "select":
      return node.windows.every(({ window }) => hasHarmlessFrame(window));
    case "set":
    case "values":
      return columnsHaveCommonType(rowsOf(node), engine);
    case "join":
      // The columns of USING are compared without an expression that could be judged.
      return engine.listed === undefined || (!node.natural && node.using.length === 0);
    case "nested":
    case "derived":
    case "aliased-join":
    case "table":
    case "bound-model":
    case "bound-common":
    case "ruled":
    case "physical-table":
    case "item":
    case "star":
      return true;
    case "bits":
    case "interval":
    case "quantified":
    case "array":
    case "array-query":
    case "subscript":
    case "slice":
    case "field":
    case "row":
    case "scalar-query":
    case "collate":
    case "at-time-zone":
    case "opaque":
    case "spelled":
    case "function":
    case "opaque-table":
      return false;
    default:
      return node satisfies never;
  }
}

function haveOneType({ conversions }: Harmless, ...expressions: readonly Expression[]): boolean {
  return haveCommonType(expressions, conversions);
}

function computes(engine: Harmless, what: string, ...values: readonly Expression[]): boolean {
  return isComputed(what, values, engine) && shareCollation(values, engine.conversions);
}

const COMPARISONS: ReadonlySet<string> = new Set([...COMPARISON_OPERATORS, "is distinct from", "is not distinct from"]);

function isHarmlessCall(call: Call, engine: Harmless): boolean {
  const [first, ...rest] = call.name;
  if (first === undefined || rest.length > 0 || call.withinGroup.length > 0) return false;
  if (call.over !== undefined && !hasHarmlessFrame(call.over)) return false;
  const values = call.arguments.map(({ value }) => value);
  const kinds = values.map(({ type }) => type?.kind);
  const { name } = first;
  const isListed = engine.listed === undefined || engine.listed.call(name, values);
  switch (isListed ? findFunction(name)?.neverRaises : undefined) {
    case "comparable":
      return haveCommonType(values, engine.conversions);
    case "booleans":
      return kinds.every((kind) => kind === "boolean");
    case "exact numbers":
      return kinds.every((kind) => kind === "integer" || kind === "decimal");
    case "one":
      if (values.length <= 1) return true;
      break;
    case "none":
      return values.length === 0;
    case undefined:
      break;
  }
  const [unit, value, zone] = values;
  // An unknown zone raises.
  if (name === "date_trunc" && zone === undefined && unit?.kind === "string" && value !== undefined) {
    return isComputed(`date_trunc ${unit.value}`, [value], engine);
  }
  return isComputed(name, values, engine) && shareCollation(values, engine.conversions);
}

/** Casts to a type without length or scale; others were not measured. */
function isPlainCast({ safe, typeName }: Cast): boolean {
  return !safe && typeName.parameters.length === 0 && typeName.dimensions === 0 && typeName.members.length === 0;
}

/** Texts of Databricks may have collations of their own, so that the expansion reads them as STRING. */
function isTextOfColumn({ safe, typeName, operand }: Cast): boolean {
  return !safe && operand.kind === "column" && typeName.name === "text" && typeName.dimensions === 0;
}

/** Names of cast targets, as the probes use them. */
function kindNameOf(type: SqlType | undefined): string {
  switch (type?.kind) {
    case "integer":
      return type.bits === 64 ? "bigint" : type.bits === 32 ? "integer" : "smallint";
    case "float":
      return type.bits === 32 ? "real" : "double";
    case "time":
      return type.zoned ? "timetz" : "time";
    case "timestamp":
      return type.zoned ? "timestamptz" : "timestamp";
    default:
      return type?.kind ?? "";
  }
}

/** RANGE with a distance computes with the key, which may overflow. */
function hasHarmlessFrame({ frame }: Window): boolean {
  if (frame === undefined) return true;
  const offsets = [frame.start, frame.end].flatMap((bound) => (bound && "offset" in bound ? [bound.offset] : []));
  return offsets.every((offset) => frame.unit !== "range" && offset.kind === "number");
}

const isPlainLimit = (count: Expression | undefined): boolean =>
  count === undefined || /^\d{1,18}$/.test(textOf(count));

const textOf = (expression: Expression): string => (expression.kind === "number" ? expression.text : "");

/** The expressions of each row or branch that a query's columns are made of; `undefined` where a star hides them. */
function rowsOf(body: QueryBody): readonly (readonly Expression[])[] | undefined {
  switch (body.kind) {
    case "select": {
      const items = body.items.map((item) => (item.kind === "item" ? item.expression : undefined));
      return items.every((item) => item !== undefined) ? [items] : undefined;
    }
    case "values":
      return body.rows;
    case "nested":
      return rowsOf((body.query satisfies Query).body);
    case "set": {
      const [left, right] = [rowsOf(body.left), rowsOf(body.right)];
      return left === undefined || right === undefined ? undefined : [...left, ...right];
    }
    default:
      return body satisfies never;
  }
}

function columnsHaveCommonType(rows: readonly (readonly Expression[])[] | undefined, engine: Harmless): boolean {
  const [first = []] = rows ?? [];
  if (rows === undefined || rows.some((row) => row.length !== first.length)) return false;
  return first.every((_expression, index) => {
    const column = rows.map((row) => row[index]).filter((expression) => expression !== undefined);
    return haveCommonType(column, engine.conversions);
  });
}
