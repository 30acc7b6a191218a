/** Casts to a type by its canonical name, whatever name was written, for targets with decimals of 38 digits. */
import { cast, typed } from "../../syntax/build.ts";
import type { Cast, Expression, Span, TypeName } from "../../syntax/tree.ts";
import { type SqlType, typeOrUnknown } from "../../types.ts";
import { LONG_NUMERIC } from "./long-decimals.ts";

/** The cast with the target's name of the type; a text of any length, and times with six fraction digits. */
export function plain(node: Cast): Cast {
  const type = typeOrUnknown(node);
  return { ...node, typeName: { ...nameOf(type, node.typeName), span: node.typeName.span } };
}

function nameOf(type: SqlType, { span }: TypeName): TypeName {
  const named = (name: string, parameters: readonly number[] = []): TypeName => ({
    name,
    parameters,
    dimensions: 0,
    members: [],
    span,
  });
  switch (type.kind) {
    case "integer":
      return named(type.bits === 64 ? "bigint" : type.bits === 32 ? "integer" : "smallint");
    case "float":
      return named(type.bits === 32 ? "real" : "double precision");
    case "decimal":
      return type.precision === undefined ? named(LONG_NUMERIC) : named("numeric", [type.precision, type.scale ?? 0]);
    case "timestamp":
      return named(type.zoned ? "timestamp with time zone" : "timestamp");
    case "time":
      return named(type.zoned ? "time with time zone" : "time");
    case "binary":
      return named("bytea");
    case "array":
      return { ...nameOf(type.element, named("")), dimensions: dimensionsOf(type) };
    case "boolean":
    case "date":
    case "uuid":
    case "json":
      return named(type.kind);
    default:
      return named("text");
  }
}

/** An array with a cast, because an empty array, or one of only NULLs, would have no type. */
export function arrayOf(type: SqlType, at: { readonly span: Span }, elements: readonly Expression[] = []): Expression {
  const operand: Expression = { kind: "array", elements, span: at.span, type };
  return plain(cast(operand, "", typed(type, at)));
}

const dimensionsOf = (type: SqlType): number => (type.kind === "array" ? 1 + dimensionsOf(type.element) : 0);
