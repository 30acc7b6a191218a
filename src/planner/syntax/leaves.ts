/** Expressions without operands: literals, names and native SQL. */
import type { SqlType } from "../types.ts";
import type { Identifier, Node, TypeName } from "./named.ts";

export interface ExpressionNode extends Node {
  readonly type?: SqlType;
  /** The literal is the value of this parameter of the request: never a position, and named `$1` in a column's name. */
  readonly parameter?: number;
}

/** Digits as written (`1`, `1.50`, `1e-3`; `0x1F` becomes decimal digits); never a JS number. */
export interface NumberLiteral extends ExpressionNode {
  readonly kind: "number";
  readonly text: string;
}

export interface StringLiteral extends ExpressionNode {
  readonly kind: "string";
  readonly value: string;
  /**
   * Set by binding: the time zone for a timestamp without one, if the other operand turns the text into a timestamp.
   * Default UTC.
   */
  readonly zone?: string;
  /** Set by binding: the literal was cast to text. Polymorphic functions and arrays need to know. */
  readonly isText?: true;
}

export interface BooleanLiteral extends ExpressionNode {
  readonly kind: "boolean";
  readonly value: boolean;
}

export interface NullLiteral extends ExpressionNode {
  readonly kind: "null";
}

/** `X'1F'` (`base` 16) or `B'01'` (`base` 2); `digits` without quotes. */
export interface BitsLiteral extends ExpressionNode {
  readonly kind: "bits";
  readonly base: 2 | 16;
  readonly digits: string;
}

/** `DATE '2024-01-01'`, `TIMESTAMP WITH TIME ZONE '…'`, `TIME '…'`: a type name followed by a string. */
export interface TypedLiteral extends ExpressionNode {
  readonly kind: "typed";
  readonly typeName: TypeName;
  readonly value: string;
}

/** `a`, `t.a`, `s.t.a`, `c.s.t.a`, and paths over relationship handles; at least one part. */
export interface ColumnReference extends ExpressionNode {
  readonly kind: "column";
  readonly parts: readonly Identifier[];
  /** `t.*` used as an expression: the row of a table as one value. */
  readonly wholeRow?: boolean;
}

/** `@name` in a row rule. The parser accepts it only with `sessionProperties: true`. */
export interface SessionProperty extends ExpressionNode {
  readonly kind: "session";
  readonly name: string;
}

/**
 * Native SQL, copied unchanged (docs/decisions/0023-native-sql.md). The parser never makes one; it is printed inside parentheses.
 */
export interface Opaque extends ExpressionNode {
  readonly kind: "opaque";
  readonly text: string;
  /** Origin of the text, as errors name it: `column "x" of model "m"`; undefined for text of a dialect. */
  readonly owner: string | undefined;
}
