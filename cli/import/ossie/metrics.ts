/** Metrics of Ossie as measures of the dataset that they aggregate; columns of joined datasets are read by paths. */
import type { Expression } from "../../../src/planner/syntax/tree.ts";
import { walk } from "../../../src/planner/syntax/walk.ts";
import { written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import type { ModelDraft } from "../model-draft.ts";
import { pathTo } from "../paths.ts";
import { type ColumnMention, columnsIn, edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import { annotated } from "./datasets.ts";
import { expressionOf } from "./expressions.ts";

const METRIC = {
  mapped: ["name", "expression", "description", "ai_context"],
  harmless: ["custom_extensions"],
  silent: ["datatype"],
};
const AGGREGATES: ReadonlySet<string> = new Set([
  ...[
    "sum",
    "count",
    "avg",
    "min",
    "max",
    "median",
    "stddev",
    "stddev_samp",
    "stddev_pop",
    "variance",
    "var_samp",
    "var_pop",
  ],
  ...["percentile_cont", "percentile_disc", "string_agg", "listagg", "approx_count_distinct", "any_value", "corr"],
]);

export function readMetric(item: Item, draft: Draft): void {
  const name = item.text("name");
  const object = `metric "${name ?? ""}"`;
  if (name === undefined || !hasKnownMembers(item, object, METRIC, draft.report)) return;
  draft.attempt(object, item.at("expression"), () => {
    const { text } = expressionOf(item, draft.source);
    const tree = expressionIn(text);
    const base = baseOf(tree, draft);
    const edits = columnsIn(tree).map((mention) => ({
      start: mention.start,
      end: mention.end,
      text: columnText(mention, base, draft),
    }));
    const expression = edited(text, [...quotientEdits(tree, draft.source), ...edits]);
    const cube = draft.cube(base, item.at("name"));
    draft.member(cube, "measure", { name, expression, ...annotated(item) }, item.at("name"));
  });
}

/** The dataset that every aggregate of the expression reads. */
function baseOf(tree: Expression, draft: Draft): ModelDraft {
  const candidates: ReadonlySet<ModelDraft>[] = [];
  walk(tree, (node) => {
    if (node.kind !== "call" || !AGGREGATES.has(node.name.at(-1)?.name.toLowerCase() ?? "")) return true;
    const models = columnsIn(node).map((mention) => fieldOf(mention, draft).model);
    if (models.length > 0) candidates.push(new Set(models));
    else if (draft.models.size > 1) throw new Unmapped("count(*) names no dataset.");
    return false;
  });
  const [first] = candidates;
  if (first === undefined) {
    const [only, ...others] = draft.models.values();
    if (only === undefined || others.length > 0) throw new Unmapped("The metric aggregates no dataset.");
    return only;
  }
  // Rows of a dataset on the one side of a join are repeated, so each aggregate has to read the dataset on the many side.
  const shared = [...first].filter((model) => candidates.every((each) => each.has(model)));
  const base = shared.find((model) =>
    candidates.every((each) =>
      [...each].every((other) => other === model || pathTo(model, other, draft) !== undefined),
    ),
  );
  if (base === undefined)
    throw new Unmapped("The metric aggregates several datasets, and a measure is computed over one.");
  return base;
}

interface Field {
  readonly model: ModelDraft;
  readonly column: string;
}

function fieldOf({ parts }: Pick<ColumnMention, "parts">, draft: Draft): Field {
  const [owner = "", name] = parts;
  if (parts.length === 2 && name !== undefined) {
    const model = draft.models.get(owner.toLowerCase());
    const column = model?.column(name);
    if (model !== undefined && column !== undefined) return { model, column: column.name };
    throw new Unmapped(`The metric reads ${parts.join(".")}, which is no field that is imported.`);
  }
  const found = [...draft.models.values()].flatMap((model) => {
    const column = model.column(owner);
    return column === undefined ? [] : [{ model, column: column.name }];
  });
  const [only, ...others] = found;
  if (parts.length !== 1 || only === undefined || others.length > 0) {
    throw new Unmapped(`The metric reads ${parts.join(".")}, which is no field of a single dataset.`);
  }
  return only;
}

function columnText(mention: ColumnMention, base: ModelDraft, draft: Draft): string {
  const { model, column } = fieldOf(mention, draft);
  if (model === base) return written(column);
  const path = pathTo(base, model, draft);
  if (path === undefined)
    throw new Unmapped(`No single path of relationships leads from ${base.name} to ${model.name}.`);
  return [...path, column].map(written).join(".");
}
