/**
 * Source expressions that the source would reject, as expressions of the input language: their names are columns of the model's own
 * table, with the declared types. An expression that cannot be read so stays the modeller's own text
 * (docs/decisions/0023-native-sql.md).
 */
import type { BindingContext } from "../binding/context.ts";
import { asDeclared } from "../binding/declared-types.ts";
import { PlannerError } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import { canonicalCall } from "../functions/synonyms.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { ownerOf } from "../manifest/calculated.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { findColumn } from "../manifest/paths.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import type { NativeExpression } from "../syntax/native.ts";
import { parseExpression } from "../syntax/parser.ts";
import { sizeOf } from "../syntax/size.ts";
import type { Expression, Identifier, Span } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { SqlType } from "../types.ts";
import { bindManifestExpression } from "./manifest-expression.ts";
import { physicalName } from "./physical.ts";

export interface SourceExpression {
  readonly model: Model;
  readonly column: ModelColumn;
  readonly native: NativeExpression;
  readonly flavour: NativeFlavour;
  /** Reads a column of the model's own table. */
  readonly read: (column: ModelColumn, physical: string) => Expression;
}

/** Undefined where the text is not an expression of the input language over columns of the model's own table. */
export function translatedExpression(
  { model, column, native: { text, foreign }, flavour, read }: SourceExpression,
  context: BindingContext,
): Expression | undefined {
  // Escapes and quotes of the source may mean something else in the input language.
  if (text.includes("\\") || (flavour.stringQuotes.length > 1 && text.includes('"'))) return undefined;
  const resolve = (parts: readonly Identifier[], span: Span): Expression => {
    const [own, ...others] = parts;
    const named = own === undefined || others.length > 0 ? undefined : findColumn(model, own);
    const physical = named === undefined || named === column ? undefined : physicalName(model, named, flavour);
    if (named === undefined || physical === undefined || named.kind !== "plain") {
      throw new PlannerError("COLUMN_NOT_FOUND", "the expression names something else than a column of the table");
    }
    return { ...read(named, physical), span };
  };
  try {
    const expression = parseExpression(text, { limits: DEFAULT_LIMITS });
    if (someExpression(expression, isUnknownCall)) return undefined;
    context.budget.spend(sizeOf(expression));
    if (foreign !== "certainly" && !someExpression(expression, (each) => joinsOthers(each, model))) return undefined;
    const named = {
      expression,
      resolve,
      clause: { name: "a source expression", aggregates: false, windows: false },
    } as const;
    return asDeclared(bindManifestExpression(named, ownerOf(model, column), context), plainType(column.type));
  } catch (error) {
    if (error instanceof PlannerError && !error.reason.startsWith("LIMIT_")) return undefined;
    throw error;
  }
}

/** `concat` of a column that is not text. */
function joinsOthers(node: Expression, model: Model): boolean {
  if (node.kind !== "call" || functionName(node) !== "concat") return false;
  return node.arguments.some(({ value }) => {
    const [named] = value.kind === "column" ? value.parts : [];
    const type = named === undefined ? undefined : findColumn(model, named)?.type;
    return value.kind === "number" || (type !== undefined && type.kind !== "text" && type.kind !== "opaque");
  });
}

/** The type of a value that no source converts. */
function plainType(type: SqlType): SqlType {
  if (type.kind === "text") return { kind: "text" };
  return type.kind === "timestamp" ? { kind: "timestamp", zoned: type.zoned } : type;
}

function isUnknownCall(node: Expression): boolean {
  if (node.kind !== "call") return false;
  const canonical = canonicalCall(node, functionName(node));
  return canonical.kind === "call" && findFunction(functionName(canonical)) === undefined;
}
