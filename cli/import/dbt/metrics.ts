/** Metrics of dbt as measures: simple, ratio and derived ones over a single semantic model. */
import type { Aggregate } from "../aggregates.ts";
import { aggregated } from "../aggregates.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { columnsIn, edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import { filterOf, filterTexts } from "./filters.ts";
import type { Paths } from "./joins.ts";
import type { SemanticModel } from "./semantic-model.ts";

const METRIC = {
  mapped: ["name", "type", "type_params", "filter", "description"],
  silent: ["metadata", "config", "label", "time_granularity"],
};
const PARAMETERS = {
  mapped: ["measure", "numerator", "denominator", "expr", "metrics", "metric_aggregation_params"],
  silent: ["input_measures", "is_private"],
  refused: {
    window: "a cumulative window has no counterpart.",
    grain_to_date: "a cumulative grain has no counterpart.",
    cumulative_type_params: "a cumulative metric has no counterpart.",
    conversion_type_params: "a conversion metric has no counterpart.",
    join_to_timespine: "a time spine has no counterpart.",
    fill_nulls_with: "values for absent rows have no counterpart.",
  },
};
const INPUT_MEASURE = {
  mapped: ["name", "filter"],
  silent: ["alias"],
  refused: {
    join_to_timespine: "a time spine has no counterpart.",
    fill_nulls_with: "values for absent rows have no counterpart.",
  },
};
const INPUT_METRIC = {
  mapped: ["name", "filter", "alias"],
  refused: {
    offset_window: "an offset in time has no counterpart.",
    offset_to_grain: "an offset in time has no counterpart.",
  },
};
const MEASURE = {
  mapped: ["name", "agg", "expr", "agg_params", "description"],
  silent: ["metadata", "config", "label", "create_metric", "agg_time_dimension"],
  refused: { non_additive_dimension: "a measure that is not additive over a dimension has no counterpart." },
};
const PARAMETERS_OF_AGGREGATE = {
  mapped: ["percentile", "use_discrete_percentile"],
  refused: { use_approximate_percentile: "an approximate percentile has no counterpart." },
};
const DEEPEST = 50;

interface Compiled {
  readonly model: SemanticModel;
  readonly expression: string;
}

export class Metrics {
  readonly #draft: Draft;
  readonly #models: readonly SemanticModel[];
  readonly #paths: Paths;
  readonly #items = new Map<string, Item>();
  readonly #active = new Set<string>();
  readonly #used = new Set<string>();

  constructor(draft: Draft, models: readonly SemanticModel[], paths: Paths) {
    this.#draft = draft;
    this.#models = models;
    this.#paths = paths;
  }

  add(items: readonly Item[]): void {
    const { report } = this.#draft;
    const own: [string, Item][] = [];
    for (const item of items) {
      const name = item.text("name");
      if (name === undefined) report.refuse("metric", "It has no name.", item.at());
      else if (this.#items.has(name)) report.refuse(`metric "${name}"`, "Two objects have the name.", item.at("name"));
      else {
        this.#items.set(name, item);
        own.push([name, item]);
      }
    }
    for (const [name, item] of own) {
      const compiled = this.#draft.attempt(`metric "${name}"`, item.at("name"), () => this.#metric(name, []));
      if (compiled === undefined) continue;
      const description = item.text("description");
      const member = { name, expression: compiled.expression, ...(description !== undefined && { description }) };
      this.#draft.member(compiled.model.cube, "measure", member, item.at("name"));
    }
    this.#addMeasures();
  }

  /** Measures that no metric reads. */
  #addMeasures(): void {
    for (const model of this.#models) {
      for (const [name, item] of model.measures) {
        if (this.#used.has(name) || this.#items.has(name)) continue;
        const object = `measure "${name}" of semantic model "${model.model.name}"`;
        const expression = this.#draft.attempt(object, item.at("name"), () => this.#measure(model, item, name, []));
        if (expression === undefined) continue;
        this.#draft.member(model.cube, "measure", { name, expression }, item.at("name"));
      }
    }
  }

  /** `filters`: those of the metrics that read this one. Throws `Unmapped`. */
  #metric(name: string, filters: readonly string[]): Compiled {
    const item = this.#items.get(name);
    if (item === undefined) throw new Unmapped(`There is no metric "${name}".`);
    if (this.#active.has(name)) throw new Unmapped(`The metric "${name}" reads itself.`);
    if (this.#active.size > DEEPEST) throw new Unmapped(`Metrics read each other deeper than ${DEEPEST} levels.`);
    const object = `metric "${name}"`;
    const { report } = this.#draft;
    const parameters = item.item("type_params");
    const isKnown = hasKnownMembers(item, object, METRIC, report);
    if (parameters === undefined || !hasKnownMembers(parameters, object, PARAMETERS, report) || !isKnown) {
      throw new Unmapped("A member of the metric has no counterpart.");
    }
    const all = [...filters, ...filterTexts(item.item("filter"))];
    this.#active.add(name);
    try {
      switch (item.text("type")) {
        case "simple":
          return this.#simple(name, parameters, all);
        case "ratio":
          return this.#ratio(name, parameters, all);
        case "derived":
          return this.#derived(name, parameters, all);
        default:
          throw new Unmapped(`A metric of type ${item.text("type") ?? "none"} has no counterpart.`);
      }
    } finally {
      this.#active.delete(name);
    }
  }

  #simple(name: string, parameters: Item, filters: readonly string[]): Compiled {
    const input = parameters.item("measure");
    if (input === undefined) return this.#ownAggregate(name, parameters, filters);
    this.#assertKnown(input, `metric "${name}"`, INPUT_MEASURE);
    const wanted = input.text("name") ?? "";
    const model = this.#models.find(({ measures }) => measures.has(wanted));
    const measure = model?.measures.get(wanted);
    if (model === undefined || measure === undefined) throw new Unmapped(`There is no measure "${wanted}".`);
    this.#used.add(wanted);
    const all = [...filters, ...filterTexts(input.item("filter"))];
    return { model, expression: this.#measure(model, measure, all.length === 0 ? wanted : name, all) };
  }

  /** A simple metric that aggregates by itself, without a measure. */
  #ownAggregate(name: string, parameters: Item, filters: readonly string[]): Compiled {
    const own = parameters.item("metric_aggregation_params");
    const model = this.#models.find(({ model: { name: each } }) => each === own?.text("semantic_model"));
    if (own === undefined || model === undefined)
      throw new Unmapped("Its measure or its semantic model is not imported.");
    if (own.item("non_additive_dimension") !== undefined) throw new Unmapped(MEASURE.refused.non_additive_dimension);
    const aggregate = this.#aggregate(own, `metric "${name}"`);
    const value = valueOf(own.text("agg"), parameters.text("expr") ?? name);
    return { model, expression: this.#aggregated(model, { aggregate, value, name }, filters, own) };
  }

  #measure(model: SemanticModel, item: Item, name: string, filters: readonly string[]): string {
    const object = `measure "${item.text("name")}" of semantic model "${model.model.name}"`;
    this.#assertKnown(item, object, MEASURE);
    const value = valueOf(item.text("agg"), item.text("expr") ?? item.text("name") ?? "");
    return this.#aggregated(model, { aggregate: this.#aggregate(item, object), value, name }, filters, item);
  }

  #aggregated(
    model: SemanticModel,
    given: { readonly aggregate: Aggregate; readonly value: string; readonly name: string },
    filters: readonly string[],
    item: Item,
  ): string {
    const mapped = filters.map((text) => filterOf(text, model, this.#paths, this.#draft.source));
    return aggregated(model.model, { ...given, filters: mapped }, item.at());
  }

  #aggregate(item: Item, object: string): Aggregate {
    const parameters = item.item("agg_params");
    if (parameters !== undefined) this.#assertKnown(parameters, object, PARAMETERS_OF_AGGREGATE);
    const name = item.text("agg")?.toLowerCase() ?? "";
    switch (name) {
      case "sum":
      case "sum_boolean":
        return { kind: "sum" };
      case "average":
        return { kind: "avg" };
      case "min":
      case "max":
      case "count":
        return { kind: name };
      case "count_distinct":
        return { kind: "count distinct" };
      case "median":
        return { kind: "percentile", at: 0.5, isDiscrete: false };
      case "percentile": {
        const at = Number(parameters?.text("percentile"));
        if (!(at >= 0 && at <= 1)) throw new Unmapped("The percentile is no number from 0 to 1.");
        return { kind: "percentile", at, isDiscrete: parameters?.get("use_discrete_percentile") === true };
      }
      default:
        throw new Unmapped(`The aggregation ${name} has no counterpart.`);
    }
  }

  #ratio(name: string, parameters: Item, filters: readonly string[]): Compiled {
    const [top, bottom] = (["numerator", "denominator"] as const).map((member) => {
      const input = parameters.item(member);
      if (input === undefined) throw new Unmapped(`The metric has no ${member}.`);
      return this.#input(input, filters, `metric "${name}"`);
    });
    if (top === undefined || bottom === undefined || top.model !== bottom.model) throw new Unmapped(SEVERAL);
    const quotient = `CAST(${top.expression} AS DOUBLE PRECISION) / CAST(NULLIF(${bottom.expression}, 0) AS DOUBLE PRECISION)`;
    return { model: top.model, expression: quotient };
  }

  #derived(name: string, parameters: Item, filters: readonly string[]): Compiled {
    const text = parameters.text("expr") ?? "";
    const inputs = new Map<string, Compiled>();
    for (const input of parameters.items("metrics")) {
      const alias = input.text("alias") ?? input.text("name") ?? "";
      inputs.set(alias.toLowerCase(), this.#input(input, filters, `metric "${name}"`));
    }
    const tree = expressionIn(text);
    const mentions = columnsIn(tree);
    const [first] = inputs.values();
    if (first === undefined) throw new Unmapped("The metric reads no other metric.");
    if ([...inputs.values()].some(({ model }) => model !== first.model)) throw new Unmapped(SEVERAL);
    const columns = mentions.map(({ parts, start, end }) => {
      const found = parts.length === 1 ? inputs.get((parts[0] ?? "").toLowerCase()) : undefined;
      if (found === undefined)
        throw new Unmapped(`The expression names ${parts.join(".")}, which is none of its metrics.`);
      return { start, end, text: `(${found.expression})` };
    });
    return { model: first.model, expression: edited(text, [...quotientEdits(tree, this.#draft.source), ...columns]) };
  }

  #input(input: Item, filters: readonly string[], object: string): Compiled {
    this.#assertKnown(input, object, INPUT_METRIC);
    return this.#metric(input.text("name") ?? "", [...filters, ...filterTexts(input.item("filter"))]);
  }

  #assertKnown(item: Item, object: string, members: Parameters<typeof hasKnownMembers>[2]): void {
    if (!hasKnownMembers(item, object, members, this.#draft.report)) {
      throw new Unmapped("A member of it has no counterpart.");
    }
  }
}

const SEVERAL = "It reads several semantic models, and a measure is computed over one.";

const valueOf = (aggregation: string | undefined, expression: string): string =>
  aggregation === "sum_boolean" ? `CASE WHEN ${expression} THEN 1 ELSE 0 END` : expression;
