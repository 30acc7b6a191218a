/**
 * Builders for nodes that rewrites add. Each new node has the span of the node that it replaces and its own type. Only
 * `inPlaceOf` copies the type as well: a type copied by accident once ended up on an index inside a text function.
 */
import { BOOLEAN, type SqlType, TEXT } from "../types.ts";
import type {
  AtTimeZone,
  Binary,
  BinaryOperator,
  Call,
  Case,
  Cast,
  ComparisonOperator,
  Expression,
  Identifier,
  Logical,
  Query,
  QueryBody,
  Select,
  SelectExpression,
  Span,
  Star,
  TypeName,
} from "./tree.ts";

/**
 * Span and type that a new node is built with. The type is undefined before binding. `kind?: never` keeps whole nodes
 * from being passed.
 */
export interface Place {
  readonly kind?: never;
  readonly span: Span;
  readonly type: SqlType | undefined;
}

function withType(type: SqlType | undefined): { readonly type?: SqlType } {
  return type === undefined ? {} : { type };
}

/** Node info with a given type and the span of another node. */
export function typed(type: SqlType, { span }: { readonly span: Span }): Place {
  return { span, type };
}

/** Node info of the node that is replaced: its span and its type. */
export function inPlaceOf({ span, type }: { readonly span: Span; readonly type?: SqlType }): Place {
  return { span, type };
}

/** Node info of a node that is bound later, which sets its type. */
export function unbound({ span }: { readonly span: Span }): Place {
  return { span, type: undefined };
}

export function call(name: string, values: readonly Expression[], at: Place): Call {
  return {
    kind: "call",
    name: [{ name, quoted: false, span: at.span }],
    arguments: values.map((value) => ({ name: undefined, value })),
    star: false,
    distinct: false,
    orderBy: [],
    withinGroup: [],
    filter: undefined,
    nulls: undefined,
    over: undefined,
    span: at.span,
    ...withType(at.type),
  };
}

/** The same call under another name. */
export function renamed(original: Call, name: string): Call {
  return { ...original, name: [{ name, quoted: false, span: original.span }] };
}

/** The same call with other arguments. */
export function withArguments(original: Call, values: readonly Expression[]): Call {
  return { ...original, arguments: values.map((value) => ({ name: undefined, value })) };
}

export function values(original: Call): readonly Expression[] {
  return original.arguments.map((argument) => argument.value);
}

export function text(value: string, at: { readonly span: Span }): Expression {
  return { kind: "string", value, span: at.span, type: TEXT };
}

export function integer(value: number, at: { readonly span: Span }): Expression {
  const digits: Expression = {
    kind: "number",
    text: String(Math.abs(value)),
    span: at.span,
    type: { kind: "integer", bits: 32 },
  };
  return value < 0
    ? { kind: "unary", operator: "-", operand: digits, span: at.span, type: { kind: "integer", bits: 32 } }
    : digits;
}

/** A decimal literal as its digits. */
export function decimal(digits: string, at: { readonly span: Span }): Expression {
  return { kind: "number", text: digits, span: at.span, type: { kind: "decimal" } };
}

export function typeName(name: string, at: { readonly span: Span }, parameters: readonly number[] = []): TypeName {
  return { name, parameters, dimensions: 0, members: [], span: at.span };
}

export function cast(operand: Expression, name: string, at: Place, parameters: readonly number[] = []): Cast {
  return {
    kind: "cast",
    operand,
    typeName: typeName(name, at, parameters),
    safe: false,
    span: at.span,
    ...withType(at.type),
  };
}

/** A text constant with its type written, for engines that resolve functions of any type by it. */
export function asTypedText(value: Expression): Expression {
  return value.kind === "string" ? cast(value, "text", { span: value.span, type: TEXT }) : value;
}

export function binary(left: Expression, operator: BinaryOperator, right: Expression, at: Place): Binary {
  return { kind: "binary", operator, left, right, span: at.span, ...withType(at.type) };
}

export function comparison(
  left: Expression,
  operator: ComparisonOperator | "~" | "~*" | "is distinct from" | "is not distinct from",
  right: Expression,
  at: { readonly span: Span },
): Binary {
  return binary(left, operator, right, typed(BOOLEAN, at));
}

/** Text concatenation. */
export function concatenation(left: Expression, right: Expression, at: { readonly span: Span }): Binary {
  return binary(left, "||", right, typed(TEXT, at));
}

export function not(operand: Expression): Expression {
  return { kind: "unary", operator: "not", operand, span: operand.span, type: BOOLEAN };
}

export function isNull(operand: Expression, negated: boolean): Expression {
  return { kind: "is", operand, negated, test: "null", span: operand.span, type: BOOLEAN };
}

export function all(conditions: readonly Expression[], at: { readonly span: Span }): Expression | undefined {
  return conditions.length === 0 ? undefined : logical("and", conditions, at);
}

/** Returns a single operand unchanged. */
export function logical(
  operator: Logical["operator"],
  operands: readonly Expression[],
  at: { readonly span: Span },
): Expression {
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return only;
  return { kind: "logical", operator, operands, span: at.span, type: BOOLEAN };
}

export function atZone(operand: Expression, zone: Expression, at: Place): AtTimeZone {
  return { kind: "at-time-zone", operand, zone, span: at.span, ...withType(at.type) };
}

export function when(condition: Expression, then: Expression, otherwise: Expression | undefined, at: Place): Case {
  return cases([{ when: condition, then }], otherwise, at);
}

export function cases(branches: Case["branches"], otherwise: Expression | undefined, at: Place): Case {
  return { kind: "case", operand: undefined, branches, otherwise, span: at.span, ...withType(at.type) };
}

export function interval(words: string, at: { readonly span: Span }): Expression {
  return {
    kind: "interval",
    value: text(words, at),
    unit: undefined,
    toUnit: undefined,
    span: at.span,
    type: { kind: "interval" },
  };
}

/** An identifier that keeps its case. */
export function exactName(name: string, span: Span): Identifier {
  return { name, quoted: true, span };
}

/** A column of a table by the alias that a rewrite gave it. */
export function columnOf(alias: string, name: string, at: Place): Expression {
  const parts = [exactName(alias, at.span), exactName(name, at.span)];
  return { kind: "column", parts, span: at.span, ...withType(at.type) };
}

/** `*` */
export function star(at: { readonly span: Span }): Star {
  return { kind: "star", qualifier: [], except: [], replace: [], rename: [], span: at.span };
}

export function selectItem(
  expression: Expression,
  alias: Identifier | undefined,
  at: { readonly span: Span },
): SelectExpression {
  return { kind: "item", expression, alias, span: at.span };
}

/** A SELECT with the clauses that are given and no others. */
export function selectOf(
  clauses: Pick<Select, "items"> & Partial<Omit<Select, "kind" | "items" | "span">>,
  at: { readonly span: Span },
): Select {
  return {
    kind: "select",
    distinct: undefined,
    from: [],
    where: undefined,
    groupBy: undefined,
    having: undefined,
    windows: [],
    qualify: undefined,
    ...clauses,
    span: at.span,
  };
}

/** `body` with the clauses that are given and no others. */
export function queryOf(body: QueryBody, clauses: Partial<Omit<Query, "kind" | "body" | "span">> = {}): Query {
  return {
    kind: "query",
    with: undefined,
    body,
    orderBy: [],
    limit: undefined,
    offset: undefined,
    ...clauses,
    span: body.span,
  };
}
