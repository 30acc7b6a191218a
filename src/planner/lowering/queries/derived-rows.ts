/** A derived table that a step puts around rows; its columns are bound like those of any table. */

import { isNullable } from "../../binding/nullability.ts";
import { uniqueName } from "../../binding/output.ts";
import { UniqueNames } from "../../binding/printable-name.ts";
import { ListedRelation } from "../../binding/relation.ts";
import { ExpressionMap } from "../../binding/same.ts";
import { exactName, selectItem } from "../../syntax/build.ts";
import type { BoundColumn, DerivedTable, Expression, Query, SelectExpression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

export class DerivedRows {
  /** The selected items, in the order of their creation. */
  readonly items: SelectExpression[] = [];
  readonly #relation: ListedRelation;
  readonly #names = new UniqueNames();
  readonly #columns = new ExpressionMap<BoundColumn>();

  /** `alias` must differ from all other aliases of the statement. */
  constructor(alias: string) {
    this.#relation = new ListedRelation(alias, []);
  }

  /** The column for `expression`, created on first use; its name is `name` unless that is taken. */
  holding(expression: Expression, name: string, nullable = isNullable(expression)): BoundColumn {
    const known = this.#columns.get(expression);
    if (known !== undefined) return { ...known, span: expression.span };
    const column = this.#add(expression, name, nullable);
    this.#columns.add(expression, column);
    return column;
  }

  /** Whether it is a column of these rows. */
  has(column: BoundColumn): boolean {
    return column.column.relation === this.#relation;
  }

  #add(expression: Expression, name: string, nullable: boolean): BoundColumn {
    const { span } = expression;
    const printedName = uniqueName(name, this.items.length, this.#names);
    this.items.push(selectItem(expression, exactName(printedName, span), expression));
    const type = typeOrUnknown(expression);
    const column = this.#relation.add({
      name: printedName,
      type,
      notNull: !nullable,
      printedName,
      origins: [expression],
      implicitName: undefined,
    });
    return { kind: "bound", column, span, type };
  }

  /** The derived table over `query`, which selects `items`. */
  table(query: Query): DerivedTable {
    const alias = { name: exactName(this.#relation.printedAlias, query.span), columns: [] };
    return { kind: "derived", query, lateral: false, alias, span: query.span };
  }
}
