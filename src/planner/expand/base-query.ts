/**
 * Models of old manifests that are built on a view or a metric (docs/spec/planner.md#models-on-other-sources): their rows come from
 * its query with every column selected, so that the columns a caller names do not decide how a metric is grouped.
 */
import { builtOn, refuseCycles } from "../access/cycles.ts";
import { accessDenied } from "../access/policy.ts";
import type { BoundQuery } from "../binding/binding.ts";
import type { BindingContext } from "../binding/context.ts";
import { asDeclared } from "../binding/declared-types.ts";
import { bindWholeQuery } from "../binding/query.ts";
import { ListedRelation } from "../binding/relation.ts";
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { columnNotInBase, ownerOf } from "../manifest/calculated.ts";
import { dividedAsDeclared } from "../manifest/declared-division.ts";
import { inExpression } from "../manifest/faults.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { selectItem, star } from "../syntax/build.ts";
import { parseExpression } from "../syntax/parser.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Identifier, SelectItem, Span, TableExpression } from "../syntax/tree.ts";
import { bindManifestExpression } from "./manifest-expression.ts";
import { derived, name, selectFrom } from "./select.ts";

const ALIAS = "_s";

export class BaseQuery {
  readonly table: TableExpression;
  readonly #model: Model;
  readonly #base: string;
  readonly #context: BindingContext;
  readonly #relation: ListedRelation;

  /** `model` is built on the view or metric called `base`. Throws MANIFEST_CYCLE, and errors in the base. */
  constructor(model: Model, base: string, context: BindingContext) {
    this.#model = model;
    this.#base = base;
    this.#context = context;
    const needed = (each: Model) => builtOn(each, context.manifest);
    refuseCycles(model, needed, (each) => `found cycle: model "${each.name}" is built on itself`);
    const { query, columns } = this.#bind(star({ span: NOWHERE }));
    this.table = derived(query, ALIAS, NOWHERE);
    this.#relation = new ListedRelation(base, []);
    this.#relation.printedAlias = ALIAS;
    for (const column of columns) this.#relation.add(column);
  }

  /** The expression of a column: the base's column of the same name, or its expression over the base's columns. */
  expressionOf(column: ModelColumn): Expression {
    const owner = ownerOf(this.#model, column);
    const { expression: text } = column;
    if (text === undefined) return this.#ownColumn(column, owner);
    const expression = inExpression(owner, () => parseExpression(text, { limits: DEFAULT_LIMITS }));
    const resolve = ([first, ...others]: readonly Identifier[], span: Span): Expression => {
      if (first !== undefined && others.length === 0) return this.#column(first, span);
      throw new PlannerError("COLUMN_NOT_FOUND", `"${this.#base}" has no relationships`, { span });
    };
    const clause = { name: "a column's expression", aggregates: false, windows: false };
    const divided = dividedAsDeclared(expression, column.type);
    const bound = bindManifestExpression({ expression: divided, resolve, clause }, owner, this.#context);
    return asDeclared(bound, column.type);
  }

  #ownColumn(column: ModelColumn, owner: string): Expression {
    try {
      return this.#column(name(column.name), NOWHERE);
    } catch (error) {
      throw error instanceof PlannerError && error.reason === "COLUMN_NOT_FOUND"
        ? columnNotInBase(owner, this.#base)
        : error;
    }
  }

  #column(wanted: Identifier, span: Span): Expression {
    const found = this.#relation.find(wanted.name, wanted.quoted);
    if (found.kind === "found") return { kind: "bound", column: found.column, type: found.column.type, span };
    // `*` omits restricted columns; naming one is an error.
    const expression: Expression = { kind: "column", parts: [wanted], span };
    const refused = this.#context.unlessDenied(() =>
      this.#context.discarding(() => this.#bind(selectItem(expression, undefined, { span }))),
    );
    if (refused instanceof PlannerError) throw accessDenied(refused, {});
    throw new TypeError(`"${wanted.name}" is a column of "${this.#base}", and is not`);
  }

  #bind(item: SelectItem): BoundQuery {
    const from: TableExpression = { kind: "table", name: [name(this.#base)], alias: undefined, span: NOWHERE };
    const query = selectFrom([item], from);
    return this.#context.inView(this.#model.name, NOWHERE, () => bindWholeQuery(query, this.#context));
  }
}
