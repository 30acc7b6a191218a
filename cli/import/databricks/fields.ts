/** Fields of a metric view as columns and dimensions. */
import type { Expression } from "../../../src/planner/syntax/tree.ts";
import { typeOfName } from "../../../src/planner/types.ts";
import { identifierIn, written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import type { ImportedColumn } from "../manifest.ts";
import { UNKNOWN_TYPE } from "../model-draft.ts";
import { Expressions } from "./expressions.ts";
import { sparkExpression } from "./spark-text.ts";
import type { MetricView } from "./view.ts";

const FIELD = {
  mapped: ["name", "expr", "comment", "display_name", "synonyms", "format"],
};
const TIMES: ReadonlySet<string> = new Set(["date_trunc", "trunc", "to_date", "to_timestamp", "make_date", "date"]);

/** Text for people: the comment, and other names. */
export function described(item: Item): Pick<ImportedColumn, "description" | "properties"> {
  const [description, label] = [item.text("comment"), item.text("display_name")];
  const synonyms = item.texts("synonyms");
  const format = item.get("format");
  const properties = {
    ...(label !== undefined && { display_name: label }),
    ...(synonyms.length > 0 && { synonyms: synonyms.join(", ") }),
    ...(format !== undefined && format !== null && { format }),
  };
  return {
    ...(description !== undefined && { description }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

export function addFields(view: MetricView, draft: Draft): void {
  const expressions = new Expressions(view, draft.source);
  for (const item of view.fields) {
    const name = item.text("name");
    const text = item.text("expr");
    const object = `field "${name ?? ""}" of metric view "${view.name}"`;
    if (name === undefined || text === undefined) {
      draft.report.refuse(object, "It has no name or no expr.", item.at());
      continue;
    }
    if (!hasKnownMembers(item, object, FIELD, draft.report)) continue;
    draft.attempt(object, item.at("expr"), () => addField(item, name, text, view, draft, expressions));
  }
}

function addField(
  item: Item,
  name: string,
  text: string,
  view: MetricView,
  draft: Draft,
  expressions: Expressions,
): void {
  const { base, cube } = view;
  const compiled = expressions.compiled(text, [name.toLowerCase()]);
  const head = { name, type: UNKNOWN_TYPE, ...described(item) };
  const isOwn = "side" in compiled && compiled.side === base;
  const column: ImportedColumn = isOwn
    ? { ...head, ...(identifierIn(compiled.sql) !== name && { expression: compiled.sql }) }
    : {
        ...head,
        isCalculated: true,
        expression: "side" in compiled ? expressions.column(compiled, name, item.at("expr")) : compiled.input,
      };
  if (!base.model.add(column, item.at("name"))) return;
  const kind = isTime(item, sparkExpression(text)) ? "time dimension" : "dimension";
  draft.member(cube, kind, { name, expression: written(name), ...described(item) }, item.at("name"));
}

/** Metric views declare no types: the format, a cast or a function names a time. */
function isTime(item: Item, tree: Expression): boolean {
  if (/^date/.test(item.item("format")?.text("type") ?? "")) return true;
  if (tree.kind === "cast") return ["date", "timestamp"].includes(typeOfName(tree.typeName).kind);
  return tree.kind === "call" && TIMES.has(tree.name.at(-1)?.name.toLowerCase() ?? "");
}
