/**
 * Calculated columns: expressions over the model's own columns and over relationship paths
 * (docs/spec/planner.md#calculated-columns).
 */
import type { BindingContext } from "../binding/context.ts";
import { asDeclared } from "../binding/declared-types.ts";
import { namedAt, PlannerError } from "../diagnostics.ts";
import { replaceAggregates } from "../functions/calls.ts";
import { calculatedColumnOf, dependenciesOf, ownerOf } from "../manifest/calculated.ts";
import { dividedAsDeclared } from "../manifest/declared-division.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { type Hop, type Path, resolvePath } from "../manifest/paths.ts";
import type { Expression, Span } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import { aggregateOver } from "./aggregates.ts";
import type { Columns } from "./columns.ts";
import { comparesKey, joinCondition } from "./condition.ts";
import { bindManifestExpression, type NamedExpression } from "./manifest-expression.ts";
import { ModelRows } from "./model-rows.ts";

export class ModelColumns implements Columns {
  readonly context: BindingContext;

  constructor(context: BindingContext) {
    this.context = context;
  }

  at(column: ModelColumn, rows: ModelRows): Expression {
    if (column.kind !== "calculated") return rows.reference(column, column.type);
    dependenciesOf(rows.model, column);
    // Computed in the table of those rows: windows are over all rows of the model, whatever the query does, and a
    // missing row has no value, whatever the expression returns for NULLs.
    if (calculatedColumnOf(rows.model, column).window || rows.mayBeMissing()) {
      return rows.reference(column, typeOfColumn(rows.model, column, this.context));
    }
    return this.expressionOf(column, rows);
  }

  /** The expression of a calculated column itself, window functions included. */
  expressionOf(column: ModelColumn, rows: ModelRows): Expression {
    const { model } = rows;
    const calculated = calculatedColumnOf(model, column);
    const named: NamedExpression = {
      expression: dividedAsDeclared(calculated.expression, column.type),
      resolve: (parts, span) => this.path(resolvePath(model, parts, { span, aggregated: false }), rows, span),
      clause: { name: "a calculated column", aggregates: false, windows: true },
      prepare: (parsed) => replaceAggregates(parsed, (call) => aggregateOver(call, rows, this)),
    };
    const bound = this.context.budget.expanding(calculated, () =>
      bindManifestExpression(named, ownerOf(model, column), this.context),
    );
    return asDeclared(bound, column.type);
  }

  path(path: Path, rows: ModelRows, span: Span): Expression {
    let end = rows;
    for (const hop of path.hops) {
      checkToOne(hop, span);
      end = this.over(hop, end);
    }
    return this.at(path.column, end);
  }

  over(hop: Hop, rows: ModelRows): ModelRows {
    return rows.further(hop, (joined) => {
      joined.on = joinCondition(joined, this);
    });
  }
}

/** The type of a model column: of a calculated one the declared type, unless its expression cannot be converted to it. */
export function typeOfColumn(model: Model, column: ModelColumn, context: BindingContext): SqlType {
  if (column.kind !== "calculated") return column.type;
  let type = TYPES.get(column);
  if (type === undefined) {
    dependenciesOf(model, column);
    type = new ModelColumns(context).expressionOf(column, ModelRows.root(model)).type ?? column.type;
    TYPES.set(column, type);
  }
  return type;
}

/** The type of a path that a query follows itself, at `span`; throws FANOUT and errors in its columns. */
export function typeOfPath(model: Model, path: Path, span: Span, context: BindingContext): SqlType {
  const bound = namedAt(span, () => new ModelColumns(context).path(path, ModelRows.root(model), span));
  return bound.type ?? path.column.type;
}

/** Types depend on the manifest alone. */
const TYPES = new WeakMap<ModelColumn, SqlType>();

/**
 * Declared directions are often wrong: a path to many is rejected only if keys do not prove it to be single either
 * (docs/decisions/0015-fan-out.md).
 */
function checkToOne(hop: Hop, span: Span): void {
  if (!hop.toMany || comparesKey(hop)) return;
  throw new PlannerError(
    "FANOUT",
    `"${hop.handle.name}" leads from one "${hop.from.name}" to many "${hop.to.name}": a single value of it has no meaning`,
    { span, hint: "Aggregate it, for example sum(…), in a calculated column." },
  );
}
