/** Binds expressions: names to columns, operators and functions to types; literals take the type that their context asks for. */

import { PlannerError } from "../diagnostics.ts";
import { enumValue } from "../legacy/enums.ts";
import { countStep } from "../plan-budget.ts";
import { binary, cast, interval, unbound } from "../syntax/build.ts";
import { isComparison } from "../syntax/comparisons.ts";
import type {
  Between,
  Binary,
  Case,
  Cast,
  Expression,
  Identifier,
  Query,
  Span,
  Subscript,
  Unary,
} from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import {
  BOOLEAN,
  canonicalTypeName,
  describeType,
  isNumeric,
  isUnknown,
  NULL_TYPE,
  partOfJson,
  REAL,
  type SqlType,
  TIMESTAMP,
  TIMESTAMPTZ,
  UNKNOWN,
} from "../types.ts";
import { bindSubquery, type ExpressionBinding } from "./binding.ts";
import { bindCall } from "./call.ts";
import { convertTo, toCommonType, typeOf, unify, widenReal } from "./coercion.ts";
import { bindKeyOfText, foreignCollation } from "./collations.ts";
import { condition } from "./conditions.ts";
import { withConstantText } from "./constant-texts.ts";
import type { BindingContext } from "./context.ts";
import { bindExtract } from "./extract.ts";
import { countedUnit, joinedLiteral } from "./interval-texts.ts";
import {
  bindBits,
  bindInterval,
  bindTypedLiteral,
  literalOfType,
  namedType,
  numberType,
  zonedText,
} from "./literals.ts";
import type { NamePlace } from "./not-found.ts";
import { bindBinary } from "./operators.ts";
import { textOperand, wellFormed } from "./patterns.ts";
import { bindInQuery, bindQuantified, bindRowAndQuery, singleColumn } from "./query-comparisons.ts";
import { comparedRanges } from "./ranges.ts";
import { inSessionZone } from "./session-zone.ts";
import { nullnessOfRow, refuseRow, valueOfRow } from "./whole-rows.ts";
import { warnOfManifestZone } from "./zones.ts";

/** The source has what of PostgreSQL's the catalogue has not. */
const hasRanges = ({ binder }: ExpressionBinding): boolean => binder.context.options.unlisted.postgres === "pass";

/** The bound form of `expression`; every node in it has a type. Throws PlannerError. */
export function bindExpression(expression: Expression, binding: ExpressionBinding): Expression {
  countStep();
  switch (expression.kind) {
    case "number":
      return { ...expression, type: numberType(expression.text) };
    case "string":
      return zonedText(expression, binding);
    case "boolean":
      return { ...expression, type: BOOLEAN };
    case "null":
      return { ...expression, type: NULL_TYPE };
    case "bits":
      return bindBits(expression);
    case "typed":
      return noted(bindTypedLiteral(expression, binding), binding);
    case "column":
      if (expression.wholeRow === true) refuseRow(expression.parts.map(({ name }) => name).join("."), expression.span);
      return noted(bindColumn(expression.parts, expression.span, binding), binding);
    case "session":
      throw new PlannerError("SYNTAX", `@${expression.name} is only known in access rules`, { span: expression.span });
    case "bound":
    case "spelled":
    case "opaque":
      return expression;
    case "call":
      // Aggregates are known by their nodes.
      return noted(bindCall(expression, binding), binding);
    default:
      return noted(inSessionZone(bindComposed(expression, binding), binding.binder.context), binding);
  }
}

function noted(bound: Expression, { binder: { context } }: ExpressionBinding): Expression {
  context.noteType(bound.type);
  return bound;
}

type Leaf =
  | "number"
  | "string"
  | "boolean"
  | "null"
  | "bits"
  | "typed"
  | "column"
  | "session"
  | "bound"
  | "spelled"
  | "opaque"
  | "call";

function bindComposed(
  expression: Exclude<Expression, { readonly kind: Leaf }>,
  binding: ExpressionBinding,
): Expression {
  const bind = (child: Expression): Expression => bindExpression(child, binding);
  switch (expression.kind) {
    case "interval":
      return bindInterval(expression, bind);
    case "unary":
      return bindUnary(expression, bind(expression.operand));
    case "binary": {
      const ranges = hasRanges(binding) ? undefined : comparedRanges(expression, bind);
      if (ranges !== undefined) return ranges;
      const bound = bindRowAndQuery(expression, bind, binding) ?? bindBinary(expression, ...sidesOf(expression, bind));
      if (bound.kind === "binary" && bound.operator === "/") binding.binder.context.quotients.push(bound);
      return bound;
    }
    case "logical": {
      const operands = expression.operands.map((operand) =>
        condition(bind(operand), expression.operator.toUpperCase()),
      );
      return { ...expression, operands, type: BOOLEAN };
    }
    case "like":
      return wellFormed({
        ...expression,
        operand: textOperand(bind(expression.operand), expression.operator),
        pattern: withConstantText(textOperand(bind(expression.pattern), expression.operator)),
        escape: expression.escape && bind(expression.escape),
        type: BOOLEAN,
      });
    case "between":
      return bindBetween(expression, bind);
    case "in-list": {
      const operand = bind(expression.operand);
      const items = expression.list.map(bind);
      if (areReals(operand, items)) return { ...expression, operand, list: items.map(asReal), type: BOOLEAN };
      const list = items.map((item) => toCommonType(operand, item, item.span)[1]);
      const [first] = list;
      const converted = first === undefined ? operand : toCommonType(operand, first, expression.span)[0];
      return { ...expression, operand: converted, list, type: BOOLEAN };
    }
    case "in-query":
      return bindInQuery(expression, bind, binding);
    case "quantified":
      return bindQuantified(expression, bind, binding);
    case "exists":
      return {
        ...expression,
        query: bindSubquery(withoutColumns(expression.query), binding).query,
        type: BOOLEAN,
      };
    case "is": {
      const ofRow = nullnessOfRow(expression, binding);
      if (ofRow !== undefined) return ofRow;
      const operand = bind(expression.operand);
      if (expression.test === "null") return { ...expression, operand, type: BOOLEAN };
      return { ...expression, operand: condition(operand, `IS ${expression.test.toUpperCase()}`), type: BOOLEAN };
    }
    case "case":
      return bindCase(expression, bind);
    case "cast":
      return warnOfManifestZone(bindCast(expression, bind(expression.operand), binding), binding.binder.context);
    case "extract":
      return warnOfManifestZone(
        bindExtract({ ...expression, operand: bind(expression.operand) }),
        binding.binder.context,
      );
    case "array": {
      if (expression.elements.length === 0) return { ...expression, type: { kind: "array", element: NULL_TYPE } };
      const { expressions, type } = unify(expression.elements.map(bind), "ARRAY");
      return { ...expression, elements: expressions, type: { kind: "array", element: type } };
    }
    case "array-query": {
      const bound = bindSubquery(expression.query, binding);
      const type: SqlType = { kind: "array", element: singleColumn(bound, expression.span).type };
      return { ...expression, query: bound.query, type };
    }
    case "subscript":
      return bindSubscript(expression, bind(expression.operand), bind(expression.index));
    case "slice": {
      const operand = bind(expression.operand);
      return {
        ...expression,
        operand,
        from: expression.from && bind(expression.from),
        to: expression.to && bind(expression.to),
        type: typeOf(operand),
      };
    }
    case "field": {
      const ofRow = expression.operand.kind === "column" && binding.scope.relationOfRow(expression.operand);
      if (ofRow && expression.operand.kind === "column") {
        return bindColumn([...expression.operand.parts, expression.field], expression.span, binding);
      }
      const operand = bind(expression.operand);
      const type = typeOf(operand);
      const field = type.kind === "row" ? type.fields.find((each) => each.name === expression.field.name) : undefined;
      return { ...expression, operand, type: field?.type ?? UNKNOWN };
    }
    case "row": {
      const elements = expression.elements.map(bind);
      const fields = elements.map((element) => ({ name: undefined, type: typeOf(element) }));
      return { ...expression, elements, type: { kind: "row", fields } };
    }
    case "scalar-query": {
      const bound = bindSubquery(expression.query, binding);
      return { ...expression, query: bound.query, type: singleColumn(bound, expression.span).type };
    }
    case "collate":
      throw foreignCollation(expression);
    case "at-time-zone":
      return bindAtTimeZone(expression, bind);
    default:
      return expression satisfies never;
  }
}

function sidesOf(
  { operator, left, right }: Binary,
  bind: (expression: Expression) => Expression,
): readonly [left: Expression, right: Expression] {
  const side = isComparison(operator) ? (each: Expression) => bindKeyOfText(each, bind) : bind;
  return [side(left), side(right)];
}

/** A relation or handle comes before an enum of its name (docs/spec/planner.md#enums-and-macros). */
function bindColumn(parts: readonly Identifier[], span: Span, binding: ExpressionBinding): Expression {
  const { binder, scope, clause } = binding;
  const { enums } = binder.context.manifest;
  try {
    return scope.resolve(parts, span, clause.aliases, () => namePlace(binding));
  } catch (error) {
    if (!(error instanceof PlannerError) || error.reason !== "COLUMN_NOT_FOUND") throw error;
    const only = valueOfRow({ kind: "column", parts, span }, binding);
    if (only !== undefined) return only;
    const isEnum = parts.length === 2 && enums.has(parts[0]?.name ?? "");
    const value = isEnum ? enumValueFor(parts, span, binder.context) : undefined;
    if (value !== undefined) return value;
    throw error;
  }
}

/** `undefined` for an unknown value of an enum that the caller may not know of: the name is as unknown as any other. */
function enumValueFor(parts: readonly Identifier[], span: Span, context: BindingContext): Expression | undefined {
  try {
    return enumValue(parts, span, context.manifest.enums);
  } catch (error) {
    if (error instanceof PlannerError && context.concealsEnum(parts[0]?.name ?? "")) return undefined;
    throw error;
  }
}

function namePlace({ clause, binder }: ExpressionBinding): NamePlace {
  return {
    clause: clause.name,
    isLaterAlias: (name) => clause.laterAliases?.(name) === true,
    manifest: binder.context.manifest,
    conceals: (model, column) => binder.context.concealsNamed(model, column),
  };
}

// ------------------------------------------------------------------------------------------------------ operators

function bindUnary(node: Unary, operand: Expression): Expression {
  if (node.operator === "not") return { ...node, operand: condition(operand, "NOT"), type: BOOLEAN };
  const type = typeOf(operand);
  const fits =
    isNumeric(type) || isUnknown(type) || type.kind === "null" || (type.kind === "interval" && node.operator !== "~");
  if (!fits) {
    throw new PlannerError("TYPE_MISMATCH", `operator ${node.operator} does not apply to ${describeType(type)}`, {
      span: node.span,
    });
  }
  return { ...node, operand, type };
}

function bindBetween(node: Between, bind: (child: Expression) => Expression): Expression {
  const operand = bind(node.operand);
  const [asLow, low] = toCommonType(operand, bind(node.low), node.span);
  const [converted, high] = toCommonType(asLow, bind(node.high), node.span);
  return { ...node, operand: converted, low, high, type: BOOLEAN };
}

function bindCase(node: Case, bind: (child: Expression) => Expression): Expression {
  const operand = node.operand && bind(node.operand);
  const whens = node.branches.map((branch) => {
    const when = bind(branch.when);
    return operand === undefined ? condition(when, "WHEN") : toCommonType(operand, when, branch.when.span)[1];
  });
  const results = node.branches.map((branch) => bind(branch.then));
  if (node.otherwise !== undefined) results.push(bind(node.otherwise));
  const { expressions, type } = unify(results, "CASE");
  const compared = operand && whens.reduce((value, when) => widenReal(value, typeOf(when)), operand);
  const branches = whens.map((when, index) => ({ when, then: expressions[index] ?? when }));
  return { ...node, operand: compared, branches, otherwise: node.otherwise && expressions[whens.length], type };
}

/** Several numbers that a real is looked for among are reals in PostgreSQL; a single one is compared in double precision. */
function areReals(operand: Expression, items: readonly Expression[]): boolean {
  if (!isReal(operand) || items.length < 2) return false;
  return items.every(
    (item) =>
      (["integer", "decimal"].includes(typeOf(item).kind) || isReal(item)) &&
      !someExpression(item, ({ kind }) => kind === "bound"),
  );
}

function isReal({ type }: Expression): boolean {
  return type?.kind === "float" && type.bits === 32;
}

function asReal(item: Expression): Expression {
  return isReal(item) ? item : cast(item, "real", { span: item.span, type: REAL });
}

/** A text that is put together, cast to an interval; `undefined` for other casts. */
function bindIntervalText(node: Cast, operand: Expression, binding: ExpressionBinding): Expression | undefined {
  if (node.typeName.name !== "interval" || node.typeName.parameters.length > 0 || node.safe) return undefined;
  const literal = joinedLiteral(operand);
  if (literal !== undefined) return bindCast(node, literal, binding);
  const [count, unit] = countedUnit(operand) ?? [];
  if (count === undefined) return undefined;
  const one = bindExpression(interval(`1 ${unit}`, operand), binding);
  return bindBinary(binary(count, "*", one, unbound(node)), count, one);
}

function bindCast(node: Cast, operand: Expression, binding: ExpressionBinding): Expression {
  const put = bindIntervalText(node, operand, binding);
  if (put !== undefined) return put;
  const type = namedType(node.typeName);
  if (node.typeName.name === "null") {
    throw new PlannerError("TYPE_MISMATCH", "null is a value and no type", { span: node.typeName.span });
  }
  if (/^(n?char|character)$/.test(node.typeName.name) && node.typeName.parameters.length === 0) {
    throw new PlannerError(
      "TYPE_MISMATCH",
      "char without a length is one character in PostgreSQL and any text in other languages",
      {
        span: node.typeName.span,
        hint: "Write text, or char(1).",
      },
    );
  }
  if (operand.kind === "string" && !node.safe) {
    const literal = literalOfType(operand, type, node.typeName, binding);
    if (literal !== undefined) return { ...literal, span: node.span };
  }
  const deeper = arrayDepth(typeOf(operand)) - arrayDepth(type);
  if (type.kind === "array" && deeper > 0) {
    // The array type does not record its dimensions.
    const name = canonicalTypeName(node.typeName, type);
    return {
      ...node,
      operand,
      typeName: { ...name, dimensions: name.dimensions + deeper },
      type: nested(type, deeper),
    };
  }
  return { ...node, operand, typeName: canonicalTypeName(node.typeName, type), type };
}

function arrayDepth(type: SqlType): number {
  return type.kind === "array" ? 1 + arrayDepth(type.element) : 0;
}

function nested(type: SqlType, levels: number): SqlType {
  return levels === 0 ? type : { kind: "array", element: nested(type, levels - 1) };
}

function bindSubscript(node: Subscript, operand: Expression, index: Expression): Expression {
  const type = typeOf(operand);
  if (type.kind === "array") return { ...node, operand, index, type: type.element };
  if (type.kind === "json") return { ...node, operand, index, type: partOfJson([type]) };
  if (isUnknown(type)) return { ...node, operand, index, type: UNKNOWN };
  throw new PlannerError("TYPE_MISMATCH", `[…] takes an array, not ${describeType(type)}`, { span: node.span });
}

function bindAtTimeZone(
  node: Extract<Expression, { kind: "at-time-zone" }>,
  bind: (child: Expression) => Expression,
): Expression {
  const operand = convertTo(bind(node.operand), TIMESTAMPTZ);
  const type = typeOf(operand);
  if (type.kind === "time") return { ...node, operand, zone: bind(node.zone), type: { kind: "time", zoned: true } };
  if (type.kind !== "timestamp" && type.kind !== "date" && !isUnknown(type) && type.kind !== "null") {
    throw new PlannerError("TYPE_MISMATCH", `AT TIME ZONE takes a timestamp, not ${describeType(type)}`, {
      span: node.span,
    });
  }
  // A date is the instant at which it begins.
  const isInstant = type.kind === "date" || (type.kind === "timestamp" && type.zoned);
  const result = isInstant ? TIMESTAMP : type.kind === "timestamp" ? TIMESTAMPTZ : UNKNOWN;
  return { ...node, operand, zone: bind(node.zone), type: result };
}

// ------------------------------------------------------------------------------------------------------ subqueries

/** EXISTS reads only rows: a star in its select list must not mark every column of the model as read. */
function withoutColumns(query: Query): Query {
  const { body } = query;
  if (body.kind !== "select" || body.distinct !== undefined || body.groupBy !== undefined) return query;
  if (!body.items.some((item) => item.kind === "star")) return query;
  const one = {
    kind: "item",
    expression: { kind: "number", text: "1", span: body.span },
    alias: undefined,
    span: body.span,
  } as const;
  return { ...query, body: { ...body, items: [one] } };
}
