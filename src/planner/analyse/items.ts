/** The select list of an analysis, with `*` expanded to its columns. */
import type { Expression, SelectItem, Star } from "../syntax/tree.ts";
import { type BlockRelation, type BlockScope, starColumns } from "./block-scope.ts";
import { writtenPath } from "./canonical-text.ts";
import { type ExpressionAnalyst, propertiesOf } from "./expressions.ts";
import type { ColumnAnalysis } from "./records.ts";

export class ItemList {
  readonly items: readonly ColumnAnalysis[];
  /** Every item is one column; otherwise a `*` expands to unknown columns, and positions mean nothing. */
  readonly #known: boolean;
  #aliases: ReadonlyMap<string, ColumnAnalysis> | undefined;
  #folded: ReadonlyMap<string, ColumnAnalysis> | undefined;

  constructor(items: readonly ColumnAnalysis[], known: boolean) {
    this.items = items;
    this.#known = known;
  }

  /** The item that a position or an alias means; `undefined` for any other expression. */
  find(key: Expression): ColumnAnalysis | undefined {
    if (key.kind === "number" && this.#known && /^\d+$/.test(key.text)) return this.items[Number(key.text) - 1];
    const [name, ...others] = key.kind === "column" ? key.parts : [];
    if (name === undefined || others.length > 0) return undefined;
    this.#aliases ??= this.#index((alias) => alias);
    const exact = this.#aliases.get(name.name);
    if (exact !== undefined || name.quoted) return exact;
    this.#folded ??= this.#index((alias) => alias.toLowerCase());
    return this.#folded.get(name.name.toLowerCase());
  }

  /** The first of each name counts. */
  #index(key: (alias: string) => string): ReadonlyMap<string, ColumnAnalysis> {
    const named = this.items.filter(({ alias }) => alias !== null).toReversed();
    return new Map(named.map((item) => [key(item.alias ?? ""), item]));
  }
}

export function analyseItems(
  selected: readonly SelectItem[],
  scope: BlockScope,
  expressions: ExpressionAnalyst,
): ItemList {
  let known = true;
  const items = selected.flatMap((item): readonly ColumnAnalysis[] => {
    if (item.kind === "item") return [analyseExpression(item.expression, item.alias?.name, scope, expressions)];
    const relations = item.qualifier.length === 0 ? scope.relations : scope.named(item.qualifier);
    const unknown = relations.filter(({ model }) => model === undefined);
    if (unknown.length > 0 || relations.length === 0) known = false;
    if (unknown.length === relations.length) return [plainStar(item, writtenStar(item), expressions)];
    return relations.flatMap((relation) => starItems(item, relation, expressions));
  });
  return new ItemList(items, known);
}

function analyseExpression(
  expression: Expression,
  alias: string | undefined,
  scope: BlockScope,
  expressions: ExpressionAnalyst,
): ColumnAnalysis {
  return {
    alias: alias ?? null,
    expression: expressions.text(expression),
    properties: propertiesOf(expression),
    nodeLocation: expressions.placeOf(expression),
    exprSources: expressions.sources(expression, scope),
  };
}

/** The columns of one relation; those that are left out or renamed by the star are. */
function starItems(star: Star, relation: BlockRelation, expressions: ExpressionAnalyst): readonly ColumnAnalysis[] {
  const { model } = relation;
  if (model === undefined) return [plainStar(star, `${relation.name}.*`, expressions)];
  const nodeLocation = expressions.place(star.span.start);
  return starColumns(model)
    .filter((column) => !star.except.some(({ name }) => name.toLowerCase() === column.name.toLowerCase()))
    .map((column) => {
      const replacement = star.replace.find(({ name }) => name.name.toLowerCase() === column.name.toLowerCase());
      const renamed = star.rename.find(({ from }) => from.name.toLowerCase() === column.name.toLowerCase());
      expressions.again(column.name, []);
      return {
        alias: renamed?.to.name ?? null,
        expression: replacement === undefined ? column.name : expressions.text(replacement.expression),
        properties: replacement === undefined ? NOTHING : propertiesOf(replacement.expression),
        nodeLocation,
        exprSources: [expressions.source(column.name, { model, column }, star.span.start)],
      };
    });
}

const NOTHING = { includeFunctionCall: "false", includeMathematicalOperation: "false" } as const;

function plainStar(star: Star, expression: string, expressions: ExpressionAnalyst): ColumnAnalysis {
  expressions.again(expression, []);
  return {
    alias: null,
    expression,
    properties: NOTHING,
    nodeLocation: expressions.place(star.span.start),
    exprSources: [],
  };
}

function writtenStar({ qualifier }: Star): string {
  return qualifier.length === 0 ? "*" : `${writtenPath(qualifier)}.*`;
}
