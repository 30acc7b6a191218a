/** Measures of a joined view. The join repeats its rows, so that only measures that repetitions do not change are kept. */
import { identifierIn, written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import type { Item } from "../item.ts";
import { rejectValueWithoutRow } from "../joined-rows.ts";
import { Unmapped } from "../sql-text.ts";
import { isShown, type ViewModel } from "./view-model.ts";

interface Joined {
  readonly draft: Draft;
  readonly base: ViewModel;
  /** The name of the join. */
  readonly name: string;
  readonly made: ViewModel;
  readonly path: readonly string[];
  readonly isListed: (field: string) => boolean;
}

const KEPT: Readonly<Record<string, string>> = { count_distinct: "count(DISTINCT ", min: "min(", max: "max(" };

export function addJoinedMeasures({ draft, base, name, made, path, isListed }: Joined): void {
  for (const item of made.fields.view.items("measure")) {
    const own = item.text("name") ?? "";
    if (!isShown(item) || !isListed(own)) continue;
    const object = `measure "${own}" of view "${made.fields.view.text("name")}", joined to model "${base.model.name}"`;
    draft.attempt(object, item.at(), () => {
      const expression = expressionOf(item, made, path, draft);
      draft.member(base.cube, "measure", { name: `${name}__${own}`, expression }, item.at());
    });
  }
}

/** Throws `Unmapped`. */
function expressionOf(item: Item, made: ViewModel, path: readonly string[], draft: Draft): string {
  const type = item.text("type") ?? "string";
  const known = [
    "name",
    "type",
    "sql",
    "description",
    "label",
    "group_label",
    "value_format",
    "value_format_name",
    "drill_fields",
    "hidden",
  ];
  if (item.names().some((each) => !known.includes(each)))
    throw new Unmapped("A member of it has no counterpart over a join.");
  if (type === "count") {
    const [key, ...others] = made.model.primaryKey;
    if (key === undefined || others.length > 0)
      throw new Unmapped("The joined view has no single primary key to count.");
    return `count(DISTINCT ${[...path, key].map(written).join(".")})`;
  }
  const call = Object.hasOwn(KEPT, type) ? KEPT[type] : undefined;
  const sql = item.text("sql");
  if (call === undefined || sql === undefined) {
    throw new Unmapped(`The join repeats rows of the view: a measure of type ${type} is computed over the view alone.`);
  }
  const native = made.fields.native(sql);
  if (identifierIn(native) === undefined) rejectValueWithoutRow(native, draft.source);
  const column = made.model.input(native, `${item.text("name")}_value`, item.at());
  return `${call}${[...path, column].map(written).join(".")})`;
}
