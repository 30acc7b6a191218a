/** The source of a metric view and the tables that it joins, as models and relationships. */
import { conjuncts } from "../../../src/planner/syntax/walk.ts";
import { identifierIn } from "../../project/identifier.ts";
import type { CubeDraft, Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import type { ModelDraft, ModelHead } from "../model-draft.ts";
import { columnsIn, edited, Unmapped } from "../sql-text.ts";
import { sparkExpression, sparkName } from "./spark-text.ts";

/** The source, or a table that is joined to it. */
export interface Side {
  /** Names of the joins that lead to it; none for the source. */
  readonly names: readonly string[];
  readonly model: ModelDraft;
  /** Columns that follow the relationships from the source. */
  readonly path: readonly string[];
}

export interface MetricView {
  readonly name: string;
  readonly item: Item;
  readonly base: Side;
  readonly sides: Side[];
  readonly cube: CubeDraft;
  readonly fields: readonly Item[];
}

const JOIN = {
  mapped: ["name", "source", "on", "using", "joins", "cardinality"],
  silent: ["rely"],
};

/** Undefined if the view is refused as a whole. */
export function readView(name: string, item: Item, draft: Draft): MetricView | undefined {
  const object = `metric view "${name}"`;
  const source = item.text("source");
  if (source === undefined) {
    draft.report.refuse(object, "It has no source.", item.at());
    return undefined;
  }
  const fields = [...item.items("dimensions"), ...item.items("fields")];
  const from = draft.attempt(object, item.at(item.text("filter") === undefined ? "source" : "filter"), () =>
    filtered(tableOf(source, draft), item, fields),
  );
  const description = item.text("comment");
  const more = { ...(description !== undefined && { description }) };
  const model = from === undefined ? undefined : draft.model({ name, ...more, ...from }, item.at());
  if (model === undefined) return undefined;
  const base: Side = { names: [], model, path: [] };
  const view = { name, item, base, sides: [base], cube: draft.cube(model, item.at(), more), fields };
  for (const each of item.items("joins")) addJoin(each, base, view, draft);
  return view;
}

type From = Pick<ModelHead, "tableReference" | "refSql">;

function tableOf(source: string, draft: Draft): From {
  if (/^\s*\(?\s*(?:SELECT|WITH|FROM)\b/i.test(source)) return { refSql: source.trim().replace(/;\s*$/, "") };
  const table = draft.table(source);
  if (table === undefined) throw new Unmapped(`The source ${source.slice(0, 100)} is neither a table nor a query.`);
  return { tableReference: table };
}

/** The rows of the source that pass the filter. A filter over a joined table refuses the view. Throws `Unmapped`. */
function filtered(from: From, item: Item, fields: readonly Item[]): From {
  const filter = item.text("filter");
  if (filter === undefined) return from;
  const condition = ownSql(filter, fields, []);
  const { tableReference: table, refSql } = from;
  const name = [table?.catalog, table?.schema, table?.table].flatMap((part) => (part === undefined ? [] : part));
  const rows = table === undefined ? `(${refSql ?? ""})` : name.map(sparkName).join(".");
  return { refSql: `SELECT * FROM ${rows} AS source WHERE ${condition}` };
}

/** SQL over the source alone, with fields written out. Throws `Unmapped`. */
function ownSql(text: string, fields: readonly Item[], active: readonly string[]): string {
  const edits = columnsIn(sparkExpression(text)).map(({ parts, start, end }) => {
    const [first = "", second] = parts;
    if (parts.length === 2 && second !== undefined && first.toLowerCase() === "source")
      return { start, end, text: sparkName(second) };
    if (parts.length !== 1) throw new Unmapped(`The filter reads ${parts.join(".")}, a column of a joined table.`);
    const field = fields.find((each) => each.text("name")?.toLowerCase() === first.toLowerCase());
    const inner = field?.text("expr");
    if (inner === undefined || active.at(-1) === first.toLowerCase()) return { start, end, text: sparkName(first) };
    if (isAmbiguous(inner, first)) {
      throw new Unmapped(`${first} is a field and a column of the source: write source.${first}.`);
    }
    if (active.includes(first.toLowerCase())) throw new Unmapped(`The field ${first} reads itself.`);
    return { start, end, text: `(${ownSql(inner, fields, [...active, first.toLowerCase()])})` };
  });
  return edited(text, edits);
}

/** Whether an expression, which is the field `name`, computes something of a column with the same name. */
export function isAmbiguous(text: string, name: string): boolean {
  const tree = sparkExpression(text);
  return (
    tree.kind !== "column" && columnsIn(tree).some(({ parts }) => parts.length === 1 && same(parts[0] ?? "", name))
  );
}

function addJoin(item: Item, parent: Side, view: MetricView, draft: Draft): void {
  const name = item.text("name") ?? "";
  const object = `join "${[...parent.names, name].join(".")}" of metric view "${view.name}"`;
  if (!hasKnownMembers(item, object, JOIN, draft.report)) return;
  const side = draft.attempt(object, item.at(item.text("on") === undefined ? "name" : "on"), () =>
    joined(item, name, parent, view, draft),
  );
  if (side === undefined) {
    for (const each of item.items("joins")) {
      draft.report.refuse(
        `join "${each.text("name") ?? ""}" of metric view "${view.name}"`,
        `The join ${name} is refused.`,
        each.at("name"),
      );
    }
    return;
  }
  view.sides.push(side);
  for (const each of item.items("joins")) addJoin(each, side, view, draft);
}

function joined(item: Item, name: string, parent: Side, view: MetricView, draft: Draft): Side | undefined {
  const cardinality = item.text("cardinality") ?? "many_to_one";
  if (!["many_to_one", "one_to_one"].includes(cardinality)) {
    throw new Unmapped(`A join of cardinality ${cardinality} aggregates rows of its own, which has no counterpart.`);
  }
  const names = [...parent.names, name];
  if (name === "" || same(name, "source") || view.sides.some((side) => isNamed(side.names, names))) {
    throw new Unmapped("Its name is absent, or another table of the view has it.");
  }
  const pairs = pairsOf(item, names, parent, view);
  const own = tableOf(item.text("source") ?? "", draft);
  const model = draft.model({ name: [view.name, ...names].join("_"), ...own }, item.at("name"));
  if (model === undefined) return undefined;
  const [first] = pairs;
  const from = first?.from ?? parent;
  if (pairs.some((pair) => pair.from !== from)) throw new Unmapped("The condition reads several tables.");
  const path = draft.join(
    {
      name: model.name,
      from: from.model,
      to: model,
      pairs: pairs.map((pair) => [
        from.model.input(pair.theirs, pair.theirs, item.at("on")),
        model.input(pair.own, pair.own, item.at("on")),
      ]),
      joinType: cardinality === "one_to_one" ? "ONE_TO_ONE" : "MANY_TO_ONE",
      path: name,
    },
    item.at("name"),
  );
  return path === undefined ? undefined : { names, model, path: [...from.path, path] };
}

interface Pair {
  readonly from: Side;
  readonly theirs: string;
  readonly own: string;
}

/** Throws `Unmapped` unless the condition is a conjunction of equalities. */
function pairsOf(item: Item, names: readonly string[], parent: Side, view: MetricView): readonly Pair[] {
  const using = item.texts("using").map((column) => sparkName(identifierIn(column) ?? column));
  if (using.length > 0) return using.map((column) => ({ from: parent, theirs: column, own: column }));
  const on = item.text("on");
  if (on === undefined) throw new Unmapped("It has neither on nor using.");
  const [name = ""] = names.slice(-1);
  const others = view.sides;
  return conjuncts(sparkExpression(on)).map((condition) => {
    const operands = condition.kind === "binary" && condition.operator === "=" ? [condition.left, condition.right] : [];
    const sides = operands.map((each) => {
      const parts = each.kind === "column" ? each.parts.map((part) => part.name) : [];
      const qualifier = parts.slice(0, -1);
      const isOwn = isNamed(names, qualifier) || (qualifier.length === 1 && same(qualifier[0] ?? "", name));
      return { isOwn, side: sideNamed(qualifier, others), column: sparkName(parts.at(-1) ?? "") };
    });
    const own = sides.find(({ isOwn }) => isOwn);
    const other = sides.find(({ isOwn }) => !isOwn);
    if (own === undefined || other?.side === undefined || sides.length !== 2) {
      throw new Unmapped("The condition is no conjunction of equalities between columns of both tables.");
    }
    return { from: other.side, theirs: other.column, own: own.column };
  });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isNamed = (names: readonly string[], qualifier: readonly string[]): boolean =>
  names.length === qualifier.length && names.every((name, at) => same(name, qualifier[at] ?? ""));

/** The table of a qualifier: `source`, the names of its joins, or its own name if no other table has it. */
export function sideNamed(qualifier: readonly string[], sides: readonly Side[]): Side | undefined {
  const [first = "", ...others] = qualifier;
  const [base] = sides;
  if (qualifier.length === 0) return base;
  if (same(first, "source")) return others.length === 0 ? base : sideNamed(others, sides);
  const exact = sides.find(({ names }) => isNamed(names, qualifier));
  if (exact !== undefined || others.length > 0) return exact;
  const [only, ...more] = sides.filter(({ names }) => same(names.at(-1) ?? "", first));
  return more.length > 0 ? undefined : only;
}
