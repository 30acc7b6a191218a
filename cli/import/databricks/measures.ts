/** Measures of a metric view in the input language. */
import type { Call, Expression } from "../../../src/planner/syntax/tree.ts";
import { someNode, walk } from "../../../src/planner/syntax/walk.ts";
import { asDouble } from "../doubles.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { type Edit, edited, quotientEdits, Unmapped } from "../sql-text.ts";
import { Expressions } from "./expressions.ts";
import { described } from "./fields.ts";
import { sparkExpression } from "./spark-text.ts";
import type { MetricView } from "./view.ts";

const MEASURE = {
  mapped: ["name", "expr", "comment", "display_name", "synonyms", "format"],
  refused: { window: "a window of a measure has no counterpart." },
};
/** Aggregates of one value, whose value may be computed by the source. */
const OF_ONE_VALUE: ReadonlySet<string> = new Set([
  ...["sum", "count", "avg", "min", "max", "median", "any_value"],
  ...["stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop"],
]);

interface Context {
  readonly name: string;
  /** Measures that are being read. */
  readonly active: readonly string[];
  readonly doubles: boolean;
}

export function addMeasures(view: MetricView, draft: Draft): void {
  const measures = new Measures(view, draft);
  for (const item of view.item.items("measures")) measures.add(item);
}

class Measures {
  readonly #view: MetricView;
  readonly #draft: Draft;
  readonly #expressions: Expressions;

  constructor(view: MetricView, draft: Draft) {
    this.#view = view;
    this.#draft = draft;
    this.#expressions = new Expressions(view, draft.source);
  }

  add(item: Item): void {
    const name = item.text("name");
    const object = `measure "${name ?? ""}" of metric view "${this.#view.name}"`;
    if (name === undefined) {
      this.#draft.report.refuse(object, "It has no name.", item.at());
      return;
    }
    if (!hasKnownMembers(item, object, MEASURE, this.#draft.report)) return;
    const expression = this.#draft.attempt(object, item.at("expr"), () => this.#expression(item, name, []));
    if (expression === undefined) return;
    this.#draft.member(this.#view.cube, "measure", { name, expression, ...described(item) }, item.at("name"));
  }

  /** `isDivided`: whether a quotient reads the measure, for which Spark needs a known type. */
  #expression(item: Item, name: string, active: readonly string[], isDivided = false): string {
    if (active.includes(name.toLowerCase())) throw new Unmapped(`The measure ${name} reads itself.`);
    const object = `measure "${name}" of metric view "${this.#view.name}"`;
    if (!hasKnownMembers(item, object, MEASURE, this.#draft.report))
      throw new Unmapped("A member of it has no counterpart.");
    const text = item.text("expr");
    if (text === undefined) throw new Unmapped("The measure has no expr.");
    const tree = sparkExpression(text);
    const doubles = isDivided || someNode(tree, (node) => node.kind === "binary" && node.operator === "/");
    const replaced: Edit[] = [];
    walk(tree, (node) => {
      if (node.kind === "column") {
        const compiled = this.#expressions.ofNode(text, node);
        const { start, end } = node.span;
        replaced.push({ start, end, text: this.#input(compiled, name) });
        return true;
      }
      if (node.kind !== "call") return true;
      const context = { name, active: [...active, name.toLowerCase()], doubles };
      const whole = this.#call(node, text, context);
      if (whole === undefined) return true;
      replaced.push({ start: node.span.start, end: node.span.end, text: whole });
      return false;
    });
    const quotients = quotientEdits(tree, this.#draft.source).filter(
      (edit) => !replaced.some(({ start, end }) => edit.start > start && edit.end < end),
    );
    return edited(text, [...quotients, ...replaced]);
  }

  #input(compiled: ReturnType<Expressions["compiled"]>, name: string): string {
    if ("input" in compiled) return `(${compiled.input})`;
    return this.#expressions.column(compiled, `${name}_value`, undefined);
  }

  /** The text of a whole call, or undefined if its parts are replaced one by one. */
  #call(node: Call, text: string, { name, active, doubles }: Context): string | undefined {
    const called = node.name.at(-1)?.name.toLowerCase() ?? "";
    const [argument, ...others] = node.arguments;
    if (called === "measure") return this.#other(argument?.value, active, doubles);
    if (called === "count_if" && argument !== undefined) {
      const condition = this.#all([node.filter, argument.value], text);
      if (condition.side !== this.#view.base) throw new Unmapped("count_if over a joined table has no counterpart.");
      const input = this.#input({ side: condition.side, sql: `CASE WHEN ${condition.sql} THEN 1 END` }, name);
      return `count(${input})`;
    }
    const isPlain = node.orderBy.length === 0 && node.withinGroup.length === 0 && others.length === 0;
    if (!OF_ONE_VALUE.has(called) || !isPlain || argument?.name !== undefined) return undefined;
    const value = argument?.value;
    if (value === undefined && !node.star) return undefined;
    if (node.filter === undefined && (value === undefined || value.kind === "number")) return undefined;
    const parts = [node.filter, value].flatMap((part) => part ?? []);
    const compiled = parts.map((part) => this.#expressions.ofNode(text, part));
    const natives = compiled.flatMap((each) => ("side" in each ? each : []));
    if (natives.length < compiled.length || new Set(natives.map(({ side }) => side)).size > 1) return undefined;
    const [first] = natives;
    const sql = value === undefined ? "1" : (natives.at(-1)?.sql ?? "1");
    if (first === undefined) return undefined;
    const native = node.filter === undefined ? sql : `CASE WHEN ${first.sql} THEN ${sql} END`;
    const distinct = node.distinct ? "DISTINCT " : "";
    const double =
      called === "avg" || (doubles && called !== "count") ? asDouble(native, this.#draft.source) : undefined;
    if (double !== undefined) {
      const typed = { side: first.side, sql: double };
      return `${called}(${distinct}${this.#expressions.column(typed, `${name}_value`, undefined, "DOUBLE")})`;
    }
    return `${called}(${distinct}${this.#input({ side: first.side, sql: native }, name)})`;
  }

  /** Conditions over one table, as one condition in its SQL. */
  #all(
    conditions: readonly (Expression | undefined)[],
    text: string,
  ): { readonly side: MetricView["base"]; readonly sql: string } {
    const compiled = conditions.flatMap((each) => (each === undefined ? [] : this.#expressions.ofNode(text, each)));
    const natives = compiled.flatMap((each) => ("side" in each ? each : []));
    const [first] = natives;
    if (first === undefined || natives.length < compiled.length || natives.some(({ side }) => side !== first.side)) {
      throw new Unmapped("The condition reads several tables.");
    }
    return { side: first.side, sql: natives.map(({ sql }) => `(${sql})`).join(" AND ") };
  }

  #other(node: Expression | undefined, active: readonly string[], isDivided: boolean): string {
    const name = node?.kind === "column" && node.parts.length === 1 ? (node.parts[0]?.name ?? "") : "";
    const key = name.toLowerCase();
    const item = this.#view.item.items("measures").find((each) => each.text("name")?.toLowerCase() === key);
    if (item === undefined) throw new Unmapped(`The measure reads ${name}, which is no measure of the view.`);
    return `(${this.#expression(item, name, active, isDivided)})`;
  }
}
