/** Explores: the model and cube of the base view, joins as relationships, conditions on all questions, and access filters. */
import { conjuncts } from "../../../src/planner/syntax/walk.ts";
import { identifierIn, written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { rejectValueWithoutRow } from "../joined-rows.ts";
import { expressionIn, Unmapped } from "../sql-text.ts";
import { Listed } from "./field-lists.ts";
import { addJoinedMeasures } from "./joined-measures.ts";
import { Measures } from "./measures.ts";
import { withReferences } from "./references.ts";
import type { ViewModel, ViewModels } from "./view-model.ts";

const EXPLORE = {
  mapped: [
    ...[
      "name",
      "from",
      "view_name",
      "join",
      "sql_always_where",
      "access_filter",
      "extends",
      "extends__all",
      "extension",
    ],
    ...["fields", "description", "always_join"],
  ],
  silent: [
    ...[
      "label",
      "group_label",
      "view_label",
      "hidden",
      "persist_for",
      "persist_with",
      "case_sensitive",
      "tags",
      "final",
    ],
    ...["cancel_grouping_fields", "symmetric_aggregates", "query", "aggregate_table"],
  ],
  refused: {
    always_filter: "a filter that each question changes has no counterpart.",
    conditionally_filter: "a filter that each question changes has no counterpart.",
    sql_always_having: "a condition on groups of all questions has no counterpart.",
    required_access_grants: "an access grant has no counterpart.",
    sql_table_name: "a table of its own has no counterpart.",
  },
};
const JOIN = {
  mapped: ["name", "from", "view_name", "sql_on", "foreign_key", "relationship", "type", "fields", "required_joins"],
  silent: ["view_label", "outer_only"],
  refused: {
    sql_where: "a condition on rows that a join brings has no counterpart.",
    sql: "a join in SQL has no counterpart.",
    sql_table_name: "a table of its own has no counterpart.",
    required_access_grants: "an access grant has no counterpart.",
  },
};

interface Explore {
  readonly name: string;
  readonly item: Item;
  readonly object: string;
  readonly base: ViewModel;
  readonly baseName: string;
  readonly isGuarded: boolean;
  readonly isFiltered: boolean;
}

export class Explores {
  readonly #draft: Draft;
  readonly #views: ReadonlyMap<string, Item>;
  readonly #models: ViewModels;
  readonly #explores: ReadonlyMap<string, Item>;
  readonly #made = new Map<string, Explore>();
  readonly #joined = new Map<string, { readonly view: Item; readonly made: ViewModel | undefined }>();

  constructor(views: ReadonlyMap<string, Item>, explores: ReadonlyMap<string, Item>, models: ViewModels, draft: Draft) {
    this.#views = views;
    this.#explores = explores;
    this.#models = models;
    this.#draft = draft;
  }

  add(): void {
    for (const [name, item] of this.#explores) {
      const explore = this.#explore(name, item);
      if (explore !== undefined) this.#made.set(name, explore);
    }
    for (const explore of this.#made.values()) this.#addMembers(explore);
  }

  #explore(name: string, item: Item): Explore | undefined {
    const object = `explore "${name}"`;
    const { report } = this.#draft;
    if (!hasKnownMembers(item, object, EXPLORE, report)) return undefined;
    const viewName = item.text("from") ?? item.text("view_name") ?? name;
    const baseName = item.text("from") === undefined ? viewName : (item.text("view_name") ?? name);
    const view = this.#views.get(viewName);
    if (view === undefined) {
      report.refuse(object, `The view "${viewName}" is not imported.`, item.at());
      return undefined;
    }
    const where = item.text("sql_always_where");
    const filters = where === undefined ? [] : [where.replaceAll(`\${${baseName}.`, `\${${viewName}.`)];
    const base = this.#draft.attempt(object, item.at("sql_always_where"), () =>
      this.#models.made({ item: view, alias: name, filters }),
    );
    if (base === undefined) {
      report.refuse(object, `Its view "${viewName}" is not imported.`, item.at());
      return undefined;
    }
    const rules = this.#draft.attempt(object, item.at("access_filter"), () => this.#rules(item, base, baseName));
    if (rules === undefined) {
      this.#draft.drop(base.model);
      return undefined;
    }
    base.model.rules = [...rules];
    const isGuarded = rules.length > 0;
    return { name, item, object, base, baseName, isGuarded, isFiltered: filters.length > 0 };
  }

  /** Throws `Unmapped`. */
  #rules(item: Item, base: ViewModel, baseName: string) {
    return item.items("access_filter").map((filter, at) => {
      const [field, attribute] = [filter.text("field") ?? "", filter.text("user_attribute")];
      const [owner = "", name = ""] = field.split(".");
      const isOwn = owner === baseName || base.fields.names.has(owner);
      const column = isOwn ? base.model.column(name) : undefined;
      if (column === undefined || attribute === undefined || filter.names().length !== 2) {
        throw new Unmapped(`Its access filter compares ${field}, which is no dimension of the base view.`);
      }
      if (!/^[A-Za-z_]\w*$/.test(attribute)) throw new Unmapped(`The user attribute ${attribute} is no name.`);
      const property = attribute.toLowerCase();
      return {
        name: `access_filter_${at + 1}`,
        requiredProperties: [{ name: property, required: true }],
        condition: `${written(column.name)} = @${property}`,
      };
    });
  }

  #addMembers(explore: Explore): void {
    const { item, base, object, baseName } = explore;
    const listed = this.#draft.attempt(object, item.at("fields"), () => new Listed(item, baseName, this.#views));
    if (listed === undefined) {
      this.#draft.drop(base.model);
      return;
    }
    if (item.get("fields") !== undefined) {
      const reason = "fields: the cube has those that are listed; the model has the columns of the whole view.";
      this.#draft.report.leaveOut(object, reason, item.at("fields"));
    }
    for (const [name, { kind, item: field }] of base.dimensions) {
      if (!listed.has(base.fields.view, [baseName], name)) continue;
      this.#draft.member(base.cube, kind, { name, expression: written(name) }, field.at());
    }
    new Measures(base, this.#draft).add((name) => listed.has(base.fields.view, [baseName], name));
    const sides = new Map<string, ViewModel>([[baseName, base]]);
    const paths = new Map<string, readonly string[]>([[baseName, []]]);
    for (const join of item.items("join")) {
      const name = join.text("name") ?? "";
      const joinObject = `join "${name}" of ${object}`;
      if (!hasKnownMembers(join, joinObject, JOIN, this.#draft.report)) {
        this.#refuseRequired(explore, name);
        continue;
      }
      const isJoined = this.#draft.attempt(
        joinObject,
        join.at(join.text("sql_on") === undefined ? "name" : "sql_on"),
        () => this.#join(join, name, explore, { sides, paths, listed, joinObject }),
      );
      if (isJoined === undefined) this.#refuseRequired(explore, name);
    }
    if (explore.isFiltered && sides.size > 1) {
      const reason = `sql_always_where holds for rows of the model ${base.model.name}; joined models can be read by themselves.`;
      this.#draft.report.leaveOut(object, reason, item.at("sql_always_where"));
    }
  }

  /** A join that all questions have may drop rows. */
  #refuseRequired({ item, object, base }: Explore, join: string): void {
    if (!item.texts("always_join").includes(join)) return;
    this.#draft.report.refuse(object, `always_join: the join ${join} is refused.`, item.at("always_join"));
    this.#draft.drop(base.model);
  }

  #join(join: Item, name: string, explore: Explore, context: JoinContext): true {
    const { sides, paths, listed, joinObject } = context;
    if (explore.isGuarded)
      throw new Unmapped(`Rows of ${name} could be read without the access filter of the explore.`);
    const type = join.text("type") ?? "left_outer";
    if (type !== "left_outer")
      throw new Unmapped(`A join of type ${type} drops or adds rows, which a relationship does not.`);
    const relationship = join.text("relationship") ?? "many_to_one";
    if (!["many_to_one", "one_to_one", "one_to_many"].includes(relationship)) {
      throw new Unmapped(`The relationship ${relationship} has no counterpart.`);
    }
    const made = this.#target(join, name);
    const { from, pairs } = this.#pairs(join, name, made, sides);
    const other = sides.get(from);
    if (other === undefined) throw new Unmapped(`The view ${from} is not joined.`);
    if (relationship === "one_to_many") {
      this.#draft.join(
        {
          name: `${made.model.name}_${explore.name}`,
          from: made.model,
          to: other.model,
          pairs: pairs.map(([a, b]) => [b, a] as const),
          joinType: "MANY_TO_ONE",
          path: other.model.name,
        },
        join.at(),
      );
      this.#draft.report.leaveOut(
        joinObject,
        "Rows on the one side without rows on the many side are not listed.",
        join.at("relationship"),
      );
      return true;
    }
    const path = this.#draft.join(
      {
        name: `${explore.name}_${name}`,
        from: other.model,
        to: made.model,
        pairs,
        joinType: relationship === "one_to_one" ? "ONE_TO_ONE" : "MANY_TO_ONE",
        path: name,
      },
      join.at(),
    );
    if (path === undefined) throw new Unmapped("Its relationship is refused.");
    const whole = [...(paths.get(from) ?? []), path];
    sides.set(name, made);
    paths.set(name, whole);
    const own = new Listed(join, name, this.#views);
    const isListed = (field: string): boolean =>
      own.has(made.fields.view, [name], field) && listed.has(made.fields.view, [name], field);
    this.#addJoinedDimensions(explore, name, made, whole, isListed);
    addJoinedMeasures({ draft: this.#draft, base: explore.base, name, made, path: whole, isListed });
    return true;
  }

  #addJoinedDimensions(
    explore: Explore,
    name: string,
    made: ViewModel,
    path: readonly string[],
    isListed: (field: string) => boolean,
  ): void {
    for (const [field, { item, native, kind }] of made.dimensions) {
      if (!isListed(field)) continue;
      const object = `dimension "${field}" of view "${made.fields.view.text("name")}", joined in ${explore.object}`;
      this.#draft.attempt(object, item.at("sql"), () => {
        // Looker computes a dimension after the join, so that a row without a partner may have a value.
        if (native !== undefined && identifierIn(native) === undefined)
          rejectValueWithoutRow(native, this.#draft.source);
        const expression = [...path, field].map(written).join(".");
        this.#draft.member(explore.base.cube, kind, { name: `${name}__${field}`, expression }, item.at());
      });
    }
  }

  /** The model of a joined view: one for all joins of a name. Throws `Unmapped`. */
  #target(join: Item, name: string): ViewModel {
    const viewName = join.text("from") ?? join.text("view_name") ?? name;
    const view = this.#views.get(viewName);
    if (view === undefined) throw new Unmapped(`The view "${viewName}" is not imported.`);
    if (this.#isGuardedView(viewName)) {
      throw new Unmapped(
        `An explore has an access filter over the view ${viewName}, and the join would show all of its rows.`,
      );
    }
    const explore = this.#made.get(name);
    if (this.#explores.has(name)) {
      if (explore === undefined || explore.base.fields.view !== view) {
        throw new Unmapped(`The explore ${name} has the name of the join, and another model.`);
      }
      if (explore.isGuarded || explore.isFiltered) {
        throw new Unmapped(`The explore ${name} has conditions of its own, which the join does not have.`);
      }
      return explore.base;
    }
    const known = this.#joined.get(name);
    const made = known === undefined ? this.#models.made({ item: view, alias: name, filters: [] }) : known.made;
    if (known === undefined) {
      this.#joined.set(name, { view, made });
      if (made !== undefined) this.#addOwnMembers(made);
    } else if (known.view !== view) throw new Unmapped(`Another explore joins another view by the name ${name}.`);
    if (made === undefined) throw new Unmapped(`The view "${viewName}" is not imported.`);
    return made;
  }

  #isGuardedView(view: string): boolean {
    return [...this.#explores].some(
      ([name, item]) =>
        item.items("access_filter").length > 0 && (item.text("from") ?? item.text("view_name") ?? name) === view,
    );
  }

  #addOwnMembers(made: ViewModel): void {
    for (const [name, { kind, item }] of made.dimensions) {
      this.#draft.member(made.cube, kind, { name, expression: written(name) }, item.at());
    }
    new Measures(made, this.#draft).add(() => true);
  }

  /** Throws `Unmapped` unless the condition is a conjunction of equalities. */
  #pairs(join: Item, name: string, made: ViewModel, sides: ReadonlyMap<string, ViewModel>): Pairs {
    const key = join.text("foreign_key");
    const on = join.text("sql_on");
    const columnOf = (side: ViewModel, field: string): string =>
      side.model.input(side.fields.sqlOf(field), field, join.at("sql_on"));
    if (key !== undefined && on === undefined) {
      const [only, ...others] = made.model.primaryKey;
      const [owner = "", field] = key.split(".");
      const [first] = sides;
      const [from, column] = field === undefined ? [first?.[0] ?? "", owner] : [owner, field];
      const side = sides.get(from);
      if (only === undefined || others.length > 0 || side === undefined) {
        throw new Unmapped("The joined view has no primary key, or the foreign key is not imported.");
      }
      return { from, pairs: [[columnOf(side, column), only]] };
    }
    if (on === undefined) throw new Unmapped("It has no sql_on.");
    const stands = new Map<string, readonly [owner: string, field: string]>();
    const text = withReferences(on, ({ parts, column }) => {
      const [owner = "", field] = parts;
      if (parts.length !== 2 || field === undefined || column !== undefined) {
        throw new Unmapped(`The condition reads ${parts.join(".")}, which is no field.`);
      }
      const reference = `ref_${stands.size}_of_join`;
      stands.set(reference, [owner, field]);
      return reference;
    });
    let from: string | undefined;
    const pairs = conjuncts(expressionIn(text)).map((condition) => {
      const operands =
        condition.kind === "binary" && condition.operator === "=" ? [condition.left, condition.right] : [];
      const fields = operands.map((each) =>
        each.kind === "column" ? stands.get(each.parts[0]?.name ?? "") : undefined,
      );
      const own = fields.find((each) => each?.[0] === name);
      const other = fields.find((each) => each !== undefined && each[0] !== name);
      if (own === undefined || other === undefined || (from !== undefined && from !== other[0])) {
        throw new Unmapped("The condition is no conjunction of equalities between fields of two views.");
      }
      from = other[0];
      const side = sides.get(from);
      if (side === undefined) throw new Unmapped(`The view ${from} is not joined.`);
      return [columnOf(side, other[1]), columnOf(made, own[1])] as const;
    });
    return { from: from ?? "", pairs };
  }
}

interface Pairs {
  readonly from: string;
  readonly pairs: readonly (readonly [string, string])[];
}

interface JoinContext {
  readonly sides: Map<string, ViewModel>;
  readonly paths: Map<string, readonly string[]>;
  readonly listed: Listed;
  readonly joinObject: string;
}
