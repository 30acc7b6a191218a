/**
 * Which windows tell all rows of a SELECT apart by their partition and order: the manifest's keys, or the groups of a derived table,
 * say so.
 */
import type { BindingContext } from "../../binding/context.ts";
import { Grain, isGroupedSelect } from "../../checks/unique-rows.ts";
import type { Select, Window } from "../../syntax/tree.ts";

export class OrderedRows {
  readonly #context: BindingContext;
  #grain: Grain | undefined;

  constructor(context: BindingContext) {
    this.#context = context;
  }

  /** `select` is one of the bound statement, without groups. */
  readonly areToldApart = ({ partitionBy, orderBy }: Window, select: Select): boolean => {
    const scope = this.#context.selects.get(select);
    if (scope === undefined || isGroupedSelect(select, scope)) return false;
    this.#grain ??= new Grain(this.#context);
    return this.#grain.tellsApart(select, [...partitionBy, ...orderBy.map(({ expression }) => expression)]);
  };
}
