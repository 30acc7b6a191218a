/** The row of a table as one value, `t` or `t.*`: the uses that need no row type. */
import { PlannerError } from "../diagnostics.ts";
import { call as callOf, isNull, text, when } from "../syntax/build.ts";
import type { Call, ColumnReference, Expression, Is, Span } from "../syntax/tree.ts";
import { BOOLEAN } from "../types.ts";
import type { ExpressionBinding } from "./binding.ts";
import { CubeRelation } from "./cube-relation.ts";
import { ListedRelation, ModelRelation, type Relation, type RelationColumn } from "./relation.ts";
import { columnExpression, markUsed } from "./scope.ts";

/** `count(t)` counts existing rows; `undefined` if the argument is not a row. */
export function countOfRows(call: Call, name: string, binding: ExpressionBinding): Call | undefined {
  const argument = call.arguments[0];
  if (name !== "count" || argument === undefined || call.arguments.length > 1) return undefined;
  const relation = rowOf(argument.value, binding);
  if (relation === undefined) return undefined;
  if (!call.distinct && !relation.outer) return { ...call, arguments: [], star: true };
  const marker = markerOf(relation);
  if (call.distinct || marker === undefined) {
    throw new PlannerError(
      "INVALID_QUERY",
      `rows of "${relation.name}" cannot be counted${call.distinct ? " as distinct rows" : ""}`,
      {
        span: call.span,
        hint: "Count a column that is never NULL.",
      },
    );
  }
  return { ...call, arguments: [{ ...argument, value: named(marker, argument.value.span) }] };
}

/** `t IS NULL`: all columns are; `t IS NOT NULL`: none is. */
export function nullnessOfRow(node: Is, binding: ExpressionBinding): Expression | undefined {
  const relation = node.test === "null" ? rowOf(node.operand, binding) : undefined;
  if (relation === undefined) return undefined;
  const { span } = node.operand;
  const marker = node.negated ? undefined : markerOf(relation);
  const columns = marker === undefined ? relation.columns() : [marker];
  binding.binder.context.budget.spend(columns.length);
  const elements = columns.map((column) => named(column, span));
  const [only] = elements;
  if (only !== undefined && elements.length === 1) return { ...isNull(only, node.negated), span: node.span };
  const fields = columns.map(({ name, type }) => ({ name, type }));
  return { ...node, operand: { kind: "row", elements, span, type: { kind: "row", fields } }, type: BOOLEAN };
}

/** Functions that turn a row into JSON, and the equivalent object constructor. */
const OBJECTS: ReadonlyMap<string, "json_build_object" | "jsonb_build_object"> = new Map([
  ["row_to_json", "json_build_object"],
  ["to_json", "json_build_object"],
  ["json_agg", "json_build_object"],
  ["to_jsonb", "jsonb_build_object"],
  ["jsonb_agg", "jsonb_build_object"],
]);

/**
 * `row_to_json(t)` and similar as an object of the columns of `t.*`. NULL for the missing row of an outer join.
 * `undefined` if the argument is not a row.
 */
export function rowAsJson(call: Call, name: string, binding: ExpressionBinding): Expression | undefined {
  const maker = OBJECTS.get(name);
  const argument = call.arguments[0];
  if (maker === undefined || argument === undefined || call.arguments.length > 1) return undefined;
  const relation = rowOf(argument.value, binding);
  if (relation === undefined || (relation instanceof ListedRelation && relation.value !== undefined)) return undefined;
  const at = { span: argument.value.span, type: undefined };
  const columns = relation.columns();
  binding.binder.context.budget.spend(columns.length);
  const members = columns.flatMap((column) => [text(column.name, at), named(column, at.span)]);
  const object = callOf(maker, members, at);
  const marker = relation.outer ? markerOf(relation) : undefined;
  if (relation.outer && marker === undefined) {
    throw new PlannerError("INVALID_QUERY", `the row of "${relation.name}" may be missing, and no column shows it`, {
      span: call.span,
      hint: "Declare a primary key, or name the columns.",
    });
  }
  const value = marker === undefined ? object : when(isNull(named(marker, at.span), true), object, undefined, at);
  return name.endsWith("_agg") ? { ...call, arguments: [{ ...argument, value }] } : value;
}

/** The row of a function in FROM that gives single values is the value: `SELECT e FROM json_array_elements(j) AS e`. */
export function valueOfRow(expression: ColumnReference, binding: ExpressionBinding): Expression | undefined {
  const relation = rowOf(expression, binding);
  const value = relation instanceof ListedRelation ? relation.value : undefined;
  return value && named(value, expression.span);
}

/** Throws for a row used as a value. */
export function refuseRow(name: string, span: Span): never {
  throw new PlannerError("INVALID_QUERY", `the row of "${name}" as a value is not part of the language`, {
    span,
    hint: "Name its columns; count(t), t IS NULL and t IS NOT NULL are read.",
  });
}

function rowOf(expression: Expression, { scope }: ExpressionBinding): Relation | undefined {
  if (expression.kind !== "column") return undefined;
  const relation = scope.relationOfRow(expression);
  return relation instanceof CubeRelation ? undefined : relation;
}

/** A column that is NULL only where the whole row is missing. */
function markerOf(relation: Relation): RelationColumn | undefined {
  const keys = relation instanceof ModelRelation ? relation.model.primaryKey : [];
  return relation.columns().find(({ notNull, name }) => notNull || keys.includes(name));
}

function named(column: RelationColumn, span: Span): Expression {
  const expression = columnExpression(column, span);
  markUsed(expression);
  return expression;
}
